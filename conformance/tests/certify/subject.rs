//! What ran is what is certified: all files of a testee, before the run and after it.

use std::{fs, io::Write as _, path::Path, sync::LazyLock};

use serde_json::Value;
use tempfile::TempDir;

use super::{ASSIZE, source};
use crate::support::{PATIENT, Ran, run_in};

/// A program that answers, and is not this harness to the byte: one that is bars a statement. Systems that run ELF files skip the padding
/// behind its first nine bytes.
static ANOTHER: LazyLock<String> = LazyLock::new(|| {
    let mut bytes = fs::read(ASSIZE).unwrap();
    assert!(bytes.starts_with(b"\x7fELF"), "written for systems with such programs");
    bytes[15] ^= 1;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let mut half = tempfile::NamedTempFile::new_in(folder).unwrap();
    half.write_all(&bytes).unwrap();
    fs::set_permissions(half.path(), fs::metadata(ASSIZE).unwrap().permissions()).unwrap();
    let path = folder.join("another-harness");
    half.persist(&path).unwrap();
    path.to_str().unwrap().to_owned()
});

/// A testee in two files, of which the command names one.
fn folder(main: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("main.sh"), main).unwrap();
    fs::create_dir(folder.path().join("lib")).unwrap();
    fs::write(folder.path().join("lib/part.sh"), "exec \"$1\" testee\n").unwrap();
    folder
}

/// The second file is called by the first.
const HONEST: &str = ". lib/part.sh\n";

fn certify(folder: &Path, options: &[&str], command: &[&str]) -> Ran {
    let fixed = ["certify", "--config", PATIENT, "--filter", "canon/i-json", "--statement", "s.json"];
    run_in(folder, &[&fixed[..], &["--report", "out.json"], options, &["--"], command].concat(), b"")
}

fn main(folder: &Path, options: &[&str]) -> Ran {
    certify(folder, options, &["sh", "main.sh", &ANOTHER])
}

fn subject(folder: &Path) -> Value {
    let report: Value = serde_json::from_slice(&fs::read(folder.join("out.json")).unwrap()).unwrap();
    report["run"]["command"]["subject"].clone()
}

#[test]
fn a_certificate_binds_every_file_of_the_working_folder() {
    let folder = folder(HONEST);
    let folder = folder.path();
    // Reports, the statement and keys lie in the same folder: what the harness writes is none of the testee's.
    main(folder, &[]).exits(0);
    let first = subject(folder);
    assert_eq!((&first["paths"], &first["files"]), (&serde_json::json!(["."]), &2.into()), "{first}");
    run_in(folder, &["keygen", "mine"], b"").exits(0);
    run_in(folder, &["sign", "s.json", "--key", "mine.key", "--output", "mine.cert"], b"").exits(0);
    for name in ["mine.key", "s.json", "out.json"] {
        fs::remove_file(folder.join(name)).unwrap();
    }
    let keys = tempfile::tempdir().unwrap();
    let (certificate, public) = (keys.path().join("mine.cert"), keys.path().join("mine.pub"));
    fs::rename(folder.join("mine.cert"), &certificate).unwrap();
    fs::rename(folder.join("mine.pub"), &public).unwrap();
    let (certificate, public) = (certificate.to_str().unwrap(), public.to_str().unwrap());
    let repository = source("..");
    let again = || {
        let check = [
            "verify-certificate",
            certificate,
            "--key",
            public,
            "--replay",
            "--readable",
            &repository,
            "--require-containment",
            "none",
        ];
        run_in(folder, &[&check[..], &["--", "sh", "main.sh", &ANOTHER]].concat(), b"")
    };
    again().exits(0).says(&["of all files of its subject", "files             2 of ., 31 bytes"]);
    // The file that the command does not name is another one, and answers the same.
    fs::write(folder.join("lib/part.sh"), "exec  \"$1\" testee\n").unwrap();
    again().exits(1).says(&["/predicate/assize/command/subject/sha256: ", "/predicate/assize/command/subject/bytes: "]);
}

/// The interpreter lies in an installation of its own, with a package that answers.
fn installed() -> TempDir {
    let folder = folder(". ../own/lib/node_modules/part.sh\n");
    for path in ["own/bin", "own/lib/node_modules", "work"] {
        fs::create_dir_all(folder.path().join(path)).unwrap();
    }
    fs::copy("/bin/sh", folder.path().join("own/bin/sh")).unwrap();
    fs::rename(folder.path().join("main.sh"), folder.path().join("work/main.sh")).unwrap();
    fs::rename(folder.path().join("lib/part.sh"), folder.path().join(PART)).unwrap();
    folder
}

const PART: &str = "own/lib/node_modules/part.sh";
fn installed_command() -> [&'static str; 3] {
    ["../own/bin/sh", "main.sh", &ANOTHER]
}

