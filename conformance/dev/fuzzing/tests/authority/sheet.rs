//! Hashes that the public kernel gave for a few inputs come out of the oracle, and so do those of misreadings.

use assize_corpus::node::Node;
use assize_corpus::testee::Answer;
use assize_fuzzing::oracles::authority::request;
use assize_inputs::authority::chained;
use assize_oracle::authority;
use assize_oracle::canonical::sha256_hex;
use serde_json::json;

use super::{accepted, number, object, oracle, text};

const INPUTS: &str = r#"{"run_id":"demo-1","seed_text":"Tea timer ☕","pin":{"limit":1e16,"tiny":1e-7,"on":true},
    "policy":{"max_interpretations":2,"max_nodes":10,"max_depth":4,"contradiction_budget":1,"max_steps":9},"ts_base":"T0",
    "interpretations":[
        {"name":"Brew","assumptions":["one cup"],"intent_summary":"Count down minutes"},
        {"name":"Bell","assumptions":["one cup","sound on"],"intent_summary":"Ring once"}]}"#;

#[track_caller]
fn check(json: &str, expected: &str) {
    assert_eq!(authority::hash(json).expect("an answer").as_deref(), Some(expected), "{json}");
}

#[track_caller]
fn check_at(node: &Node, path: &str, expected: &str) {
    assert_eq!(at(node, path).text(), Some(expected), "{path}");
}

/// The value that a path of names and indexes leads to.
#[track_caller]
fn at<'n>(node: &'n Node, path: &str) -> &'n Node {
    path.split('/').filter(|step| !step.is_empty()).fold(node, |node, step| match node {
        Node::Array(items) => &items[step.parse::<usize>().expect("an index")],
        other => other.member(step).unwrap_or_else(|| panic!("no {step} in {other}")),
    })
}

fn run(inputs: &str) -> impl Fn(&str) -> Node {
    accepted(oracle(&request("authority.run", "inputs", inputs)))
}

