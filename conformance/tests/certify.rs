//! `certify -- COMMAND`, from the command line: the verifier in another process, the sealed comparator with its shim, known
//! failures, certificates, and unplanned ends.

mod bursts;
mod changed_behaviour;
mod declarations;
mod exit_codes;
mod files;
#[cfg(target_os = "linux")]
mod sealed;
#[cfg(unix)]
mod subject;

use std::{collections::BTreeSet, fs, path::PathBuf};

use crate::support::{Ran, run};
use assize_corpus::{challenge::is_challenge, store::Store, vector::Corpus};
use serde_json::Value;

const ASSIZE: &str = env!("CARGO_BIN_EXE_assize");

/// A file next to the sources.
fn source(path: &str) -> String {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(path).to_str().unwrap().to_owned()
}

/// `certify` with these arguments, on the built-in verifier in another process.
fn piped(args: &[&str]) -> Ran {
    run(&[&["certify", "--config", crate::support::PATIENT], args, &["--", ASSIZE, "testee"]].concat())
}

/// `certify` with these arguments, on the sealed comparator.
fn comparator(args: &[&str], options: &[&str]) -> Ran {
    let shim = source("shims/comparator.py");
    run(&[&["certify", "--config", crate::support::PATIENT], args, &["--", "python3", &shim], options].concat())
}

