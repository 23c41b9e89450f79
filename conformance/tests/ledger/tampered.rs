//! Ledgers that were cut, extended, reordered, changed, and hashed again.

use serde_json::{Value, json};

use super::{
    array, document, ledger, lines,
    made::{Record, hash, refused, sealed, worked},
};

/// What a change does to the worked example: the first broken record, the member, the law.
struct Change {
    name: &'static str,
    records: Vec<Record>,
    record: usize,
    member: Option<&'static str>,
    law: &'static str,
}

fn change(
    name: &'static str,
    alter: impl FnOnce(&mut Vec<Record>),
    (record, member, law): (usize, Option<&'static str>, &'static str),
) -> Change {
    let mut records = worked();
    alter(&mut records);
    Change { name, records, record, member, law }
}

/// The same, with every hash computed again.
fn forged(
    name: &'static str,
    alter: impl FnOnce(&mut Vec<Record>),
    place: (usize, Option<&'static str>, &'static str),
) -> Change {
    let change = change(name, alter, place);
    Change { records: sealed(change.records), ..change }
}

#[track_caller]
fn is_broken(task: &str, level: &str, change: &Change) -> Value {
    let found = document(task, lines(&change.records), 1);
    let breach = &found["breach"];
    let offset: usize = change.records.iter().take(change.record).map(|record| record.text().len() + 1).sum();
    let seen = (&breach["level"], &breach["record"], &breach["member"], &breach["offset"], &breach["finding"]["law"]);
    let law = format!("authority/{}", change.law);
    let wanted = (&json!(level), &json!(change.record), &json!(change.member), &json!(offset), &json!(law));
    assert_eq!(seen, wanted, "{}: {found}", change.name);
    assert_eq!(found["chain"]["records"], change.records.len(), "{}", change.name);
    // The place is the same after an array's white space, but its offset is not.
    let found = document(task, array(&change.records), 1);
    assert_eq!((&found["breach"]["finding"], &found["breach"]["record"]), (&breach["finding"], &breach["record"]));
    let text = lines(&change.records);
    let told = ledger(task, text, &[]).exits(1);
    let at = change.member.map(|member| format!(", {member}")).unwrap_or_default();
    told.says(&[&format!("broken: ledger: record {}{at}: {law}\n", change.record), &format!("at byte {offset}\n")]);
    breach.clone()
}

#[test]
fn a_chain_breaks_at_the_first_record_that_fails() {
    let integrity = "ledger-integrity";
    for change in [
        change("a payload", |records| records[1].payload = "{}".to_owned(), (1, Some("payload_hash"), integrity)),
        change("a token", |records| records[3].ts = "\"T1#0003\"".to_owned(), (3, Some("record_hash"), integrity)),
        change("a kind", |records| records[0].kind = "7".to_owned(), (0, Some("record_hash"), integrity)),
        change("another type", |records| records[2].v = "1.0".to_owned(), (2, Some("record_hash"), integrity)),
        change("no hash", |records| records[4].payload_hash = "null".to_owned(), (4, Some("payload_hash"), integrity)),
        change("reordered", |records| records.swap(1, 2), (1, Some("parent"), "parent-linkage")),
        change("reversed", |records| records.reverse(), (0, Some("parent"), "parent-linkage")),
        change("the first cut", |records| drop(records.remove(0)), (0, Some("parent"), "parent-linkage")),
        change("one cut out", |records| drop(records.remove(2)), (2, Some("parent"), "parent-linkage")),
        change("one twice", |records| records.push(records[4].clone()), (5, Some("parent"), "parent-linkage")),
        change("two ledgers", |records| records.extend(refused()), (5, Some("parent"), "parent-linkage")),
        change(
            "two faults",
            |records| records.iter_mut().for_each(|record| record.v.push('0')),
            (0, Some("record_hash"), integrity),
        ),
        change(
            "not a number",
            |records| records[3].payload = "[NaN]".to_owned(),
            (3, Some("payload/0"), "canonical-form"),
        ),
        change(
            "too large",
            |records| records[1].payload = "{\"a\":1e400}".to_owned(),
            (1, Some("payload/a"), "canonical-form"),
        ),
        change("half a letter", |records| records[0].ts = "\"\\ud800\"".to_owned(), (0, Some("ts"), "canonical-form")),
    ] {
        let verified = is_broken("verify", "chain", &change);
        assert_eq!(is_broken("replay", "chain", &change), verified, "{}", change.name);
    }
}

#[test]
fn a_wrong_hash_is_shown_beside_the_right_one() {
    let mut records = worked();
    records[1].payload = "[7]".to_owned();
    let stored = records[1].payload_hash.clone();
    let breach = document("verify", lines(&records), 1)["breach"].take();
    let expected = format!("\"{}\"", hash("[7]"));
    assert_eq!((&breach["stored"], &breach["expected"]), (&json!(stored), &json!(expected)));
    ledger("verify", lines(&records), &[]).exits(1).says(&[
        &format!("  stored    {stored}\n  expected  {expected}\n"),
        "  ledger    5 records, ",
        "  help      compare the record and the one before it with another copy",
        "`assize laws authority/ledger-integrity` states the law\n",
    ]);
    let mut records = worked();
    records[2].record_hash = records[2].record_hash.to_uppercase();
    ledger("verify", lines(&records), &[]).exits(1).says(&["record 2, record_hash", "lower-case"]);
    let quiet = ledger("verify", lines(&records), &["--quiet"]).exits(1);
    assert_eq!(quiet.text(), "broken: ledger: record 2, record_hash: authority/ledger-integrity\n");
}

