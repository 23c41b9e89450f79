//! How a process starts: what it is given, what a report says about it, and why it may not start.

use std::{ffi::OsString, fs, os::unix::fs::PermissionsExt as _, path::Path};

use assize::testee::process::{Event, Launch};
use assize_verifier::digest::Digest;
use tempfile::TempDir;

use super::{LONG, launch, line, sh, soon, start};

use crate::support::PYTHON;

/// The message of a start that fails.
fn refused(launch: &Launch) -> String {
    launch.start(None).unwrap_err().to_string()
}

/// A folder with a file in it.
fn folder_with(name: &str, text: &str, mode: u32) -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join(name), text).unwrap();
    fs::set_permissions(folder.path().join(name), fs::Permissions::from_mode(mode)).unwrap();
    folder
}

#[test]
fn only_listed_variables_are_handed_on() {
    let mut process = start(&["env"]);
    let mut variables: Vec<_> = (0..7).map(|_| line(&mut process)).collect();
    assert_eq!(process.next(soon()), Event::Eof);
    variables.sort();
    assert!(variables.iter().any(|variable| variable == "LC_ALL=C.UTF-8"), "{variables:?}");
    let names: Vec<_> = variables.iter().map(|variable| variable.split('=').next().unwrap()).collect();
    assert_eq!(names, ["ASSIZE_SESSION", "LANG", "LC_ALL", "PATH", "TEMP", "TMP", "TMPDIR"]);

    let mut listed = launch(&["sh", "-c", "echo $CARGO_MANIFEST_DIR; echo $TMPDIR"]);
    listed.environment.extend(["CARGO_MANIFEST_DIR", "TMPDIR", "NOT_SET_ANYWHERE", "", "A=B"].map(String::from));
    let mut process = listed.start(None).unwrap();
    assert_eq!(line(&mut process), std::env::var("CARGO_MANIFEST_DIR").unwrap(), "cargo sets it");
    assert!(line(&mut process).contains("assize-"), "the scratch folder wins");
    let environment = listed.info().environment;
    assert!(environment.contains(&"CARGO_MANIFEST_DIR".to_owned()) && !environment.contains(&"A=B".to_owned()));
}

#[test]
fn the_scratch_folder_is_empty_at_first_and_gone_at_last() {
    let mut process = sh("echo $TMPDIR; ls -A $TMPDIR | wc -l; echo x > $TMPDIR/file; mkdir $TMPDIR/d; read x");
    let folder = line(&mut process);
    assert_eq!(line(&mut process).trim(), "0");
    assert!(Path::new(&folder).is_dir());
    assert_eq!(process.finish(LONG).described, "exit code 1");
    assert!(!Path::new(&folder).exists());
}

#[test]
fn paths_start_at_the_working_folder() {
    let folder = folder_with("here.sh", "#!/bin/sh\npwd\n", 0o755);
    let mut launch = launch(&["./here.sh"]);
    launch.directory = Some(folder.path().to_owned());
    let mut process = launch.start(None).unwrap();
    assert_eq!(Path::new(&line(&mut process)), folder.path().canonicalize().unwrap());
    let info = launch.info();
    assert_eq!((info.files.len(), info.files[0].argument, info.files[0].name.as_str()), (1, 0, "here.sh"));
    assert_eq!(info.files[0].sha256, Digest::of(b"#!/bin/sh\npwd\n").to_hex());
}

#[test]
fn the_program_and_every_file_among_the_arguments_are_told() {
    let folder = folder_with("shim.py", "print('hi')", 0o644);
    let file = folder.path().join("shim.py").into_os_string().into_string().unwrap();
    let info = launch(&["python3", "-B", &file, "", "/dev/null", "nowhere"]).info();
    let words: Vec<_> = info.files.iter().map(|file| (file.argument, file.name.as_str())).collect();
    assert_eq!(words, [(0, "python3"), (2, "shim.py")]);
    assert_eq!(info.files[1].sha256, Digest::of(b"print('hi')").to_hex());
    assert_eq!(info.argv.len(), 6);
    // A program that is not there is left out; the arguments keep their numbers.
    let info = launch(&["not-there-at-all", &file]).info();
    assert_eq!(info.files.iter().map(|file| file.argument).collect::<Vec<_>>(), [1]);
}

#[test]
fn what_cannot_start_says_what_to_do() {
    let plain = folder_with("plain", "text", 0o644);
    let orphaned = folder_with("tool", "#!/no/such/interpreter\n", 0o755);
    let path = |folder: &TempDir, name: &str| folder.path().join(name).into_os_string().into_string().unwrap();
    for (argv, says) in [
        (vec![], "no command is given"),
        (vec![String::new()], "no command is given"),
        (vec!["not-there-at-all".to_owned()], "no program \"not-there-at-all\" is on the path: install it"),
        (vec!["./not/there".to_owned()], "there is no program at ./not/there: build it"),
        (vec![path(&plain, "plain")], "is not an executable file: make it one (chmod +x)"),
        (vec![path(&plain, "")], "is not an executable file"),
        (vec![path(&orphaned, "tool")], "check that it is built for this system and that the interpreter"),
        (vec!["sh".to_owned(), "a\0b".to_owned()], "cannot be started"),
    ] {
        let mut launch = launch(&[]);
        launch.argv = argv.iter().map(OsString::from).collect();
        let message = refused(&launch);
        assert!(message.contains(says), "{argv:?}: {message}");
    }
    let mut nowhere = launch(&["sh"]);
    nowhere.directory = Some("/not/there".into());
    assert!(refused(&nowhere).starts_with("the working folder /not/there is not there"), "{}", refused(&nowhere));
}

#[test]
fn a_limit_on_cpu_time_ends_a_busy_loop() {
    let mut busy = launch(&["sh", "-c", "while :; do :; done"]);
    busy.cpu_s = Some(1);
    let mut process = busy.start(None).unwrap();
    assert_eq!(process.next(soon()), Event::Eof);
    let ended = process.kill();
    assert_eq!(ended.described, "signal 24 (SIGXCPU: the limit on CPU time)");
}

#[test]
fn a_limit_on_memory_refuses_more() {
    let script = "import sys\nsys.stdin.readline()\ntry: x = bytearray(300 << 20)\nexcept MemoryError: print('refused')\nelse: print(len(x))";
    let run = |memory_mb| {
        let mut greedy = launch(&[PYTHON.to_str().unwrap(), "-c", script]);
        greedy.memory_mb = memory_mb;
        let mut process = greedy.start(None).unwrap();
        process.send(b"go".to_vec());
        line(&mut process)
    };
    assert_eq!((run(Some(200)).as_str(), run(None).as_str()), ("refused", "314572800"));
}

#[test]
fn a_limit_on_files_stops_a_large_one() {
    let mut process = sh("read x; head -c 1100000000 /dev/zero > $TMPDIR/big; echo $?");
    process.send(b"go".to_vec());
    // 128 and the number of SIGXFSZ.
    assert_eq!(line(&mut process), "153");
}