/// Rulings AU-42, AU-43, AU-45 and AU-46.
#[test]
fn canonical_forms() {
    for (json, expected) in [
        (r#""""#, "12ae32cb1ec02d01eda3581b127c1fee3b0dc53572ed6baf239721a03d82e126"),
        ("{}", "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"),
        ("[]", "4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945"),
        ("null", "74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b"),
        ("true", "b5bea41b6c623f7c09f1bf24dcae58ebab3c0cdd90ad966bc43a45b44867e12b"),
        ("0", "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9"),
        ("-0.0", "c26617c7ccbcaa6631b45d851b8cf56e21d2ca624bdb1193afdbd4b560702cec"),
        ("1e16", "a144838520595009e7daf5aff8472573f9ce6a4bcd8c30673675618883464ab0"),
        (r#""\u2028\u007f\u001f\"\\/""#, "1640e8e5a9a5e5541e318a61def4590d23dec86c281855ab728fa4b233d50e6b"),
        (r#"{"😀":1,"～":2}"#, "676eced5da6311f3e768f35d0921b3e2759791654ea8e5adb3b281c6f405776d"),
    ] {
        check(json, expected);
    }
    for json in ["NaN", "[1e400]", r#"{"a":"\ud800"}"#] {
        assert_eq!(authority::hash(json).expect("an answer"), None, "{json}");
    }
}

/// Ruling AU-10.
#[test]
fn a_ledger_of_two_records() {
    let payload = Node::parse(r#"{"b":[1,1.0],"a":null}"#).unwrap();
    let records = [("t0", payload), ("t1", text("é"))].map(|(ts, payload)| {
        object([("v", number(1)), ("ts", text(ts)), ("kind", text("note")), ("payload", payload)])
    });
    let hash = |text: &str| authority::hash(text).expect("an answer");
    let ledger = chained(&Node::Array(records.to_vec()).canonical(), &hash).expect("an array");
    let ledger = Node::parse(std::str::from_utf8(&ledger).unwrap()).unwrap();
    for (path, expected) in [
        ("0/payload_hash", "096abb37cc9b431c428b2bfa4dd044eda84fc04b022e698b82f3033fa7bb93f8"),
        ("0/record_hash", "4abf9d039faf3cfca121216c009c22d75dd9b1e9fa7986d47819a1d89b28af32"),
        ("1/payload_hash", "f2886017e9c7abacf804b54d64787dce2b611c9544ba21f3affdd126a6e50086"),
        ("1/record_hash", "969676f096c69b14693e9114359585049dd7eefaf6b3e1322eb03ac4c3128874"),
    ] {
        check_at(&ledger, path, expected);
    }
    let chain = oracle(&request("authority.chain", "records", ledger.canonical()));
    assert_eq!(chain, Answer::Accept { out: Default::default() });
}

/// Ruling AU-16.
#[test]
fn proposals_and_commits() {
    let proposal_hash = "a5c91fa306305e55b954372d58cf882960cf4b765c951ff97c84c3469ee2b71f";
    check(r#"{"source":"llm","confidence":0.5,"value":{"a":1}}"#, proposal_hash);
    check(
        r#"{"value":{"a":1},"accepted_from":null}"#,
        "d65189b922bdfbb7f5562fd673d39201b6c62dfe238bcdfb4a165b662c9a5304",
    );
    check(
        &format!(r#"{{"value":{{"a":1}},"accepted_from":"{proposal_hash}"}}"#),
        "0bc41cd16c9807baef551f66ca730d03f5c0c03ec2c2b7062e4ef502b4e23f98",
    );
}

/// Kernel Contract 0.1.0, 2.5; ruling AU-3.
#[test]
fn graphs() {
    let graph = |operations: &str| {
        let mut request = request("authority.dag", "ops", operations);
        request.args.insert("run_id".to_owned(), json!("dag-demo"));
        accepted(oracle(&request))
    };
    check_at(&graph("[]")("dag_root_hash"), "", "106d09310b3afe47c29f25d6be93914bb2f94ada02c60c2f8530c5da065ce815");
    let results = graph(
        r#"[{"node":{"kind":"claim","payload":{"n":1}}},{"node":{"kind":"decision","payload":{"n":2}}},
            {"edge":{"kind":"contradicts","from":0,"to":1}},{"edge":{"kind":"depends_on","from":0,"to":1}}]"#,
    )("results");
    for (path, expected) in [
        ("0/id", "e108071feb1295ce73461f4860ff517c93f7aa1830baa8b7cc584499ca66e07a"),
        ("1/id", "158e574721c9bb9438bdbcb996c0c42efc86e235d258fcc61512a42d8ef3a783"),
        ("2/id", "b960756b442d9da2a91527fadccabc025d64de216e8fb71371697bbddc114a88"),
        ("3/id", "a8b0cc33c692009ddc84e13d9871111521b5d5baddb8336db0fd184dd9581683"),
    ] {
        check_at(&results, path, expected);
    }
}

/// A success: rulings AU-2 to AU-4, AU-16, AU-17 and AU-41.
#[test]
fn the_worked_example() {
    let run = run(INPUTS);
    let records = run("records");
    let seed = concat!(
        r#"{"pin":{"limit":1e+16,"on":true,"tiny":1e-07},"policy_summary":{"contradiction_budget":1,"max_depth":4,"#,
        r#""max_interpretations":2,"max_nodes":10,"max_steps":9},"#,
        r#""seed_hash":"ca29e1a6574979a043518323869ed4321f54bba1a5a83e3bd7b45b1d6f1e3cf4","seed_text":"Tea timer ☕"}"#,
    );
    assert_eq!(at(&records, "0/payload").canonical(), seed);
    check(
        concat!(
            r#"{"kind":"seedpack","parent":null,"#,
            r#""payload_hash":"37f15ec07f81c3605f30cf82a597c33864c1dd69ca7617520a329a7c474d033a","ts":"T0#0000","v":1}"#,
        ),
        "01efd884d8a91d6dfe936ebf165f1a5c0d8f5b014e07bdb39af01b63d3c699d4",
    );
    check(
        &object([
            ("source", text("heuristic")),
            ("confidence", Node::Null),
            ("value", at(&records, "1/payload/interpretations").clone()),
        ])
        .canonical(),
        "5120c3ec0cc67c64f9e6025e32aef24e59cee54848a1af83c06970c9a12c4dbf",
    );
    for (path, expected) in [
        ("0/payload/seed_hash", "ca29e1a6574979a043518323869ed4321f54bba1a5a83e3bd7b45b1d6f1e3cf4"),
        ("0/payload_hash", "37f15ec07f81c3605f30cf82a597c33864c1dd69ca7617520a329a7c474d033a"),
        ("0/record_hash", "01efd884d8a91d6dfe936ebf165f1a5c0d8f5b014e07bdb39af01b63d3c699d4"),
        ("1/payload_hash", "cec1f07c2f7a68e4985e3731f8e939f808f1c15c16f01e44c800f0393a796a1f"),
        ("1/record_hash", "2b154d5e7a34f01625586f3aa36dc1fac17ba606457d6cdb097cc09c448c549d"),
        ("2/payload/commit_hash", "b08c5702174faa7eb3a34bee3946d30fa17f28f7d3c97c286be031b21e78400f"),
        ("2/payload_hash", "5206d416a15c540e9ede36654e142616e00eb37327db1e8d717972f1549edd11"),
        ("2/record_hash", "5c13cbfdbec06210b5dd4db325a3bf04a28043e304f1a50cfabd32b7ee04ad8b"),
        ("3/payload_hash", "79ea5fd20ef1ade303942566683c4315a9f798aa68d4b6e929b911b108c7978c"),
        ("3/record_hash", "3b05c357fffeec12ff79f10b8ebc66a5594caf2cf95fcd378ad1294dd0bd1880"),
        ("4/payload/verification/ledger_last_hash", "3b05c357fffeec12ff79f10b8ebc66a5594caf2cf95fcd378ad1294dd0bd1880"),
        ("4/payload_hash", "f9a1d4cc4611fb4f02bc60ead39de797b60f5d664c8b2b36963e786ce7bcac2b"),
        ("4/record_hash", "28fb3f250daa973314a46e92766bba76685040ea6833f8565e684493382981df"),
    ] {
        check_at(&records, path, expected);
    }
    let dag = run("dag");
    for (path, expected) in [
        ("nodes/0/payload_hash", "1668a063612967d9bf956b4bf7259640702b5e76c51b59c04188ef817e04ed91"),
        ("nodes/0/id", "5d5d09e05f195e187dc5bd2da67997f8f7e9038f80a67e5836023cfed9fa488f"),
        ("nodes/1/payload_hash", "3bd6ebf6038ac87127ef1adf17541ac743c187397a59af42e0880801b51c750a"),
        ("nodes/1/id", "59594efa0b693168ee11663fed61997b70adcfdc6383de1ce4a8d1c2e431e2b2"),
        ("nodes/2/payload_hash", "f1a16efdb6ebec87bccabc071bb6890b61e2f7bbfea9e930f83ce0c0d5184230"),
        ("nodes/2/id", "a6275e9fc20a8375574e9fb71a0a9d354e356029a70265c425b35faec566d2db"),
        ("edges/0/id", "f76f9e6f314e5fbc30ebf65c30f3c030aa474c0412f4afe907fb696a3693ec77"),
        ("edges/1/id", "9912d8d7f547d65bb5c9420d29bbaee258fb783a0ca665fba9cb114901c7d936"),
    ] {
        check_at(&dag, path, expected);
    }
    let replayed = accepted(oracle(&request("authority.replay", "records", records.canonical())));
    for output in [&run, &replayed as &dyn Fn(&str) -> Node] {
        check_at(&output("dag_root_hash"), "", "74c8b1b756ca960b9fe13b4d454c266b467ee3fdf2472fbe3115dfc285531d00");
        check_at(&output("summary_hash"), "", "cea463d173650f8869f6e483f9fed6434b4657103e7bd9e300dc883e2fb81c0f");
    }
    check_at(
        &replayed("artifact_hashes"),
        "blueprint",
        "c8c4dbcec465aac9b5459f9de5ddfab161dde042630372edba4b6ae0bbd15303",
    );
    check(
        &at(&run("artifacts"), "blueprint").canonical(),
        "c8c4dbcec465aac9b5459f9de5ddfab161dde042630372edba4b6ae0bbd15303",
    );
}

/// What the same run gives to who reads it wrongly. None of it is among the run's own hashes.
#[test]
fn the_misreadings() {
    let run = run(INPUTS);
    let (records, dag) = (run("records"), run("dag"));
    let ids = |list: &str, sorted: bool| {
        let Node::Array(items) = at(&dag, list) else { panic!("{list} is not an array") };
        let mut ids: Vec<_> = items.iter().map(|item| at(item, "id").text().expect("an id")).collect();
        if sorted {
            ids.sort_unstable();
        }
        Node::Array(ids.into_iter().map(text).collect())
    };
    let summary = |root: Node| {
        let pack = at(&records, "4/payload/verification");
        object([
            ("ledger_last_hash", run("ledger_last_hash")),
            ("dag_root_hash", root),
            ("artifact_hashes", at(pack, "artifact_hashes").clone()),
        ])
    };
    let empty_root = text("106d09310b3afe47c29f25d6be93914bb2f94ada02c60c2f8530c5da065ce815");
    let commit = object([("value", at(&records, "2/payload/interpretation").clone()), ("accepted_from", Node::Null)]);
    let misread = [
        (commit, "cde08c3efb5398df01af7918360864c952102f7e0195deea9b4fa141c70dfa9c"),
        (
            object([("sorted_node_ids", ids("nodes", true)), ("sorted_edge_ids", ids("edges", true))]),
            "4b91f652d2f282a8e5a02c63a1681904cfaaa957247c32079d727652f497b898",
        ),
        (
            object([("node_ids", ids("nodes", false)), ("edge_ids", ids("edges", false))]),
            "0f2f81dd9082702614d3af71ed3f73617bb5a005424ac1c230606e9afe740a6d",
        ),
        (summary(run("dag_root_hash")), "5068f26d73bfd1315970ba1e805067e02908c8b39a0184cc09400101e22d9f94"),
        (summary(empty_root), "d52cd334a3f923ee3b37c1e92736fd224d91b47fbcae3fbcfe27d0ca73dd506a"),
    ];
    let whole = records.canonical();
    for (value, wrong) in misread {
        check(&value.canonical(), wrong);
        assert!(!whole.contains(wrong), "{wrong}");
    }
    let bare = sha256_hex("Tea timer ☕".as_bytes()).expect("a digest");
    assert_eq!(bare, "659f67b1d3d9705f7b53c1f43930a18d98e3c3b9e9d1301e65270ec4cacaff49");
    assert!(!whole.contains(&bare));
}

/// A refusal: rulings AU-6 and AU-24.
#[test]
fn the_refused_example() {
    let refused = INPUTS
        .replace(r#""contradiction_budget":1"#, r#""contradiction_budget":0"#)
        .replace(r#""max_steps":9"#, r#""max_steps":1"#);
    let run = run(&refused);
    assert_eq!(run("outcome"), text("refusal"));
    assert_eq!((run("summary_hash"), run("dag_root_hash")), (Node::Null, Node::Null));
    let report = at(&run("artifacts"), "refusal").clone();
    assert_eq!(at(&report, "reason_codes").canonical(), r#"["contradictions_exceeded:1>0","max_steps_exceeded:2>1"]"#);
    assert_eq!(
        at(&report, "policy_suggestions").canonical(),
        concat!(
            r#"["Increase contradiction_budget or reduce assumption overlap","#,
            r#""Increase max_steps or reduce exploration depth"]"#
        )
    );
    let records = run("records");
    for (path, expected) in [
        ("0/record_hash", "6f4044c7e35ace17fab9afceadc5d8d315e83378c4a4d0800f0776100900585e"),
        ("1/record_hash", "a75250f14e053be941f4f6169570454ec4738ea011e7469e75194ff0aa1571a2"),
        ("2/record_hash", "7579ef8d30ff095bc01a6a438231286ba776690d176c80a9a108f5eb883277e1"),
    ] {
        check_at(&records, path, expected);
    }
    let replayed = accepted(oracle(&request("authority.replay", "records", records.canonical())));
    assert_eq!(replayed("outcome"), text("refusal"));

    // A source that is assumed wrongly is seen in a commit, and a refusal has none.
    let mut other = request("authority.replay", "records", records.canonical());
    other.args.insert("source".to_owned(), json!("llm"));
    assert!(matches!(oracle(&other), Answer::Accept { .. }));
    let mut other = request("authority.replay", "records", self::run(INPUTS)("records").canonical());
    other.args.insert("source".to_owned(), json!("llm"));
    assert_eq!(oracle(&other), Answer::reject("authority/commit-source"));
}
