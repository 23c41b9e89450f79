//! How many questions a testee finds at once.

use std::fs;

use crate::support::{PATIENT, run};

/// Answers nothing but with `unsupported`, and notes how many questions the largest piece of its input held.
const TESTEE: &str = r#"
import json, os, sys

rest, most = b"", 0

def say(frame):
    os.write(1, (json.dumps(frame) + "\n").encode())

while True:
    piece = os.read(0, 1 << 20)
    if not piece:
        sys.exit(0)
    *lines, rest = (rest + piece).split(b"\n")
    frames = [json.loads(line) for line in lines]
    most = max(most, sum(frame["t"] == "case" for frame in frames))
    for frame in frames:
        if frame["t"] == "hello":
            about = {"name": "bursts", "version": "1", "lang": "python"}
            say({"t": "hello", "proto": 1, "testee": about, "ops": {"canon.bytes": {"profile": ["sovereign"]}}, "in_flight": 8})
        elif frame["t"] == "case":
            say({"t": "unsupported", "id": frame["id"], "feature": "all"})
        elif frame["t"] == "ping":
            say({"t": "pong", "n": frame["n"]})
        elif frame["t"] == "bye":
            with open(sys.argv[1], "a") as noted:
                noted.write(f"{most}\n")
            say({"t": "bye", "served": 0, "chain": "0" * 64})
            sys.exit(0)
"#;

#[test]
fn questions_come_together_and_never_more_than_are_allowed() {
    let folder = tempfile::tempdir().unwrap();
    let (testee, noted) = (folder.path().join("testee.py"), folder.path().join("noted"));
    fs::write(&testee, TESTEE).unwrap();
    // It notes what it found outside of its scratch.
    let order =
        ["certify", "--unsealed", "--quick", "--config", PATIENT, "--filter", "canon/sovereign", "--", "python3"];
    let ran = run(&[&order[..], &[testee.to_str().unwrap(), noted.to_str().unwrap()]].concat());
    assert!(ran.text().contains("BROKEN-PROMISE"), "{}", ran.text());
    let most: Vec<usize> = fs::read_to_string(&noted).unwrap().lines().map(|line| line.parse().unwrap()).collect();
    // One process only says hello.
    assert_eq!(most, [0, 8]);
}
