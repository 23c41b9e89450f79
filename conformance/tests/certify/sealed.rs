//! A run seals its testee without an option, and says what holds.

use std::{fs, io::Write as _, path::Path, process::Stdio};

use serde_json::Value;

use crate::support::{Ran, program, run_in, sealed, until};

const HARNESS: &str = env!("CARGO_BIN_EXE_assize");

/// What a run says about containment, and how it ended.
fn certify(folder: &Path, options: &[&str], command: &[&str]) -> (Ran, Value) {
    let fixed = ["certify", "--quick", "--filter", "canon/i-json", "--format", "json"];
    let ran = run_in(folder, &[&fixed[..], options, &["--"], command].concat(), b"");
    let containment = ran.json()["run"]["containment"].clone();
    (ran, containment)
}

/// Whether a run was sealed.
#[track_caller]
fn seals(containment: &Value) -> bool {
    sealed(containment["level"].as_str().unwrap(), &containment["missing"])
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
    assert!(said.contains("the testee names it, and will read all of it"), "{said}");
    let (ran, containment) = certify(&work, &["--readable", "../lib"], &command);
    ran.exits(0);
    assert_eq!(containment["level"], "sealed");
    assert!(containment["readable"][0].as_str().unwrap().ends_with("/lib"), "{containment}");
    // One that does not start in any case is not blamed on the seal.
    let (ran, _) = certify(&work, &[], &["sh", "-c", "exit 3"]);
    assert!(!ran.exits(4).json()["result"].to_string().contains("seal"));
}

#[test]
fn a_testee_that_asks_for_a_key_is_not_given_it() {
    let folder = tempfile::tempdir().unwrap();
    let work = folder.path().join("work");
    fs::create_dir(&work).unwrap();
    run_in(folder.path(), &["keygen", "release"], b"").exits(0);
    let key = folder.path().join("release.key");
    fs::write(work.join("main.sh"), format!("cat {} >/dev/null || exit\nexec \"$1\" testee\n", key.display())).unwrap();
    let (ran, containment) = certify(&work, &[], &["sh", "main.sh", HARNESS]);
    if !seals(&containment) {
        return;
    }
    let said = ran.exits(4).json()["result"].to_string();
    assert!(said.contains("give --readable PATH for each folder") && !said.contains("--readable /"), "{said}");
}

/// Where files are named as the subject, what lies beside them is none of it, and cannot be read.
#[test]
fn a_testee_that_lacks_a_file_of_its_own_is_told_which_option_helps() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("main.sh"), ". ./part.sh\n").unwrap();
    fs::write(folder.join("part.sh"), "exec \"$1\" testee\n").unwrap();
    let command = ["sh", "main.sh", HARNESS];
    certify(folder, &["--subject", "main.sh", "--subject", "part.sh"], &command).0.exits(0);
    let (ran, containment) = certify(folder, &["--subject", "main.sh"], &command);
    if !seals(&containment) {
        return;
    }
    ran.exits(4).says(&["give --readable ", ", or --subject PATH for what is its own"]);
}

#[test]
fn known_failures_and_a_corpus_cannot_be_read_in_the_working_folder() {
    let folder = tempfile::tempdir().unwrap();
    let known = "[[failure]]\ncases = [\"canon/i-json/*\"]\noutcome = \"FAULT\"\nreason = \"r\"\nlink = \"the-link\"\n";
    fs::write(folder.path().join("known.toml"), known).unwrap();
    let read = |seal: &[&str]| {
        let options =
            [&["certify", "--filter", "canon/i-json", "--format", "json", "--expectations", "known.toml"], seal]
                .concat();
        run_in(folder.path(), &[&options[..], &["--", "sh", "-c", "cat known.toml >&2"]].concat(), b"").exits(4)
    };
    assert!(read(&["--unsealed"]).text().contains("the-link"));
    let ran = read(&[]);
    if seals(&ran.json()["run"]["containment"]) {
        assert!(!ran.text().contains("the-link"), "{}", ran.text());
    }
}

/// What a shell prints that runs the binary in its own way, with `$0` for the binary.
fn shell(script: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let ran = program("sh").args(["-c", script, HARNESS]).current_dir(folder.path()).output().unwrap();
    String::from_utf8(ran.stdout).unwrap() + &String::from_utf8(ran.stderr).unwrap()
}

