//! Operations against a home in memory. Expectations are argued from the rulings, never from what came out.

use super::*;
use crate::files::HomeReader;
use crate::json::{Dialect, Document};
use crate::kernel::{Event, MemoryHome};
use crate::sovereign::contract::{self, Contract};

/// Runs operations, in the spelling `op run turn ...` that [`expand`] writes out, and tells each step in a line.
fn steps(home: &mut MemoryHome, operations: &[&str]) -> Vec<String> {
    let text = format!("[{}]", operations.iter().map(|line| expand(line)).collect::<Vec<_>>().join(","));
    let operations = Elements::read(text.as_bytes(), &Dialect::STRICT).expect("JSON");
    let report = Scenario::read(operations).expect("a scenario").run(home).expect("a home that works");
    report.steps.iter().map(told).collect()
}

/// One operation: JSON as it is, or a short form.
fn expand(line: &str) -> String {
    let words: Vec<_> = line.split(' ').collect();
    match words.as_slice() {
        ["stage", turn, stem, id, links] => format!(
            r#"{{"op":"stage_triplet","run_id":"r","turn_id":"turn-{turn}","stem":"{stem}","body":{{"dto_type":"t","id":"{id}"}},"links":{links},"manifest":{{}}}}"#
        ),
        ["delete", turn, stem] => {
            format!(r#"{{"op":"stage_deletions","run_id":"r","turn_id":"turn-{turn}","stems":["{stem}"]}}"#)
        }
        ["validate", turn, stem] => {
            format!(r#"{{"op":"validate_links","run_id":"r","turn_id":"turn-{turn}","stem":"{stem}"}}"#)
        }
        ["promote", turn] => format!(r#"{{"op":"promote","run_id":"r","turn_id":"turn-{turn}"}}"#),
        ["crash", turn, at] => format!(r#"{{"op":"crash","run_id":"r","turn_id":"turn-{turn}","at":"{at}"}}"#),
        ["refs", id] => format!(r#"{{"op":"read_refs","scope":"committed","ref_type":"t","ref_id":"{id}"}}"#),
        ["finish", rest @ ..] => format!(r#"{{"op":"finish_run","run_id":"r",{}}}"#, rest.join(" ")),
        ["write", path, text] => format!(r#"{{"op":"write_file","path":"{path}","text":"{text}"}}"#),
        ["remove", path] => format!(r#"{{"op":"remove_path","path":"{path}"}}"#),
        _ => line.to_owned(),
    }
}

/// `OUTCOME code@location ...`, information left out.
fn told(step: &Step) -> String {
    let mut line = step.outcome.map_or("-", Outcome::name).to_owned();
    for issue in step.issues.as_slice() {
        if !matches!(issue.code, "I_PROMOTION_PASS") {
            line.push_str(&format!(" {}@{}", issue.code, issue.location));
        }
    }
    line
}

/// The last step alone.
fn last(operations: &[&str]) -> String {
    steps(&mut MemoryHome::default(), operations).pop().expect("a step")
}

/// What a member of the last step says.
fn answered(operations: &[&str], member: &str) -> String {
    let text = format!("[{}]", operations.iter().map(|line| expand(line)).collect::<Vec<_>>().join(","));
    let operations = Elements::read(text.as_bytes(), &Dialect::STRICT).expect("JSON");
    let report = Scenario::read(operations).expect("a scenario").run(&mut MemoryHome::default()).expect("a home");
    let step = report.steps.last().expect("a step");
    let (_, value) = step.members.iter().find(|(name, _)| *name == member).expect("the member");
    String::from_utf8(value.clone()).expect("UTF-8")
}

const TO_X: &str = r#"{"k":{"type":"t","id":"x"}}"#;
const ORPHAN: &str = "FAIL E_LSI_ORPHAN_REFERENCE@/links/k/id";

/// More turns than are known at once: what was forgotten of a staging is read again, and no reference is an orphan for that.
#[test]
fn stagings_that_were_forgotten_are_judged_as_before() {
    let turns = || (1..=300).map(|turn| format!("{turn:04}"));
    let to_z = TO_X.replace('x', "z");
    let staged = turns().flat_map(|turn| [format!("stage {turn} a x {TO_X}"), format!("stage {turn} b y {to_z}")]);
    let validated = turns().flat_map(|turn| [format!("validate {turn} a"), format!("validate {turn} b")]);
    let operations: Vec<_> = staged.chain(validated).collect();
    let operations: Vec<_> = operations.iter().map(String::as_str).collect();
    let told = steps(&mut MemoryHome::default(), &operations);
    let expected: Vec<_> = turns().flat_map(|_| ["PASS", ORPHAN]).collect();
    assert_eq!(told.get(600..).expect("validations"), expected);
}

#[test]
fn a_reference_resolves_to_itself_to_the_staging_and_to_committed() {
    let to_x = &format!("stage 0001 a y {TO_X}");
    assert_eq!(last(&[&format!("stage 0001 a x {TO_X}"), "validate 0001 a"]), "PASS", "itself");
    assert_eq!(last(&[to_x, "stage 0001 b x {}", "validate 0001 a"]), "PASS", "its turn");
    assert_eq!(last(&["stage 0001 b x {}", "promote 0001", &to_x.replace("0001", "0002"), "validate 0002 a"]), "PASS");
    assert_eq!(last(&[to_x, "stage 0002 b x {}", "validate 0001 a"]), ORPHAN, "another turn");
    assert_eq!(last(&[to_x, "validate 0001 a"]), ORPHAN);
    assert_eq!(last(&["validate 0001 a"]), "FAIL E_LSI_ORPHAN_REFERENCE@/ci/schema");
}

#[test]
fn a_staged_record_hides_the_committed_one_and_a_deletion_does() {
    let committed = ["stage 0001 b x {}", "promote 0001"];
    let to_x = format!("stage 0002 a y {TO_X}");
    let then = |more: &[&str]| last(&[&committed[..], &[to_x.as_str()], more, &["validate 0002 a"]].concat());
    assert_eq!(then(&[]), "PASS");
    assert_eq!(then(&["stage 0002 b z {}"]), ORPHAN, "the old body is hidden");
    assert_eq!(then(&["delete 0002 b"]), ORPHAN);
    assert_eq!(then(&["delete 0002 b", "stage 0002 b x {}"]), "PASS", "creation wins");
    assert_eq!(then(&["stage 0002 c x {}", "delete 0002 b"]), "PASS", "another stem carries the identity");
}

#[test]
fn damaged_records_are_located() {
    let staged = format!("stage 0001 a y {TO_X}");
    let record = "index/staging/r/turn-0001/triplets/a.json";
    let damaged = |text: &str| last(&[&staged, &format!("write {record} {text}"), "validate 0001 a"]);
    assert_eq!(damaged("no"), format!("FAIL E_LSI_CORRUPT_RECORD@/{record}"));
    assert_eq!(damaged("{}"), "FAIL E_LSI_CORRUPT_RECORD@/manifest");
    assert_eq!(damaged(r#"{\"links_digest\":\"no-digest\"}"#), "FAIL E_LSI_CORRUPT_RECORD@/links");
    assert_eq!(
        last(&[&staged, "remove index/staging/r/turn-0001/objects", "validate 0001 a"]),
        "FAIL E_LSI_CORRUPT_RECORD@/links"
    );
    assert_eq!(
        last(&[&staged, &format!("write {record} no"), "promote 0001"]),
        format!("FAIL E_LSI_CORRUPT_RECORD@/{record}")
    );
    let ledger = "index/committed/index/run_ledger.json";
    assert_eq!(
        last(&[&staged, &format!("write {ledger} {{}}"), "promote 0001"]),
        format!("FAIL E_LSI_CORRUPT_RECORD@/{ledger}")
    );
    let reference = "index/committed/refs/by_id/t/q.json";
    assert_eq!(
        last(&[&staged, &format!("write {reference} []"), "promote 0001"]),
        format!("FAIL E_LSI_CORRUPT_RECORD@/{reference}"),
        "a record that this promotion would not touch"
    );
    assert_eq!(
        last(&[&format!("write {reference} []"), "promote 0001"]),
        format!("FAIL E_LSI_CORRUPT_RECORD@/{reference}"),
        "nor would one that promotes nothing"
    );
    let folder = format!(r#"{{"op":"make_dir","path":"{reference}"}}"#);
    assert_eq!(last(&[&staged, &folder, "promote 0001"]), format!("FAIL E_LSI_CORRUPT_RECORD@/{reference}"));
}

#[test]
fn what_stands_in_the_way_of_a_staging_is_damage() {
    let triplets = "index/staging/r/turn-0001/triplets";
    for (way, operation, place) in [
        (format!(r#"{{"op":"make_dir","path":"{triplets}/a.json"}}"#), "stage 0001 a x {}", "a.json"),
        (format!(r#"{{"op":"make_dir","path":"{triplets}/a.tombstone.json"}}"#), "delete 0001 a", "a.tombstone.json"),
        (format!("write {triplets}/a no"), "stage 0001 a/b x {}", "a/b.json"),
    ] {
        assert_eq!(last(&[&way, operation]), format!("FAIL E_LSI_CORRUPT_RECORD@/{triplets}/{place}"));
    }
}

#[test]
fn the_damage_of_another_stem_is_told_unless_the_turn_hides_it() {
    let other = "index/committed/triplets/b.json";
    let to_x = format!("stage 0002 a x {TO_X}");
    let then = |more: &[&str]| {
        let before = ["stage 0001 b x {}", "promote 0001", &format!("write {other} no"), &to_x];
        last(&[&before[..], more, &["validate 0002 a"]].concat())
    };
    assert_eq!(then(&[]), format!("FAIL E_LSI_CORRUPT_RECORD@/{other}"), "although the target is its own");
    assert_eq!(then(&["stage 0002 b z {}"]), "PASS", "a staged record hides it");
    let tombstone = "write index/staging/r/turn-0002/triplets/b.tombstone.json {}";
    assert_eq!(then(&[tombstone]), "PASS", "a deletion does");
    let refused = ["stage 0001 b x {}", "promote 0001", &format!("write {other} no"), "delete 0002 b"];
    assert_eq!(last(&refused), format!("FAIL E_LSI_CORRUPT_RECORD@/{other}"), "whose identity nobody can tell");
}

#[test]
fn promotion_prunes_by_stem_and_tells_of_several_sources() {
    let both = [&*format!("stage 0001 a y {TO_X}"), &*format!("stage 0001 b x {TO_X}"), "promote 0001"];
    assert_eq!(last(&both), "PASS I_REF_MULTISOURCE@/index/refs/by_id/t/x");
    let then = |more: &[&str]| {
        let sources = answered(&[&both[..], more, &["promote 0002", "refs x"]].concat(), "sources");
        ["a", "b"].map(|stem| sources.matches(&format!("\"stem\":\"{stem}\"")).count())
    };
    assert_eq!(then(&[]), [1, 1], "an empty turn changes nothing");
    assert_eq!(then(&["stage 0002 a y {}"]), [0, 1]);
    assert_eq!(then(&["delete 0002 b"]), [1, 0]);
    assert_eq!(then(&["delete 0002 a", "delete 0002 b"]), [0, 0]);
    assert_eq!(then(&["stage 0002 a y {\"k\":[{\"type\":\"t\",\"id\":\"x\"},{\"type\":\"t\",\"id\":\"x\"}]}"]), [2, 1]);
}

#[test]
fn deletions_are_promoted_by_lawful_tombstones_alone() {
    let committed = ["stage 0001 a/b x {}", "promote 0001", "delete 0002 a/b"];
    let stems = [&committed[..], &["promote 0002"]].concat();
    assert_eq!(answered(&stems, "promoted_stems"), r#"["a/b"]"#);
    let place = "/index/staging/triplets/a~1b.tombstone.json";
    for (stem, turn, told) in [
        ("a/b", "turn-0002", "PASS".to_owned()),
        ("/a/b", "turn-0002", "PASS".to_owned()),
        ("c", "turn-0002", format!("FAIL E_TOMBSTONE_STEM_MISMATCH@{place}/stem")),
        ("a/b", "turn-0001", format!("FAIL E_TOMBSTONE_INVALID@{place}/deleted_by_turn_id")),
        ("", "turn-0002", format!("FAIL E_TOMBSTONE_INVALID@{place}")),
    ] {
        let tombstone = format!(
            r#"{{"op":"write_file","path":"index/staging/r/turn-0002/triplets/a/b.tombstone.json","text":"{{\"kind\":\"tombstone\",\"stem\":\"{stem}\",\"dto_type\":\"t\",\"id\":\"x\",\"deleted_by_turn_id\":\"{turn}\"}}"}}"#
        );
        assert_eq!(last(&[&committed[..], &[tombstone.as_str(), "promote 0002"]].concat()), told, "{stem} {turn}");
    }
}

#[test]
fn a_stop_leaves_the_old_state_before_the_switch_and_the_new_one_behind_it() {
    for (at, found) in [
        ("build", "null"),
        ("before-switch", "null"),
        ("between-renames", "turn-0001"),
        ("after-switch", "turn-0001"),
        ("before-cleanup", "turn-0001"),
    ] {
        let crash = format!("crash 0001 {at}");
        let read = r#"{"op":"read_triplet","scope":"committed","stem":"a"}"#;
        let record = answered(&["stage 0001 a x {}", &crash, read], "record");
        assert!(record.contains(found), "{at}: {record}");
        let again = last(&["stage 0001 a x {}", &crash, "promote 0001"]);
        let expected = if found == "null" {
            "PASS".to_owned()
        } else {
            "FAIL E_LSI_PROMOTION_FAILED@/index/committed/index/run_ledger.json".to_owned()
        };
        assert_eq!(again, expected, "{at}");
    }
}

#[test]
fn the_end_of_a_run_promotes_in_order_or_discards() {
    let staged = ["stage 0001 a x {}", "stage 0002 b y {}"];
    let finish = |how: &str| answered(&[&staged[..], &[&format!("finish {how}")]].concat(), "promoted_turns");
    assert_eq!(finish(r#""outcome":"PASS","commit":true"#), r#"["turn-0001","turn-0002"]"#);
    assert_eq!(finish(r#""outcome":"PASS","commit":false"#), "[]");
    assert_eq!(finish(r#""outcome":"FAIL","commit":true"#), "[]");
    for (keep, left) in [("true", 2), ("false", 0)] {
        let mut home = MemoryHome::default();
        let finish = format!(r#"finish "outcome":"FAIL","commit":true,"keep_evidence":{keep}"#);
        steps(&mut home, &[&staged[..], &[&finish]].concat());
        assert_eq!(home.list("index/staging/r").map_or(0, |turns| turns.len()), left);
    }
    // Turn 3 does not follow turn 1: turn 1 stays promoted.
    let gap = ["stage 0001 a x {}", "stage 0003 b y {}", r#"finish "outcome":"PASS","commit":true"#];
    assert!(last(&gap).starts_with("FAIL E_LSI_PROMOTION_FAILED@"));
    assert_eq!(answered(&gap, "promoted_turns"), r#"["turn-0001"]"#);
}

#[test]
fn refused_tokens_write_nothing() {
    for (operation, place) in [
        ("stage 0001 a/../b x {}", "/stem"),
        ("stage 1 a x {}", "/turn_id"),
        (r#"{"op":"promote","run_id":"","turn_id":"turn-0001"}"#, "/run_id"),
        ("delete 0001 ..", "/stem"),
        (r#"{"op":"stage_deletions","run_id":"r","turn_id":"turn-0001","stems":["..","a",""]}"#, "/stem"),
        ("validate 0001 .", "/stem"),
    ] {
        let mut home = MemoryHome::default();
        let told = steps(&mut home, &[operation]);
        assert_eq!(told, [format!("FAIL E_BASE_SHAPE_INVALID_MANIFEST_VALUE@{place}")], "{operation}");
        assert_eq!(home, MemoryHome::default(), "{operation}");
    }
    let mut home = MemoryHome::default();
    let told = steps(&mut home, &[r#"stage 0001 a x {"k":[0,1.5]}"#]);
    assert_eq!(told, ["FAIL E_CANONICALIZATION_ERROR@/links/k/1"]);
    assert_eq!(home, MemoryHome::default());
}

#[test]
fn a_full_disk_fails_the_promotion_and_nothing_else() {
    let mut home = MemoryHome::default();
    steps(&mut home, &["stage 0001 a x {}"]);
    let staged = home.clone();
    home.set_room(Some(10));
    assert_eq!(steps(&mut home, &["promote 0001"]), ["FAIL E_LSI_PROMOTION_FAILED@/index/committed"]);
    home.set_room(None);
    assert_eq!(home, staged);
    assert_eq!(steps(&mut home, &["promote 0001"]), ["PASS"]);
}

#[test]
fn a_turn_that_fails_leaves_nothing_of_itself() {
    let turn = |input: &str| {
        format!(
            r#"{{"op":"execute_turn","request":{{"contract_version":"kernel_api/v1","run_handle":{{"run_id":"r"}},"turn_id":"turn-0001","turn_input":{input}}}}}"#
        )
    };
    let triplet = |links: &str| {
        format!(r#""stage_triplet":{{"stem":"a","body":{{"dto_type":"invocation","id":"inv:one"}},"links":{links}}}"#)
    };
    let lawful = r#"{"skill":{"type":"skill","id":"s","relationship":"declares"}}"#;
    for (input, told) in [
        (format!("{{{}}}", triplet("{}")), "PASS".to_owned()),
        (format!("{{{}}}", triplet("[]")), "FAIL E_BASE_SHAPE_INVALID_LINKS_VALUE@/links".to_owned()),
        (format!("{{{}}}", triplet(lawful)), "FAIL E_LSI_ORPHAN_REFERENCE@/links/skill/id".to_owned()),
        (
            format!(r#"{{"tool_call":{{"action":"write"}},{}}}"#, triplet("{}")),
            "FAIL E_CAPABILITY_DENIED@/capabilities/decisions/0".to_owned(),
        ),
        (
            format!(r#"{{"tool_call":{{"action":"write"}},{}}}"#, triplet("{}").replace("\"a\"", "\"..\"")),
            "FAIL E_BASE_SHAPE_INVALID_MANIFEST_VALUE@/stem".to_owned(),
        ),
        ("{}".to_owned(), "PASS".to_owned()),
        ("[]".to_owned(), "FAIL E_BASE_SHAPE_INVALID_MANIFEST_VALUE@/turn_input".to_owned()),
    ] {
        let mut home = MemoryHome::default();
        assert_eq!(steps(&mut home, &[&turn(&input)]), [told.as_str()], "{input}");
        let staged = home.below("index/staging").next().is_some();
        assert_eq!(staged, told == "PASS" && input != "{}", "{input}");
    }
}

#[test]
fn every_turn_result_is_one_by_its_contract() {
    let ask = |request: &str| {
        let operation = format!(r#"{{"op":"execute_turn","request":{{{request}}}}}"#);
        answered(&["stage 0001 b y {}", &operation], "turn_result")
    };
    let turn = |input: &str| {
        format!(
            r#""contract_version":"kernel_api/v1","run_handle":{{"run_id":"r"}},"turn_id":"turn-0001","turn_input":{input}"#
        )
    };
    // printf '[{...the record of b...}]' | sha256sum, as the turn finds it; printf '{}' | sha256sum.
    let (found, empty) = (
        "9bfef131380a75df793f45edca869ea606835d230f100d6a7eb04e855cffbd3a",
        "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
    );
    let (nothing, none) = ("0".repeat(64), "4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945");
    for (request, mode, state, inputs) in [
        (String::new(), "enabled", none, Some(nothing.as_str())),
        (turn("{}"), "enabled", found, Some(empty)),
        (turn("{}").replace("turn-0001", "turn-1"), "enabled", none, Some(empty)),
        (turn("{}").replace("kernel_api/v1", "kernel_api/v2"), "enabled", found, Some(empty)),
        (turn(r#"{"n":1.5}"#), "enabled", found, Some(nothing.as_str())),
        (turn(r#"{"context":{"capability_enforcement":false}}"#).replace("turn-0001", "1"), "disabled", none, None),
        (turn(r#"{"context":{"capability_enforcement":false}}"#), "disabled", found, None),
        (turn(r#"{"context":{"capability_enforcement":false},"tool_call":{}}"#), "disabled", found, None),
        (turn(r#"{"tool_call":{}}"#), "enabled", found, None),
    ] {
        let result = ask(&request);
        contract::check(Contract::TurnResult, result.as_bytes()).expect(&request);
        assert!(result.contains(&format!(r#""mode":"{mode}""#)), "{request}: {result}");
        assert!(result.contains(r#""prior_state_digest":null"#), "{request}: {result}");
        assert!(result.contains(&format!(r#""proposed_state_digest":"{state}""#)), "{request}: {result}");
        if let Some(inputs) = inputs {
            assert!(result.contains(&format!(r#""inputs_digest":"{inputs}""#)), "{request}: {result}");
        }
    }
}

#[test]
fn events_of_a_turn_are_events() {
    let links = r#"{"skill":{"type":"skill","id":"s"}, "it's\u2028\"a\"": 1}"#;
    let operation = format!(
        r#"{{"op":"execute_turn","request":{{"contract_version":"kernel_api/v1","run_handle":{{"run_id":"r"}},"turn_id":"turn-0001","turn_input":{{"stage_triplet":{{"stem":"invocation","body":{{}},"links":{links}}}}}}}}}"#
    );
    let result = answered(&[&operation], "turn_result");
    let document = Document::parse(result.as_bytes(), &Dialect::STRICT).expect("JSON");
    let events = document.root().get("events").expect("events");
    let lines: Vec<_> = events.elements().filter_map(|line| Some(line.as_string()?.to_str()?.to_owned())).collect();
    let places: Vec<_> = lines.iter().map(|line| Event::parse(line.as_bytes()).expect("an event").location).collect();
    assert_eq!(places, [r#"/links/it's\u2028"a""#, r#"/links/it's\u2028"a""#]);
}