#[test]
fn behind_a_pipe_the_verifier_answers_as_in_this_process() {
    let inside = run(&["certify", "--seed", "0", "--format", "json"]).exits(0).json();
    let outside = piped(&["--format", "json", "--jobs", "2"]).exits(0).json();
    for part in ["cases", "totals", "levels", "failures", "unrun", "testee", "suite"] {
        assert_eq!(inside["result"][part], outside["result"][part], "{part}");
    }
    let challenges = usize::try_from(outside["result"]["challenges"]["cases"].as_u64().unwrap()).unwrap();
    let corpus = Corpus::load(&Store::embedded()).cases.len();
    assert_eq!(outside["result"]["cases"].as_array().unwrap().len(), corpus + challenges);
    assert!(challenges > corpus / 5);
    let controls = |report: &Value| report["result"]["controls"]["altered"].clone();
    for report in [&inside, &outside] {
        assert_eq!(controls(report)["planted"], controls(report)["caught"]);
        assert!(controls(report)["planted"].as_u64().unwrap() > 100);
    }
    let kinds: Vec<_> = outside["result"]["controls"]["kinds"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(kinds, ["code", "dropped", "late", "output", "repeated", "verdict"]);
    let sessions = outside["run"]["sessions"].as_array().unwrap();
    assert!(sessions.iter().all(|session| session["agreed"] == true), "{sessions:?}");
    assert_eq!(sessions.iter().filter(|session| session["purpose"] == "fresh").count(), 8);
    let served: u64 = sessions.iter().map(|session| session["served"].as_u64().unwrap()).sum();
    assert!(served >= 2 * outside["result"]["totals"]["cases"].as_u64().unwrap());
}

/// What the README prints from a run is what the run prints; the law table is cut there, by a line of dots.
#[test]
fn the_readme_shows_what_certify_prints() {
    let readme = fs::read_to_string(source("../README.md")).unwrap();
    let shown = readme.split("```").find(|block| block.starts_with("\nlaw  ")).unwrap();
    let printed = run(&["certify", "--seed", "0"]).exits(0);
    for line in shown.lines().filter(|line| *line != "...") {
        assert!(
            printed.text().lines().any(|known| known == line),
            "README.md shows a line that is not printed: {line}"
        );
    }
}

/// A testee from before the profile's present name declares the former one, and never hears the other.
#[test]
fn a_testee_is_asked_in_the_spelling_that_it_declares() {
    let shims = source("shims");
    let shim = |profiles: &str| {
        format!(
            "import sys; sys.path.insert(0, {shims:?})\n\
             from atp import accept, base64_text, serve\n\
             import hashlib\n\
             def answer(request):\n    \
                 assert request.args['profile'] in {profiles}, request.args\n    \
                 octets = request.docs['doc']\n    \
                 return accept(bytes=base64_text(octets), sha256=hashlib.sha256(octets).hexdigest())\n\
             serve('old', '1', {{'canon.bytes': {{'profile': {profiles}}}}}, answer)"
        )
    };
    let asked = |profiles: &str| {
        let args = ["certify", "--config", crate::support::PATIENT, "--format", "json"];
        let cases = ["--filter", "canon/episode/array-one", "--filter", "canon/rfc8785/array-one"];
        let report = run(&[&args[..], &cases, &["--", "python3", "-c", &shim(profiles)]].concat()).json();
        let cases = report["result"]["cases"].as_array().unwrap().clone();
        cases.into_iter().map(|case| (case["id"].clone(), case["outcome"].clone())).collect::<Vec<_>>()
    };
    let outcomes = |episode: &str, rfc8785: &str| {
        [("canon/episode/array-one", episode), ("canon/rfc8785/array-one", rfc8785)]
            .map(|(id, outcome)| (Value::from(id), Value::from(outcome)))
    };
    assert_eq!(asked("['jcs']"), outcomes("PASS", "NOT-APPLICABLE"));
    assert_eq!(asked("['episode', 'rfc8785']"), outcomes("PASS", "PASS"));
}

#[test]
fn a_result_does_not_depend_on_jobs_or_on_the_run() {
    let digest = |args: &[&str]| {
        let report = piped(&[&["--format", "json", "--filter", "sovereign/report-identity"], args].concat()).exits(0);
        report.json()["digest"].as_str().unwrap().to_owned()
    };
    let first = digest(&["--jobs", "1"]);
    assert_eq!(first, digest(&["--jobs", "2"]));
    assert_ne!(first, digest(&["--seed", "1"]));
}

#[test]
fn the_comparator_conforms_in_reference_mode() {
    let report = comparator(&["--format", "json", "--level", "comparator-reference"], &[]).exits(0).json();
    let mut levels = report["result"]["levels"].as_array().unwrap().iter();
    let level = levels.find(|level| level["name"] == "comparator-reference").unwrap();
    assert_eq!((level["state"].as_str(), &level["pass"]), (Some("held"), &level["cases"]));
    assert!(level["cases"].as_u64().unwrap() > 1000);
}

#[test]
fn in_law_mode_the_comparator_fails_where_the_errata_say_so() {
    let folder = tempfile::tempdir().unwrap();
    let known = folder.path().join("known.toml");
    fs::write(&known, run(&["errata", "--expectations"]).exits(0).stdout).unwrap();
    let known = known.to_str().unwrap();
    let options = ["--declare", "law"];
    let report = comparator(&["--format", "json", "--mode", "law", "--expectations", known], &options).exits(0).json();
    let result = &report["result"];
    // Where only a convention parts the two, a known failure meets a remark.
    let parting: Vec<&Value> =
        ["failures", "remarks"].iter().flat_map(|list| result[*list].as_array().unwrap()).collect();
    assert!(parting.iter().all(|failure| failure["expectation"] == "expected"));
    // Challenges fail where the cases fail that they were made of, and count apart from those.
    let (made, parting): (Vec<&Value>, Vec<&Value>) =
        parting.into_iter().partition(|failure| is_challenge(failure["id"].as_str().unwrap()));
    assert!(!made.is_empty());
    let failed: BTreeSet<_> = parting.iter().map(|failure| failure["id"].as_str().unwrap()).collect();
    assert_eq!(result["grade"], "violates");
    let errata = run(&["errata", "--format", "json"]).exits(0).json();
    let listed: BTreeSet<_> = errata["errata"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|erratum| erratum["system"] == "sovereign")
        .flat_map(|erratum| erratum["vectors"]["law"].as_array().unwrap())
        .map(|id| id.as_str().unwrap())
        .collect();
    assert_eq!(failed, listed);
    assert!(listed.len() > 700);
    let without = comparator(&["--mode", "law", "--quick"], &options).exits(1);
    let spec = parting.iter().filter(|failure| failure["force"] == "spec").count();
    without.says(&[&format!("violates: {spec} spec failures in ")]);
}

#[test]
fn what_is_not_declared_is_not_applicable() {
    let report = comparator(&["--format", "json", "--quick", "--filter", "sovereign/correspondence"], &[]).json();
    let unrun = report["result"]["unrun"].as_array().unwrap();
    assert!(!unrun.is_empty());
    for case in unrun {
        assert_eq!(case["outcome"], "NOT-APPLICABLE");
        assert!(case["reason"].as_str().unwrap().ends_with("is not declared"), "{case}");
    }
    // Nothing that was asked for can be asked: that is not an answer.
    comparator(&["--quick", "--level", "canonical-form-episode"], &[]).exits(3);
}
