//! `authority.*`.

use serde_json::{Map, Value, json};

use crate::{
    authority::{self, Assumed, Breach, Chain, Inputs, Layout, LedgerError, NoEnd, Reading, Run},
    digest::Digest,
    law::Law,
    operation::{Answer, Handler, Output, Question, compared, rejected, value},
    threads::Threads,
};

/// The operations of the system.
pub(crate) const TABLE: &[(&str, Handler)] = &[
    ("authority.chain", chain),
    ("authority.append", append),
    ("authority.run", run),
    ("authority.replay", replay),
    ("authority.dag", dag),
    ("authority.version", version),
];

/// The operations take an array of records, never JSON Lines.
const READING: Reading = Reading { layout: Some(Layout::Array), threads: Threads::Caller };

fn chain(question: &mut Question<'_>) -> Answer {
    let Some(records) = question.document("records") else {
        return Answer::reject("A_INPUT");
    };
    match authority::chain(records, &READING) {
        Ok(Chain { breach: None, .. }) => Answer::accept([] as [(&str, Output); 0]),
        Ok(Chain { breach: Some(breach), .. }) => broken(&breach),
        Err(error) => unreadable(&error),
    }
}

fn append(question: &mut Question<'_>) -> Answer {
    let (Some(records), Some(payload)) = (question.document("records"), question.document("payload")) else {
        return Answer::reject("A_INPUT");
    };
    // A chain that does not hold is named before anything that would come after it.
    let end = match authority::end(records, &READING) {
        Ok(end) => end,
        Err(NoEnd::Unreadable(error)) => return unreadable(&error),
        Err(NoEnd::Broken(breach)) => return broken(&breach),
    };
    let (Some(ts), Some(kind)) = (question.text_arg("ts"), question.text_arg("kind")) else {
        return Answer::reject("A_INPUT");
    };
    match end.append(ts, kind, payload) {
        Ok(record) => Answer::accept([("record", doc(record))]),
        Err(why) => rejected(&why),
    }
}

fn run(question: &mut Question<'_>) -> Answer {
    let Some(inputs) = question.document("inputs") else {
        return Answer::reject("A_INPUT");
    };
    match Inputs::parse(inputs) {
        Ok(inputs) => ran(&authority::run(&inputs)),
        Err(why) => rejected(&why),
    }
}

fn ran(run: &Run) -> Answer {
    let golden = run.golden();
    Answer::accept([
        ("outcome", value(run.outcome().name())),
        ("dag_root_hash", hash(golden.map(|golden| golden.dag_root_hash))),
        ("summary_hash", hash(golden.map(|golden| golden.summary_hash))),
        ("ledger_last_hash", hash(Some(run.last_hash()))),
        ("records", doc(run.ledger())),
        ("dag", doc(run.dag().document())),
        ("artifacts", doc(run.artifacts_document())),
    ])
}

fn replay(question: &mut Question<'_>) -> Answer {
    let (Some(records), Some(assumed)) = (question.document("records"), assumed(question)) else {
        return Answer::reject("A_INPUT");
    };
    let found = match authority::replay(records, &assumed, &READING) {
        Ok(replay) => replay.outcome,
        Err(error) => return unreadable(&error),
    };
    match found {
        Ok(derived) => {
            let hashes = derived.artifact_hashes.iter().map(|(name, hash)| ((*name).to_owned(), hash.to_hex().into()));
            Answer::accept([
                ("outcome", value(derived.outcome.name())),
                ("summary_hash", hash(derived.summary_hash)),
                ("dag_root_hash", hash(derived.dag_root_hash)),
                ("artifact_hashes", value(hashes.collect::<Map<_, _>>())),
            ])
        }
        Err(breach) => broken(&breach),
    }
}

/// What the arguments assume of the proposals.
fn assumed(question: &Question<'_>) -> Option<Assumed> {
    let source = match question.args.get("source") {
        None => Assumed::HEURISTIC,
        Some(source) => source.as_str()?,
    };
    let confidence = question.args.get("confidence").unwrap_or(&Value::Null);
    Assumed::new(source, confidence.to_string().as_bytes()).ok()
}

fn dag(question: &mut Question<'_>) -> Answer {
    let (Some(ops), Some(run_id)) = (question.document("ops"), question.text_arg("run_id")) else {
        return Answer::reject("A_INPUT");
    };
    let report = match authority::dag(run_id, ops) {
        Ok(report) => report,
        Err(why) => return rejected(&why),
    };
    let result = |result: &Result<Digest, Law>| match result {
        Ok(id) => json!({"id": id.to_hex()}),
        Err(law) => json!({"error": law.slug()}),
    };
    Answer::accept([
        ("results", value(report.results.iter().map(result).collect::<Vec<_>>())),
        ("node_count", value(report.dag.nodes().len())),
        ("edge_count", value(report.dag.edges().len())),
        ("dag_root_hash", hash(Some(report.dag.root_hash()))),
    ])
}

fn version(question: &mut Question<'_>) -> Answer {
    let Some(change) = question.document("change") else {
        return Answer::reject("A_INPUT");
    };
    match authority::version(change) {
        Ok(findings) => {
            let findings: Vec<Value> = findings.iter().map(|finding| compared(finding).into()).collect();
            Answer::accept([("findings", value(findings))])
        }
        Err(why) => rejected(&why),
    }
}

/// A document that the verifier has written, which is UTF-8.
fn doc(canonical: Vec<u8>) -> Output {
    Output::Doc(String::from_utf8_lossy(&canonical).into_owned())
}

fn hash(hash: Option<Digest>) -> Output {
    value(hash.map(Digest::to_hex))
}

fn broken(breach: &Breach) -> Answer {
    Answer::reject(breach.finding.law.slug())
}

fn unreadable(error: &LedgerError) -> Answer {
    match error.code() {
        Some(code) => Answer::reject(code),
        None => Answer::Fault { kind: "io".to_owned(), message: error.to_string() },
    }
}
