//! Damage that no home can take is outside of the operation's domain, and no fault of who is asked.

use std::collections::BTreeMap;

use assize_corpus::{
    handler::InProcess,
    testee::{Answer, Request, Testee as _},
};

/// What `kernel.scenario` answers to operations in an empty home.
fn asked(operations: &str) -> Answer {
    let folder = tempfile::tempdir().expect("a folder");
    InProcess.answer(&Request {
        op: "kernel.scenario".to_owned(),
        args: serde_json::Map::new(),
        docs: BTreeMap::from([("operations".to_owned(), operations.as_bytes().to_vec())]),
        root: Some(folder.path().to_owned()),
    })
}

#[test]
fn a_step_that_no_home_can_do_is_none_of_a_scenario() {
    let name = "n".repeat(256);
    for impossible in [
        format!(r#"[{{"op":"write_file","path":"{name}","text":""}}]"#),
        format!(r#"[{{"op":"make_dir","path":"a/{name}"}}]"#),
        r#"[{"op":"write_file","path":"a","text":""},{"op":"make_dir","path":"a/b"}]"#.to_owned(),
        r#"[{"op":"make_dir","path":"a"},{"op":"write_file","path":"a","text":""}]"#.to_owned(),
    ] {
        assert_eq!(asked(&impossible), Answer::reject("A_INPUT"), "{impossible}");
    }
    let possible = format!(r#"[{{"op":"write_file","path":"{}","text":""}}]"#, &name[1..]);
    assert!(matches!(asked(&possible), Answer::Accept { .. }), "{possible}");
}
