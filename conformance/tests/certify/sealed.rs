//! A run seals its testee without an option, and says what holds.

use std::{fs, io::Write as _, path::Path};

use serde_json::Value;

use crate::support::{Ran, run_in};

const HARNESS: &str = env!("CARGO_BIN_EXE_assize");

/// What a run says about containment, and how it ended.
fn certify(folder: &Path, options: &[&str], command: &[&str]) -> (Ran, Value) {
    let fixed = ["certify", "--quick", "--filter", "canon/i-json", "--format", "json"];
    let ran = run_in(folder, &[&fixed[..], options, &["--"], command].concat(), b"");
    let containment = ran.json()["run"]["containment"].clone();
    (ran, containment)
}

/// Whether a run was sealed; a test that is skipped says so past every filter of the test runner.
fn seals(containment: &Value) -> bool {
    let sealed = containment["level"] == "sealed";
    if !sealed {
        let _ = writeln!(std::io::stderr(), "skipped: this system does not seal, without {}", containment["missing"]);
    }
    sealed
}

#[test]
fn a_testee_is_sealed_without_an_option() {
    let folder = tempfile::tempdir().unwrap();
    let (ran, containment) = certify(folder.path(), &[], &[HARNESS, "testee"]);
    ran.exits(0);
    if seals(&containment) {
        assert_eq!(containment["missing"], serde_json::json!([]));
    }
    let (ran, containment) = certify(folder.path(), &["--unsealed"], &[HARNESS, "testee"]);
    ran.exits(0);
    assert_eq!(containment["level"], "partly");
}

#[test]
fn a_testee_that_lacks_a_folder_is_told_which_option_helps() {
    let folder = tempfile::tempdir().unwrap();
    let work = folder.path().join("work");
    for name in ["work", "lib"] {
        fs::create_dir(folder.path().join(name)).unwrap();
    }
    let settings = folder.path().join("lib/settings");
    fs::write(&settings, "true\n").unwrap();
    fs::write(work.join("main.sh"), format!(". {}\nexec \"$1\" testee\n", settings.display())).unwrap();
    let command = ["sh", "main.sh", HARNESS];
    certify(&work, &["--unsealed"], &command).0.exits(0);
    let (ran, containment) = certify(&work, &[], &command);
    if !seals(&containment) {
        return;
    }
    let said = ran.exits(4).json()["result"].to_string();
    let option = format!("--readable {}", settings.display());
    assert!(said.contains("it is the seal that stops it") && said.contains(&option), "{said}");
    let (ran, containment) = certify(&work, &["--readable", "../lib"], &command);
    ran.exits(0);
    assert_eq!(containment["level"], "sealed");
    assert!(containment["readable"][0].as_str().unwrap().ends_with("/lib"), "{containment}");
    // One that does not start in any case is not blamed on the seal.
    let (ran, _) = certify(&work, &[], &["sh", "-c", "exit 3"]);
    assert!(!ran.exits(4).json()["result"].to_string().contains("seal"));
}

#[test]
fn a_key_and_a_corpus_cannot_be_read_in_the_working_folder() {
    let folder = tempfile::tempdir().unwrap();
    run_in(folder.path(), &["keygen", "me"], b"").exits(0);
    let key = fs::read_dir(folder.path()).unwrap().flatten().map(|entry| entry.file_name().into_string().unwrap());
    let key = key.into_iter().find(|name| !name.ends_with(".pub")).unwrap();
    let spy = format!("cat {key} >&2");
    let read = |seal: &[&str]| {
        let options =
            [&["certify", "--filter", "canon/i-json", "--format", "json", "--certificate", "c", "--key", &key], seal]
                .concat();
        run_in(folder.path(), &[&options[..], &["--", "sh", "-c", &spy]].concat(), b"").exits(4)
    };
    assert!(read(&["--unsealed"]).text().contains("PRIVATE KEY"));
    let ran = read(&[]);
    if seals(&ran.json()["run"]["containment"]) {
        assert!(!ran.text().contains("PRIVATE KEY"), "{}", ran.text());
    }
}
