//! Ledgers put together by hand: every member is JSON text, already canonical where it is hashed.

use sha2::{Digest as _, Sha256};

/// SHA-256 of a text, in hexadecimal digits.
pub(crate) fn hash(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) v: String,
    pub(crate) ts: String,
    pub(crate) kind: String,
    pub(crate) parent: String,
    pub(crate) payload: String,
    pub(crate) payload_hash: String,
    pub(crate) record_hash: String,
}

impl Record {
    /// A record without its hashes.
    pub(crate) fn new(ts: &str, kind: &str, payload: &str) -> Self {
        Self {
            v: "1".to_owned(),
            ts: format!("\"{ts}\""),
            kind: format!("\"{kind}\""),
            parent: "null".to_owned(),
            payload: payload.to_owned(),
            payload_hash: String::new(),
            record_hash: String::new(),
        }
    }

    /// Canonical text.
    pub(crate) fn text(&self) -> String {
        let Self { v, ts, kind, parent, payload, payload_hash, record_hash } = self;
        format!(
            "{{\"kind\":{kind},\"parent\":{parent},\"payload\":{payload},\"payload_hash\":{payload_hash},\
             \"record_hash\":{record_hash},\"ts\":{ts},\"v\":{v}}}"
        )
    }
}

/// Hashes and links all records again.
pub(crate) fn sealed(mut records: Vec<Record>) -> Vec<Record> {
    let mut parent = "null".to_owned();
    for record in &mut records {
        record.parent = parent;
        record.payload_hash = format!("\"{}\"", hash(&record.payload));
        let Record { v, ts, kind, parent: link, payload_hash, .. } = &*record;
        let metadata =
            format!("{{\"kind\":{kind},\"parent\":{link},\"payload_hash\":{payload_hash},\"ts\":{ts},\"v\":{v}}}");
        record.record_hash = format!("\"{}\"", hash(&metadata));
        parent = record.record_hash.clone();
    }
    records
}

/// JSON Lines.
pub(crate) fn lines(records: &[Record]) -> String {
    records.iter().map(|record| record.text() + "\n").collect()
}

/// One array, with white space around.
pub(crate) fn array(records: &[Record]) -> String {
    let records: Vec<_> = records.iter().map(Record::text).collect();
    format!(" [\n{}\r\n]\t\n", records.join(" ,\n  "))
}

/// Two records whose hashes the public kernel gave.
pub(crate) fn notes() -> Vec<Record> {
    sealed(vec![Record::new("t0", "note", "{\"a\":null,\"b\":[1,1.0]}"), Record::new("t1", "note", "\"é\"")])
}

const SEED_HASH: &str = "ca29e1a6574979a043518323869ed4321f54bba1a5a83e3bd7b45b1d6f1e3cf4";
const SEED: &str = "5d5d09e05f195e187dc5bd2da67997f8f7e9038f80a67e5836023cfed9fa488f";
const BREW: &str = "59594efa0b693168ee11663fed61997b70adcfdc6383de1ce4a8d1c2e431e2b2";
const ONE_CUP: &str = "a6275e9fc20a8375574e9fb71a0a9d354e356029a70265c425b35faec566d2db";
const REFINES: &str = "f76f9e6f314e5fbc30ebf65c30f3c030aa474c0412f4afe907fb696a3693ec77";
const DEPENDS_ON: &str = "9912d8d7f547d65bb5c9420d29bbaee258fb783a0ca665fba9cb114901c7d936";

fn opening(budget: u8, steps: u8) -> Vec<Record> {
    let seedpack = format!(
        "{{\"pin\":{{\"limit\":1e+16,\"on\":true,\"tiny\":1e-07}},\"policy_summary\":{{\"contradiction_budget\":{budget},\
         \"max_depth\":4,\"max_interpretations\":2,\"max_nodes\":10,\"max_steps\":{steps}}},\
         \"seed_hash\":\"{SEED_HASH}\",\"seed_text\":\"Tea timer ☕\"}}"
    );
    let proposal = "{\"interpretations\":[\
        {\"assumptions\":[\"one cup\"],\"intent_summary\":\"Count down minutes\",\"name\":\"Brew\"},\
        {\"assumptions\":[\"one cup\",\"sound on\"],\"intent_summary\":\"Ring once\",\"name\":\"Bell\"}]}";
    vec![Record::new("T0#0000", "seedpack", &seedpack), Record::new("T0#0001", "proposal", proposal)]
}

/// The blueprint of the worked example.
pub(crate) fn blueprint() -> String {
    format!(
        "{{\"intent_root_node_id\":\"{BREW}\",\"invariants\":[\"no_cycles\",\"all_edges_reference_nodes\",\
         \"deterministic_ids\"],\"module_contracts\":[],\"pinned_target\":{{\"limit\":1e+16,\"on\":true,\
         \"tiny\":1e-07}},\"run_id\":\"demo-1\",\"seed_hash\":\"{SEED_HASH}\"}}"
    )
}

/// Its verification pack.
pub(crate) fn verification() -> String {
    "{\"artifact_hashes\":{\"blueprint\":\"c8c4dbcec465aac9b5459f9de5ddfab161dde042630372edba4b6ae0bbd15303\"},\
     \"dag_root_hash\":\"74c8b1b756ca960b9fe13b4d454c266b467ee3fdf2472fbe3115dfc285531d00\",\
     \"expected_summary_hash\":\"cea463d173650f8869f6e483f9fed6434b4657103e7bd9e300dc883e2fb81c0f\",\
     \"ledger_last_hash\":\"3b05c357fffeec12ff79f10b8ebc66a5594caf2cf95fcd378ad1294dd0bd1880\",\
     \"replay_instructions\":\"Replay by validating ledger chain and rebuilding DAG from records\"}"
        .to_owned()
}