#[test]
fn what_the_caller_left_open_is_closed() {
    let run = |options: &str| {
        shell(&format!(
            "echo secret > file; exec 9< file; exec \"$0\" certify --quick --filter canon/i-json {options} -- sh -c 'cat <&9 >&2'"
        ))
    };
    assert!(run("--unsealed").contains("it wrote: secret"));
    assert!(!run("").contains("secret"));
}

/// Where nobody may make a namespace the rules on files are left, and the report says what is missing.
#[test]
fn a_system_without_namespaces_holds_partly() {
    let without = |command: &str| {
        shell(&format!(
            "exec unshare -Ur sh -c 'echo 0 > /proc/sys/user/max_user_namespaces && exec \"$0\" certify --quick --filter canon/i-json {command}' \"$0\""
        ))
    };
    let said = without("--format json -- \"$0\" testee");
    let Ok(report) = serde_json::from_str::<Value>(&said) else {
        let _ = writeln!(std::io::stderr(), "skipped: no system without namespaces can be made here: {said}");
        return;
    };
    let containment = &report["run"]["containment"];
    assert_eq!((&containment["level"], &report["result"]["exit_code"]), (&"partly".into(), &0.into()), "{containment}");
    let missing: Vec<_> = containment["missing"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(missing.contains(&"pid-namespace") && missing.contains(&"no-network"), "{missing:?}");
    if missing.contains(&"landlock") {
        let _ = writeln!(std::io::stderr(), "skipped: this system has no landlock");
        return;
    }
    let spy = format!("-- cat {}", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
    // As an argument it is the testee's own; as a path in a script it is not.
    assert!(without(&spy).contains("[package]"));
    let script = concat!("-- sh -c \"cat ", env!("CARGO_MANIFEST_DIR"), "/Cargo.toml >&2\"");
    let said = without(script);
    assert!(said.contains("Permission denied") && !said.contains("[package]"), "{said}");
}

#[test]
fn a_testee_ends_with_a_harness_that_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let (_, containment) = certify(folder.path(), &[], &[HARNESS, "testee"]);
    if !seals(&containment) {
        return;
    }
    let sleeps = || {
        let all = fs::read_dir("/proc").unwrap().flatten();
        all.filter(|entry| fs::read(entry.path().join("cmdline")).is_ok_and(|line| line == b"sleep\x00126000\x00"))
            .count()
    };
    let mut child = program(HARNESS)
        .args(["certify", "--quick", "--filter", "canon/i-json", "--config", crate::support::PATIENT])
        .args(["--", "sh", "-c", "setsid sleep 126000 & exec cat > /dev/null"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    until(&mut child, "the testee has begun", || sleeps() == 1);
    child.kill().unwrap();
    child.wait().unwrap();
    // Nobody else ends it.
    while sleeps() > 0 {
        std::thread::yield_now();
    }
}

/// A process that sheds its parent, group, environment and output before anybody looks is a child that the harness never started.
#[test]
fn without_a_seal_a_stranger_is_an_orphan() {
    let folder = tempfile::tempdir().unwrap();
    for left in ["sleep 127000", "true"] {
        let script = format!("(setsid env -i {left} < /dev/null > /dev/null 2>&1 &); exec \"$0\" testee");
        let (ran, containment) = certify(folder.path(), &["--unsealed"], &["sh", "-c", &script, HARNESS]);
        let run = ran.exits(1).json()["run"].clone();
        assert_eq!(containment["level"], "partly");
        let orphans: Vec<_> = run["orphans"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        // On a busy machine it is seen before it is what it comes to be, and by its name alone while it changes or when it has ended.
        let program = left.split(' ').next().unwrap();
        let is_left = |orphan: &&str| {
            [left, &format!("env -i {left}"), &format!("setsid env -i {left}")].contains(orphan)
                || ["sh", "setsid", "env", program].map(|name| format!("[{name}]")).iter().any(|name| name == orphan)
                || orphan.starts_with(&format!("sh -c (setsid env -i {left} "))
        };
        assert!(!orphans.is_empty() && orphans.iter().all(is_left), "{orphans:?}");
    }
}
