//! Rules about the right with which an expectation binds.

use super::*;

const SPEC: &str = r#""force":"spec""#;

fn with(force: &str, message: &str) {
    check(BAD_LAW, SPEC, &format!(r#""force":{force}"#), "/force", message);
}

#[test]
fn a_place_is_one_of_an_answer() {
    with(r#"{"/is":"spec","/out/report/none":"interface"}"#, "no answer of the case has the place /out/report/none");
    let mut files = corpus();
    let text = files.get_mut(BAD_LAW).unwrap();
    *text = text.replacen(
        SPEC,
        r#""force":{"/is":"spec","/out/report/status":"interface","/out/*/status":"interface"}"#,
        1,
    );
    assert_eq!(run(files), []);
}

#[test]
fn what_a_force_rests_on_can_be_read() {
    with(
        r#"{"/is":{"spec":{"document":"d","section":"t"}}}"#,
        "/is binds by d, t, which contracts/specs does not list",
    );
    with(r#""ruling NUM-09""#, "there is no such ruling");
    with(r#""ruling NUM-02""#, "the text itself says it");
    with(r#"{"/is":"spec","/out/report":"permitted"}"#, "only one answer is given");
    check_in(SPECS, r#""section":"s""#, r#""section":"t""#, BAD_LAW, "/force", "which contracts/specs does not list");
}

#[test]
fn a_convention_condemns_nobody() {
    with(r#""interface""#, "the verdict binds as a convention alone");
    let mut files = corpus();
    let law = files.get_mut(LAW).unwrap();
    *law = law.replacen(r#""origin":"text""#, r#""origin":"interface""#, 1);
    let text = files.get_mut(BAD_LAW).unwrap();
    *text = text.replacen(SPEC, r#""force":"interface""#, 1);
    assert_eq!(run(files), []);
}

#[test]
fn codes_of_ours_have_no_force_of_their_own() {
    let force = r#""force":{"/is":"spec","/codes":"spec"}"#;
    check(BAD_REFERENCE, SPEC, force, "/force", "no code of the case is registered");
}

#[test]
fn what_an_operation_says_of_all_its_cases_names_its_outputs() {
    let table = "contracts/interface/operations/sovereign.json";
    let finds = |member: &str, place: &str, word: &str, pointer: &str, message: &str| {
        let mut files = corpus();
        let mut operations: serde_json::Value = serde_json::from_str(&files[table]).unwrap();
        let list = operations["operations"].as_array_mut().unwrap();
        let compare = list.iter_mut().find(|operation| operation["name"] == "sovereign.compare").unwrap();
        compare[member] = serde_json::json!({ place: word });
        files.insert(table.to_owned(), operations.to_string());
        expect(&run(files), table, pointer, message);
    };
    finds("force", "/out/none", "interface", "/operations", "has no output at /out/none");
    finds("force", "/out/report", "spec", "/force", "binds by the place of no case");
    finds("force", "/out/report", "ruling NUM-09", "/force", "there is no such ruling");
    finds("closed", "/out/none/x", "all", "/operations", "has no output at /out/none/x");
}