#[test]
fn a_record_has_seven_members() {
    let record = worked()[0].text();
    for (text, member) in [
        ("7".to_owned(), None),
        ("\"x\"".to_owned(), None),
        (record.replace(",\"v\":1", ""), Some("v")),
        (record.replace("\"parent\":null,", ""), Some("parent")),
        (record.replace("\"v\":1", "\"v\":1,\"\u{202e}x\":2"), Some("\u{202e}x")),
    ] {
        let found = document("verify", &text, 1);
        let seen = (&found["breach"]["member"], &found["breach"]["finding"]["law"]);
        assert_eq!(seen, (&json!(member), &json!("authority/record-shape")), "{text}");
        let told = ledger("verify", &text, &[]).exits(1).says(&["a record has seven members: v, ts, kind"]);
        assert!(!told.text().contains('\u{202e}'), "{}", told.text());
    }
}

#[test]
fn spelling_is_no_tampering() {
    let mut records = worked();
    records[0].payload = records[0].payload.replace("1e+16", "10000000000000000.0").replace('☕', "\\u2615");
    let text = lines(&records).replace(",\"v\":1", " , \"v\": 9, \"v\" : 1");
    document("verify", &text, 0);
    document("replay", &text, 0);
}

#[test]
fn what_a_chain_cannot_see_a_replay_does() {
    let records = "run-records";
    for change in [
        forged("cut", |records| drop(records.pop()), (4, None, records)),
        forged("cut to three", |records| records.truncate(3), (2, Some("kind"), records)),
        forged("cut to nothing", |records| records.clear(), (0, None, records)),
        forged("extended", |records| records.push(Record::new("T0#0005", "note", "1")), (5, None, records)),
        forged("a kind", |records| records[2].kind = "\"proposal\"".to_owned(), (2, Some("kind"), records)),
        forged("a token", |records| records[3].ts = "\"T0#3\"".to_owned(), (3, Some("ts"), records)),
        forged("a version", |records| records[1].v = "true".to_owned(), (1, Some("v"), "record-shape")),
        forged("a type", |records| records[4].ts = "4".to_owned(), (4, Some("ts"), "record-shape")),
        forged("a seed", |records| alter(&mut records[0], "Tea", "Pea"), (0, Some("payload/seed_hash"), records)),
        forged(
            "an illegal policy",
            |records| alter(&mut records[0], "\"max_nodes\":10", "\"max_nodes\":0"),
            (0, Some("payload/policy_summary/max_nodes"), "policy-bounds"),
        ),
        forged(
            "a proposal",
            |records| alter(&mut records[1], "\"sound on\"", "\"one cup\""),
            (1, Some("payload/interpretations/1/assumptions/1"), "proposal-boundary"),
        ),
        forged("a budget", |records| alter(&mut records[0], "budget\":1", "budget\":0"), (2, None, "refusal")),
        forged(
            "a winner",
            |records| alter(&mut records[2], "Brew", "Bell"),
            (2, Some("payload/interpretation"), "cost-and-collapse"),
        ),
        forged(
            "an id",
            |records| alter(&mut records[3], "id\":\"f76", "id\":\"076"),
            (3, Some("payload/edges/0"), "dag-ids"),
        ),
        forged(
            "a blueprint",
            |records| alter(&mut records[4], "\"no_cycles\",", ""),
            (4, Some("payload/blueprint/invariants"), "artifact-hashes"),
        ),
        forged(
            "a summary",
            |records| alter(&mut records[4], "cea463d1", "cea463d2"),
            (4, Some("payload/verification/expected_summary_hash"), "summary-hash"),
        ),
    ] {
        // Of a ledger that was cut off altogether, the chain says nothing.
        document("verify", lines(&change.records), if change.records.is_empty() { 3 } else { 0 });
        is_broken("replay", "derivation", &change);
    }
}

fn alter(record: &mut Record, from: &str, to: &str) {
    assert!(record.payload.contains(from), "{from}");
    record.payload = record.payload.replacen(from, to, 1);
}

#[test]
fn what_fails_as_a_run_says_that_the_chain_holds() {
    let mut records = worked();
    records.pop();
    let told = ledger("replay", lines(&records), &[]).exits(1);
    told.says(&["  level     derivation\n", "the chain holds, and this is not the ledger of one whole run"]);
    let mut records = worked();
    alter(&mut records[4], "cea463d1", "cea463d2");
    ledger("replay", lines(&sealed(records)), &[]).exits(1).says(&[
        "stored    \"cea463d2",
        "expected  \"cea463d1",
        "either the run was recorded so, or all hashes were made anew",
    ]);
}
