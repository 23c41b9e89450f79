//! Each agreement passes and fails, and every mismatch is listed; what each weighs is tested in `weigh`.

use serde_json::json;

use super::*;

fn case(agreement: &str, op: &str, expect: &str, any_of: &str) -> Case {
    let text = format!(
        r#"{{"id":"canon/episode/a","op":"{op}","spec":{{"document":"d","section":"s"}},"force":"spec","rationale":"r",
            "provenance":"hand","expect":{expect},"any_of":{any_of},"agreement":"{agreement}"}}"#
    );
    Case::parse("a.json", text.as_bytes()).unwrap()
}

fn check(agreement: &str, op: &str, expect: &str, answer: &Answer, outcome: Outcome, mismatches: &[&str]) {
    let judgement = judge(&case(agreement, op, expect, "[]"), answer, &Terms::default());
    let found: Vec<_> = judgement.mismatches.iter().map(ToString::to_string).collect();
    assert_eq!((judgement.outcome, found), (outcome, mismatches.iter().map(ToString::to_string).collect()));
}

fn report(text: &str) -> Answer {
    Answer::accept([("report", Output::Doc(text.to_owned()))])
}

const REPORT: &str = r#"{"is":"accept","out":{"report":{"status":"ERROR","mismatches":[{"ordinal":0,"path":"/a"}]}}}"#;

#[test]
fn exact_wants_canonical_bytes() {
    let same = r#"{"mismatches":[{"ordinal":0,"path":"/a"}],"status":"ERROR"}"#;
    check("exact", "sovereign.compare", REPORT, &report(same), Outcome::Pass, &[]);
    let spaced = r#"{"mismatches":[{"ordinal":0,"path":"/a"}], "status":"ERROR"}"#;
    let judgement = judge(&case("exact", "sovereign.compare", REPORT, "[]"), &report(spaced), &Terms::default());
    assert_eq!((judgement.outcome, judgement.mismatches.len()), (Outcome::WrongOutput, 1));
    assert_eq!(judgement.mismatches[0].pointer, "/out/report");
    let unsorted = r#"{"status":"ERROR","mismatches":[{"ordinal":0,"path":"/a"}]}"#;
    assert_eq!(
        judge(&case("exact", "sovereign.compare", REPORT, "[]"), &report(unsorted), &Terms::default()).outcome,
        Outcome::WrongOutput
    );
}

#[test]
fn exact_lists_every_mismatch() {
    let other = r#"{"exit_code":1,"mismatches":[{"ordinal":0.0,"path":"/b"},7],"status":null}"#;
    check(
        "exact",
        "sovereign.compare",
        REPORT,
        &report(other),
        Outcome::WrongOutput,
        &[
            "/out/report/mismatches/0/ordinal: expected 0, got 0.0",
            "/out/report/mismatches/0/path: expected \"/a\", got \"/b\"",
            "/out/report/mismatches/1: expected nothing, got 7",
            "/out/report/status: expected \"ERROR\", got null",
            "/out/report/exit_code: expected nothing, got 1",
        ],
    );
}