#[test]
fn a_certificate_binds_the_packages_of_a_runtime() {
    let folder = installed();
    let (work, keys) = (folder.path().join("work"), tempfile::tempdir().unwrap());
    certify(&work, &[], &installed_command()).exits(0).says(&["; packages of its runtime: "]);
    let report: Value = serde_json::from_slice(&fs::read(work.join("out.json")).unwrap()).unwrap();
    let runtime = &report["run"]["command"]["runtime"];
    if let Some(why) = runtime["undigested"].as_str() {
        // What lies below /usr/local/lib belongs to it too.
        println!("skipped: the packages of this system are too many: {why}");
        return;
    }
    // There may be others below /usr/local/lib.
    assert!(runtime["paths"].as_array().unwrap().contains(&"node_modules".into()), "{runtime}");
    run_in(keys.path(), &["keygen", "mine"], b"").exits(0);
    let at = |name: &str| keys.path().join(name).to_str().unwrap().to_owned();
    run_in(&work, &["sign", "s.json", "--key", &at("mine.key"), "--output", &at("mine.cert")], b"").exits(0);
    for name in ["s.json", "out.json"] {
        fs::remove_file(work.join(name)).unwrap();
    }
    let repository = source("..");
    let again = || {
        let (cert, key) = (at("mine.cert"), at("mine.pub"));
        let check = [
            "verify-certificate",
            &cert,
            "--key",
            &key,
            "--replay",
            "--readable",
            &repository,
            "--require-containment",
            "none",
            "--",
        ];
        run_in(&work, &[&check[..], &installed_command()].concat(), b"")
    };
    again().exits(0).says(&[
        "of the packages and virtual environments of its runtime",
        "the rest of its runtime and the system's files were not",
        "packages          ",
        "subject           runtime/ sha256 ",
    ]);
    // It answers the same.
    fs::write(folder.path().join(PART), "exec  \"$1\" testee\n").unwrap();
    again().exits(1).says(&["/predicate/assize/command/runtime/sha256: ", "its files are others"]);
}

#[test]
fn packages_that_change_give_no_certificate() {
    let folder = installed();
    fs::write(folder.path().join(PART), "echo >> ../own/lib/node_modules/other\nexec \"$1\" testee\n").unwrap();
    let ran = certify(&folder.path().join("work"), &["--unsealed"], &installed_command());
    ran.exits(3).complains(&["no statement: ", "files of its runtime changed while it ran: ", "node_modules/other"]);
}

/// Half a file of a run that was killed is removed by the next, which must not find its subject changed by that.
#[test]
fn what_a_killed_run_left_is_no_change_of_the_subject() {
    let folder = folder(HONEST);
    let halves = [".assize-out.json-a1B2c3", ".assize-s.json-d4E5f6"].map(|name| folder.path().join(name));
    halves.iter().for_each(|half| fs::write(half, "{").unwrap());
    fs::create_dir(folder.path().join("kept")).unwrap();
    let named = folder.path().join("kept/.assize-run-a1B2c3");
    fs::write(&named, "{").unwrap();
    // The form of a report may stand before its name, and is no part of it.
    main(folder.path(), &["--report", "json:kept/run"]).exits(0);
    assert!(halves.iter().chain([&named]).all(|half| !half.exists()));
    assert!(folder.path().join("kept/run").is_file());
    assert_eq!(subject(folder.path())["files"], 2);
    main(folder.path(), &["--report", "json:kept/run"]).exits(0);
    assert_eq!(subject(folder.path())["files"], 2, "a report is none of the testee's");
}

#[test]
fn a_subject_that_is_named_is_all_that_counts() {
    let folder = folder(HONEST);
    let folder = folder.path();
    main(folder, &["--subject", "lib"]).exits(0);
    let first = subject(folder);
    assert_eq!((&first["paths"], &first["files"]), (&serde_json::json!(["lib"]), &1.into()), "{first}");
    fs::write(folder.join("notes"), "nobody reads this").unwrap();
    main(folder, &["--subject", "lib"]).exits(0);
    assert_eq!(subject(folder), first);
    let gone = main(folder, &["--unsealed", "--subject", "none"]);
    gone.exits(3).complains(&["its subject cannot be digested: ", "none"]);
}

#[test]
fn a_testee_that_can_read_a_key_has_no_certificate() {
    let folder = folder(HONEST);
    let folder = folder.path();
    run_in(folder, &["keygen", "lib/mine"], b"").exits(0);
    let ran = main(folder, &[]).exits(3);
    ran.complains(&["no statement: ", "lib/mine.key: holds a private key", "move it away", "--subject PATH"]);
    assert!(!folder.join("s.json").exists());
    main(folder, &["--subject", "lib/part.sh"]).exits(0);
    fs::remove_file(folder.join("lib/mine.key")).unwrap();
    main(folder, &[]).exits(0);
}

#[test]
fn a_testee_that_changes_its_files_has_no_certificate() {
    for (change, named) in [
        ("echo '#' >> main.sh", "main.sh"),
        ("echo >> lib/part.sh", "lib/part.sh"),
        ("echo > lib/new", "lib/new"),
        ("[ ! -e lib/once ] || rm lib/once", "lib/once"),
    ] {
        let folder = folder(&format!("{change}\n{HONEST}"));
        fs::write(folder.path().join("lib/once"), "").unwrap();
        // Sealed it could not write here.
        let ran = main(folder.path(), &["--unsealed"]);
        ran.exits(3).complains(&["no statement: ", "files of its subject changed while it ran: ", named]);
        assert!(!folder.path().join("s.json").exists(), "{change}");
        assert!(subject(folder.path())["changed"].to_string().contains(named), "{change}");
    }
}

#[test]
fn an_interpreter_alone_is_no_subject() {
    let folder = folder(HONEST);
    let command = format!("exec {ASSIZE} testee");
    let ran = certify(folder.path(), &["--unsealed"], &["sh", "-c", &command]);
    ran.exits(3).complains(&[
        "no statement: ",
        "sh runs other programs, and nothing says which files are this one's",
        "--subject",
    ]);
    certify(folder.path(), &["--unsealed", "--subject", "lib"], &["sh", "-c", &command]).exits(0);
    // A module is named without its ending.
    certify(folder.path(), &["--unsealed"], &["sh", "-c", &command, "lib.part"]).exits(0);
}
