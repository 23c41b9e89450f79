use serde_json::json;

use super::*;

fn report(text: &str) -> Answer {
    Answer::accept([("report", Output::Doc(text.to_owned()))])
}

fn signature(ours: &Answer, theirs: &Answer) -> Signature {
    Signature::of(ours, &Response::Answer(theirs.clone())).expect("they part")
}

fn places(ours: &Answer, theirs: &Answer) -> Vec<String> {
    signature(ours, theirs).places.iter().map(ToString::to_string).collect()
}

#[test]
fn equal_answers_have_none() {
    let answer = Answer::reject("A_JSON");
    assert_eq!(Signature::of(&answer, &Response::Answer(answer.clone())), None);
    assert_eq!(Signature::of(&answer, &Response::NotRun("later".to_owned())), None);
}

#[test]
fn what_only_the_harness_says_is_a_way_of_its_own() {
    let ours = Answer::accept::<String>([]);
    let way = |response: Response| Signature::of(&ours, &response).unwrap().theirs;
    assert_eq!(way(Response::Crash("exit code 1".to_owned())), Way::Crash);
    assert_eq!(way(Response::Timeout("late".to_owned())), Way::Timeout);
    assert_eq!(way(Response::Protocol("noise".to_owned())), Way::Protocol);
    assert_eq!(way(Response::Answer(Answer::reject("A_JSON"))), Way::Reject(["A_JSON".to_owned()].into()));
    let crash = |note: &str| Signature::of(&ours, &Response::Crash(note.to_owned())).unwrap();
    assert!(crash("exit code 1").is_shown_by(&crash("exit code 2")));
}

#[test]
fn codes_and_verdicts_belong_to_it() {
    let ours = Answer::reject("A_JSON");
    let [value, limit] = ["A_VALUE", "A_LIMIT"].map(|code| signature(&ours, &Answer::reject(code)));
    assert!(!value.is_shown_by(&limit));
    let status = |status: &str| report(&format!(r#"{{"mismatches":[],"status":"{status}"}}"#));
    let [error, divergent] = ["ERROR", "DIVERGENT"].map(|word| signature(&status("EQUIVALENT"), &status(word)));
    assert!(!error.is_shown_by(&divergent));
    assert_eq!(error.theirs, Way::Accept(Some("ERROR".to_owned())));
    assert_eq!(error.places.len(), 1);
}

#[test]
fn an_index_is_no_part_of_a_place_and_a_surface_is() {
    let with = |before: usize, surface: &str, digest: &str| {
        let other = r#"{"surface":"issue","expected_digest":"0"},"#.repeat(before);
        report(&format!(r#"{{"mismatches":[{other}{{"surface":"{surface}","expected_digest":{digest}}}]}}"#))
    };
    let at = |before: usize, surface: &str| signature(&with(before, surface, "\"x\""), &with(before, surface, "\"y\""));
    assert_eq!(at(3, "issue"), at(0, "issue"));
    assert!(!at(0, "issue").is_shown_by(&at(0, "transition")));
    assert_eq!(
        at(1, "issue").places[0].to_string(),
        "/out/report/mismatches/*(issue)/expected_digest: a string against a string"
    );
    assert_ne!(at(0, "issue"), signature(&with(0, "issue", "\"x\""), &with(0, "issue", "null")));
}

#[test]
fn a_missing_element_shifts_nothing() {
    let findings = |laws: &[&str]| {
        let listed: Vec<_> = laws.iter().map(|law| json!({"law": law, "pointer": format!("/{law}")})).collect();
        Answer::accept([("findings", Output::Value(listed.into()))])
    };
    let found = places(&findings(&["episode/a", "episode/b", "episode/c"]), &findings(&["episode/b", "episode/c"]));
    assert_eq!(found, ["/out/findings/*(episode/a): present against absent"]);
    let law = signature(&findings(&["episode/a"]), &findings(&[]))
        .law(&["episode/b".to_owned(), "episode/a".to_owned()])
        == Some("episode/a");
    assert!(law);
}

#[test]
fn a_digest_over_the_rest_counts_only_alone() {
    let with = |id: &str, path: &str| report(&format!(r#"{{"path":"{path}","report_id":"{id}"}}"#));
    assert_eq!(places(&with("1", "a"), &with("2", "b")), ["/out/report/path: a string against a string"]);
    assert_eq!(places(&with("1", "a"), &with("2", "a")), ["/out/report/report_id: a string against a string"]);
}

#[test]
fn the_first_place_stays_and_no_new_one_comes() {
    let with = |members: &str| report(&format!("{{{members}}}"));
    let both = signature(&with(r#""a":1,"b":1,"c":1"#), &with(r#""a":2,"b":2,"c":1"#));
    let first = signature(&with(r#""a":1"#), &with(r#""a":2"#));
    let second = signature(&with(r#""b":1"#), &with(r#""b":2"#));
    let more = signature(&with(r#""a":1,"c":1"#), &with(r#""a":2,"c":2"#));
    assert!(both.is_shown_by(&both) && both.is_shown_by(&first));
    assert!(!both.is_shown_by(&second) && !both.is_shown_by(&more) && !first.is_shown_by(&both));
}
