//! What has no verdict, and what is read although it looks odd.

use super::{
    array, document, ledger, lines,
    made::{Record, sealed, worked},
    run_in, scene,
};

const TASKS: [&str; 3] = ["verify", "replay", "show"];

#[track_caller]
fn is_unreadable(text: &[u8], args: &[&str], says: &[&str]) {
    for task in TASKS {
        let ran = ledger(task, text, args).exits(3).complains(says).complains(&["error: ledger: ", "help: "]);
        assert!(ran.stdout.is_empty(), "{task}");
        let json = ledger(task, text, &[args, &["--format", "json"]].concat()).exits(3);
        assert!(json.stdout.is_empty(), "{task}");
    }
}

#[test]
fn what_is_no_json_is_refused_with_its_place() {
    let good = lines(&worked());
    let first = good.lines().next().unwrap().len() + 1;
    for (text, says) in [
        ("{\"v\":}".to_owned(), "byte 5, line 1, record 0, at /v: unexpected `}`"),
        (format!("{good}{{\"a\":[1,]}}\n"), &*format!("byte {}, line 6, record 5, at /a/1: ", good.len() + 8)),
        (good.replacen("\n", "\n\n \t\n01\n", 1), &*format!("byte {}, line 4, record 1: ", first + 5)),
        (format!("{good}{{"), &*format!("byte {}, line 6, record 5: ends inside", good.len() + 1)),
        (good.replacen('\n', " x\n", 1), &*format!("byte {}, line 1, record 0: something follows", first)),
        (format!("\u{feff}{good}"), "byte 0, line 1, record 0: "),
        ("['a']".to_owned(), "byte 1, line 1, record 0: "),
        (format!("[{}", worked()[0].text()), &*format!("byte {first}, line 1, record 1: ends inside")),
        (
            format!("{}]", array(&worked())),
            &*format!("byte {}, line 8, record 5: something follows", array(&worked()).len()),
        ),
        ("\"\u{1f}\"".to_owned(), "byte 1, line 1, record 0: "),
    ] {
        is_unreadable(text.as_bytes(), &[], &[says]);
    }
    is_unreadable(b"{\"a\":\"\xff\"}", &[], &["byte 6, line 1, record 0"]);
}

#[test]
fn a_broken_record_hides_no_text_that_is_no_json() {
    let mut records = worked();
    records[0].payload = "7".to_owned();
    let broken = lines(&records);
    document("verify", &broken, 1);
    is_unreadable(
        format!("{broken}{{\"a\":1,}}").as_bytes(),
        &[],
        &[&format!("byte {}, line 6, record 5", broken.len() + 7)],
    );
    // Inside of the broken record itself.
    is_unreadable(broken.replacen(":7,", ":7e,", 1).as_bytes(), &[], &["line 1, record 0, at /payload: "]);
}

#[test]
fn a_layout_that_is_asked_for_is_not_guessed() {
    let records = worked();
    is_unreadable(b"{}", &["--layout", "array"], &["JSON, but no array of records", "one JSON array"]);
    is_unreadable(b"", &["--layout", "array"], &["byte 0, line 1, record 0: "]);
    // A line that holds an array is not a record.
    let line = format!("[{}]", records[0].text());
    assert_eq!(document("verify", &line, 0)["chain"]["records"], 1);
    let ran = ledger("verify", &line, &["--layout", "lines"]).exits(1);
    ran.says(&["broken: ledger: record 0: authority/record-shape"]);
}

#[test]
fn of_an_empty_ledger_nothing_is_said_and_it_is_no_run() {
    for text in ["", "\n", " \r\n\t\n", "[]", " [ \n ]\n"] {
        let bytes = if text.len() == 1 { "byte" } else { "bytes" };
        let wanted = format!(
            "nothing judged: ledger: 0 records, {} {bytes}\n  \
             there is no record: a chain without one holds, and so does a ledger that was emptied\n",
            text.len()
        );
        assert_eq!(ledger("verify", text, &[]).exits(3).text(), wanted);
        assert_eq!(document("verify", text, 3)["valid"], false);
        assert_eq!(document("show", text, 0)["records"], serde_json::json!([]));
        ledger("show", text, &[]).exits(0).says(&["record  ts", &wanted]);
        let ran = ledger("replay", text, &[]).exits(1);
        ran.says(&["broken: ledger: record 0: authority/run-records\n", "incomplete"]);
    }
}

#[test]
fn large_numbers_deep_values_and_many_records_are_read() {
    let digits = "9".repeat(4_000);
    let deep = format!("{}{}", "[".repeat(900), "]".repeat(900));
    let mut records = vec![Record::new("t", "note", &digits), Record::new("t", "note", &deep)];
    records.extend((0..20_000).map(|n| Record::new("t", "note", &n.to_string())));
    let records = sealed(records);
    for text in [lines(&records), array(&records)] {
        assert_eq!(document("verify", &text, 0)["chain"]["records"], 20_002);
    }
    assert_eq!(document("show", lines(&records), 0)["records"].as_array().unwrap().len(), 20_002);
    // The last record of many is named as precisely as the first.
    let mut last = records;
    last[20_001].payload = "0".to_owned();
    let found = document("verify", lines(&last), 1);
    assert_eq!(found["breach"]["record"], 20_001);
}

#[test]
fn what_is_no_file_is_unreadable() {
    let folder = scene("");
    for (path, says) in
        [(".", "is a folder, not a file"), ("gone", "gone: cannot be read"), ("g\u{1b}", "g\\u{1b}: cannot")]
    {
        for task in TASKS {
            let ran = run_in(folder.path(), &["ledger", task, path], b"").exits(3).complains(&[says, "help: "]);
            assert!(ran.stdout.is_empty());
        }
    }
}

#[test]
fn standard_input_has_its_name_in_answers() {
    let folder = scene("");
    let at = |task, stdin: &[u8]| run_in(folder.path(), &["ledger", task, "-"], stdin);
    at("verify", lines(&worked()).as_bytes()).exits(0).says(&["valid: standard input: 5 records"]);
    at("replay", lines(&worked()).as_bytes()).exits(0).says(&["success: standard input: run demo-1"]);
    at("show", lines(&worked()).as_bytes()).exits(0).says(&["T0#0004", "valid: standard input: 5 records"]);
    at("show", b"[1").exits(3).complains(&["standard input: byte 2, line 1, record 1: "]);
}
