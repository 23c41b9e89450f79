//! The path of a stranger: from a new project to a signed certificate for one function, as `.ci/first-certificate` walks it.
//!
//! Python alone here, which these tests need in any case and whose project fetches nothing; the script walks the others.

use std::path::Path;

use assize_generators::language::Language;

use crate::support::program;

#[test]
fn one_function_gets_its_certificate_in_a_few_commands() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.ci/first-certificate");
    // Patient: a cold start on a busy machine says nothing about an implementation.
    let patient = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/patient.toml");
    let asked = ["--assize", env!("CARGO_BIN_EXE_assize"), "--config", patient, "python"];
    let ran = program("python3").arg(script).args(asked).output().unwrap();
    let (said, complaint) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    // A language whose toolchain is not here is left out by the script, which must not look like a path that was walked.
    assert!(ran.status.success(), "{said}\n{complaint}");
    for step in
        ["assize keygen", "assize certify", "assize sign", "assize verify-certificate", "python: 4 commands, 7 lines"]
    {
        assert!(said.contains(step), "{step} is missing:\n{said}");
    }
}

#[test]
fn every_language_has_its_path() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../generators/languages");
    for name in Language::names() {
        assert!(folder.join(&name).join("first-certificate.toml").is_file(), "{name}");
    }
}