#[test]
fn located_looks_at_listed_members() {
    let more = r#"{ "status":"ERROR", "x":1, "mismatches":[{"path":"/a","ordinal":0,"reason_code":null}] }"#;
    check("located", "sovereign.compare", REPORT, &report(more), Outcome::Pass, &[]);
    let longer = r#"{"status":"ERROR","mismatches":[{"path":"/a","ordinal":0},{}]}"#;
    let said = ["/out/report/mismatches/1: expected nothing, got {}"];
    check("located", "sovereign.compare", REPORT, &report(longer), Outcome::WrongOutput, &said);
    let shorter = r#"{"status":"ERROR","mismatches":[]}"#;
    let said = [r#"/out/report/mismatches/0: expected {"ordinal":0,"path":"/a"}, got nothing"#];
    check("located", "sovereign.compare", REPORT, &report(shorter), Outcome::WrongOutput, &said);
}

#[test]
fn a_document_that_is_none_is_a_wrong_output() {
    for text in ["", "{", r#"{"status":1,"status":1}"#, "NaN"] {
        let judgement = judge(&case("located", "sovereign.compare", REPORT, "[]"), &report(text), &Terms::default());
        assert_eq!((judgement.outcome, judgement.mismatches.len()), (Outcome::WrongOutput, 1), "{text}");
    }
    let value = Answer::accept([("report", Output::Value(json!({"status": "ERROR"})))]);
    let said = [
        r#"/out/report: expected {"mismatches":[{"ordinal":0,"path":"/a"}],"status":"ERROR"}, got "an output of kind value, not doc""#,
    ];
    check("located", "sovereign.compare", REPORT, &value, Outcome::WrongOutput, &said);
}

#[test]
fn verdict_looks_at_nothing_else() {
    check("verdict", "sovereign.compare", REPORT, &report("{"), Outcome::Pass, &[]);
    let said = ["/is: expected \"accept\", got \"reject\"", "/codes: expected nothing, got [\"A_JSON\"]"];
    check("verdict", "sovereign.compare", REPORT, &Answer::reject("A_JSON"), Outcome::WrongVerdict, &said);
}

#[test]
fn codes_are_a_set() {
    let expect = r#"{"is":"reject","codes":["A_JSON","A_INPUT"]}"#;
    let both = |codes: &[&str]| Answer::Reject {
        codes: codes.iter().map(ToString::to_string).collect(),
        out: Default::default(),
    };
    for agreement in ["exact", "located"] {
        check(agreement, "canon.bytes", expect, &both(&["A_INPUT", "A_JSON"]), Outcome::Pass, &[]);
        let said = ["/codes: expected [\"A_INPUT\",\"A_JSON\"], got [\"A_JSON\"]"];
        check(agreement, "canon.bytes", expect, &both(&["A_JSON"]), Outcome::WrongCode, &said);
    }
    check("verdict", "canon.bytes", expect, &both(&["A_VALUE"]), Outcome::Pass, &[]);
    let said = ["/is: expected \"reject\", got \"accept\""];
    check("exact", "canon.bytes", expect, &Answer::accept::<String>([]), Outcome::WrongVerdict, &said);
}

#[test]
fn outputs_of_a_rejection_are_compared_too() {
    let expect = r#"{"is":"reject","codes":["ABORT"],"out":{"exception":"TypeError"}}"#;
    let aborted = |exception: &str, code: &str| Answer::Reject {
        codes: [code.to_owned()].into(),
        out: [("exception".to_owned(), Output::Value(json!(exception)))].into(),
    };
    check("exact", "sovereign.compare", expect, &aborted("TypeError", "ABORT"), Outcome::Pass, &[]);
    let wrong = "/out/exception: expected \"TypeError\", got \"KeyError\"";
    check("exact", "sovereign.compare", expect, &aborted("KeyError", "ABORT"), Outcome::WrongOutput, &[wrong]);
    let said = ["/codes: expected [\"ABORT\"], got [\"A_JSON\"]", wrong];
    check("exact", "sovereign.compare", expect, &aborted("KeyError", "A_JSON"), Outcome::WrongCode, &said);
}

#[test]
fn bytes_and_values() {
    let expect = r#"{"is":"accept","out":{"bytes":{"text":"{\"a\":1}"},"sha256":"ab"}}"#;
    let answer = |bytes: &[u8], extra: bool| {
        let mut out = vec![("bytes", Output::Bytes(bytes.to_vec())), ("sha256", Output::Value(json!("ab")))];
        if extra {
            out.push(("more", Output::Value(json!(1))));
        }
        Answer::accept(out)
    };
    check("exact", "canon.bytes", expect, &answer(b"{\"a\":1}", false), Outcome::Pass, &[]);
    check("located", "canon.bytes", expect, &answer(b"{\"a\":1}", true), Outcome::Pass, &[]);
    let said = ["/out/more: expected nothing, got 1"];
    check("exact", "canon.bytes", expect, &answer(b"{\"a\":1}", true), Outcome::WrongOutput, &said);
    let said = [r#"/out/bytes: expected {"text":"{\"a\":1}"}, got {"text":"{}"}"#];
    check("exact", "canon.bytes", expect, &answer(b"{}", false), Outcome::WrongOutput, &said);
    let said = [r#"/out/bytes: expected {"text":"{\"a\":1}"}, got {"base64":"/w=="}"#];
    check("exact", "canon.bytes", expect, &answer(b"\xff", false), Outcome::WrongOutput, &said);
    let missing = Answer::accept([("sha256", Output::Value(json!("ab")))]);
    let said = [r#"/out/bytes: expected {"text":"{\"a\":1}"}, got nothing"#];
    check("located", "canon.bytes", expect, &missing, Outcome::WrongOutput, &said);
}

#[test]
fn what_an_operation_closes_is_compared_as_a_whole() {
    let said = json!({
        "triplets": {"a": ["a"]}, "refs": {"skill:s": []}, "ledger": {}, "objects": ["d"],
        "staged_triplets": {"staging/r/t": {"b": {"stem": "b"}}},
    });
    let expect = json!({"is": "accept", "out": {"view": said}}).to_string();
    let view = |edit: &dyn Fn(&mut serde_json::Value)| {
        let mut view = said.clone();
        edit(&mut view);
        Answer::accept([("view", Output::Value(view))])
    };
    let passes = |edit: &dyn Fn(&mut serde_json::Value)| {
        check("located", "kernel.scenario", &expect, &view(edit), Outcome::Pass, &[]);
    };
    let fails = |edit: &dyn Fn(&mut serde_json::Value), said: &str| {
        check("located", "kernel.scenario", &expect, &view(edit), Outcome::WrongOutput, &[said]);
        check("verdict", "kernel.scenario", &expect, &view(edit), Outcome::Pass, &[]);
    };
    passes(&|_| ());
    fails(&|view| view["triplets"]["z"] = json!(["z"]), r#"/out/view/triplets/z: expected nothing, got ["z"]"#);
    fails(&|view| view["triplets"]["z"] = json!([]), "/out/view/triplets/z: expected nothing, got []");
    fails(
        &|view| view["ledger"]["run"] = json!("turn-0000"),
        r#"/out/view/ledger/run: expected nothing, got "turn-0000""#,
    );
    fails(&|view| view["refs"]["skill:t"] = json!([["z"]]), r#"/out/view/refs/skill:t: expected nothing, got [["z"]]"#);
    fails(&|view| view["refs"]["skill:t"] = json!(null), "/out/view/refs/skill:t: expected nothing, got null");
    fails(
        &|view| view["staged_triplets"]["staging/r/u"] = json!({}),
        "/out/view/staged_triplets/staging~1r~1u: expected nothing, got {}",
    );
    fails(
        &|view| view["staged_triplets"]["staging/r/t"]["z"] = json!({}),
        "/out/view/staged_triplets/staging~1r~1t/z: expected nothing, got {}",
    );
    // A record without sources refers to nothing; what else a kernel shows, and what a staged record holds, is open.
    passes(&|view| view["refs"]["skill:t"] = json!([]));
    passes(&|view| view["staged_triplets"]["staging/r/t"]["b"]["dto_type"] = json!("skill"));
    passes(&|view| view["more"] = json!({"z": 1}));
    // What a case does not list is not looked at, closed or not.
    let alone = r#"{"is":"accept","out":{"view":{"ledger":{}}}}"#;
    check("located", "kernel.scenario", alone, &view(&|_| ()), Outcome::Pass, &[]);
}

#[test]
fn an_entry_too_many_weighs_as_its_place_does() {
    let expect = r#"{"is":"accept","out":{"view":{"triplets":{},"ledger":{},"refs":{}}}}"#;
    let case = case("located", "kernel.scenario", expect, "[]");
    let weight = |view: serde_json::Value| {
        judge(&case, &Answer::accept([("view", Output::Value(view))]), &Terms::default()).force
    };
    assert_eq!(weight(json!({"triplets": {"z": []}, "ledger": {}, "refs": {}})), Some(Weight::Spec));
    assert_eq!(weight(json!({"triplets": {}, "ledger": {}, "refs": {"skill:s": [[]]}})), Some(Weight::Spec));
    assert_eq!(weight(json!({"triplets": {}, "ledger": {"r": "turn-0001"}, "refs": {}})), Some(Weight::Interface));
    assert_eq!(weight(json!({"triplets": {}, "ledger": {}, "refs": {"skill:s": []}})), None);
}

#[test]
fn any_of_passes_and_reports_the_closest() {
    let case = case("exact", "canon.bytes", r#"{"is":"accept"}"#, r#"[{"is":"reject","codes":["A_VALUE"]}]"#);
    assert_eq!(judge(&case, &Answer::reject("A_VALUE"), &Terms::default()).outcome, Outcome::Pass);
    assert_eq!(judge(&case, &Answer::accept::<String>([]), &Terms::default()).outcome, Outcome::Pass);
    assert_eq!(judge(&case, &Answer::reject("A_JSON"), &Terms::default()).outcome, Outcome::WrongCode);
}

#[test]
fn no_judgement_is_no_rejection() {
    let expect = r#"{"is":"reject","codes":["A_JSON"]}"#;
    for agreement in ["exact", "located", "verdict"] {
        let fault = Answer::Fault { kind: "panic".to_owned(), message: "m".to_owned() };
        check(agreement, "canon.bytes", expect, &fault, Outcome::Fault, &[]);
        let unsupported = Answer::Unsupported { feature: "canon.bytes".to_owned() };
        check(agreement, "canon.bytes", expect, &unsupported, Outcome::BrokenPromise, &[]);
    }
}

#[test]
fn mismatches_serialize_with_their_tokens() {
    let mismatch = Mismatch::new("/a", Some(Node::Number("-0".to_owned())), None);
    assert_eq!(serde_json::to_string(&mismatch).unwrap(), r#"{"pointer":"/a","expected":-0}"#);
    assert_eq!(serde_json::to_string(&Outcome::NotApplicable).unwrap(), "\"NOT-APPLICABLE\"");
}