/// The worked example: the ledger of `authority/goldens/worked-example`.
pub(crate) fn worked() -> Vec<Record> {
    let commit = "{\"commit_hash\":\"b08c5702174faa7eb3a34bee3946d30fa17f28f7d3c97c286be031b21e78400f\",\
        \"interpretation\":{\"assumptions\":[\"one cup\"],\"intent_summary\":\"Count down minutes\",\"name\":\"Brew\"}}";
    let graph = format!(
        "{{\"edges\":[{{\"from\":\"{SEED}\",\"id\":\"{REFINES}\",\"kind\":\"refines\",\"to\":\"{BREW}\"}},\
         {{\"from\":\"{BREW}\",\"id\":\"{DEPENDS_ON}\",\"kind\":\"depends_on\",\"to\":\"{ONE_CUP}\"}}],\
         \"nodes\":[{{\"id\":\"{SEED}\",\"kind\":\"seed\"}},{{\"id\":\"{BREW}\",\"kind\":\"interpretation\"}},\
         {{\"id\":\"{ONE_CUP}\",\"kind\":\"assumption\"}}]}}"
    );
    let artifact = format!("{{\"blueprint\":{},\"verification\":{}}}", blueprint(), verification());
    let mut records = opening(1, 9);
    records.extend([
        Record::new("T0#0002", "commit", commit),
        Record::new("T0#0003", "commit", &graph),
        Record::new("T0#0004", "artifact", &artifact),
    ]);
    sealed(records)
}

/// The report of its refusal.
pub(crate) fn refusal() -> String {
    format!(
        "{{\"evidence_record_hashes\":[\"6f4044c7e35ace17fab9afceadc5d8d315e83378c4a4d0800f0776100900585e\",\
         \"a75250f14e053be941f4f6169570454ec4738ea011e7469e75194ff0aa1571a2\"],\
         \"policy_suggestions\":[\"Increase contradiction_budget or reduce assumption overlap\",\
         \"Increase max_steps or reduce exploration depth\"],\
         \"reason_codes\":[\"contradictions_exceeded:1>0\",\"max_steps_exceeded:2>1\"],\
         \"run_id\":\"demo-1\",\"seed_hash\":\"{SEED_HASH}\",\"status\":\"refused\"}}"
    )
}

/// The same run under a policy that refuses it.
pub(crate) fn refused() -> Vec<Record> {
    let mut records = opening(0, 1);
    records.push(Record::new("T0#0002", "artifact", &format!("{{\"refusal\":{}}}", refusal())));
    sealed(records)
}

#[test]
fn the_ledgers_have_the_hashes_of_the_fact_sheet() {
    let hashes = |records: &[Record]| -> Vec<[String; 2]> {
        let bare = |hash: &str| hash.trim_matches('"').to_owned();
        records.iter().map(|record| [bare(&record.payload_hash), bare(&record.record_hash)]).collect()
    };
    let noted = [
        [
            "096abb37cc9b431c428b2bfa4dd044eda84fc04b022e698b82f3033fa7bb93f8",
            "4abf9d039faf3cfca121216c009c22d75dd9b1e9fa7986d47819a1d89b28af32",
        ],
        [
            "f2886017e9c7abacf804b54d64787dce2b611c9544ba21f3affdd126a6e50086",
            "969676f096c69b14693e9114359585049dd7eefaf6b3e1322eb03ac4c3128874",
        ],
    ];
    assert_eq!(hashes(&notes()), noted);
    let run = [
        [
            "37f15ec07f81c3605f30cf82a597c33864c1dd69ca7617520a329a7c474d033a",
            "01efd884d8a91d6dfe936ebf165f1a5c0d8f5b014e07bdb39af01b63d3c699d4",
        ],
        [
            "cec1f07c2f7a68e4985e3731f8e939f808f1c15c16f01e44c800f0393a796a1f",
            "2b154d5e7a34f01625586f3aa36dc1fac17ba606457d6cdb097cc09c448c549d",
        ],
        [
            "5206d416a15c540e9ede36654e142616e00eb37327db1e8d717972f1549edd11",
            "5c13cbfdbec06210b5dd4db325a3bf04a28043e304f1a50cfabd32b7ee04ad8b",
        ],
        [
            "79ea5fd20ef1ade303942566683c4315a9f798aa68d4b6e929b911b108c7978c",
            "3b05c357fffeec12ff79f10b8ebc66a5594caf2cf95fcd378ad1294dd0bd1880",
        ],
        [
            "f9a1d4cc4611fb4f02bc60ead39de797b60f5d664c8b2b36963e786ce7bcac2b",
            "28fb3f250daa973314a46e92766bba76685040ea6833f8565e684493382981df",
        ],
    ];
    assert_eq!(hashes(&worked()), run);
    let record_hashes: Vec<_> = hashes(&refused()).into_iter().map(|[_, record]| record).collect();
    let refused = [
        "6f4044c7e35ace17fab9afceadc5d8d315e83378c4a4d0800f0776100900585e",
        "a75250f14e053be941f4f6169570454ec4738ea011e7469e75194ff0aa1571a2",
        "7579ef8d30ff095bc01a6a438231286ba776690d176c80a9a108f5eb883277e1",
    ];
    assert_eq!(record_hashes, refused);
    assert_eq!(hash(&blueprint()), "c8c4dbcec465aac9b5459f9de5ddfab161dde042630372edba4b6ae0bbd15303");
}
