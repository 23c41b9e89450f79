//! One emitted project, and what it has to show.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use assize_generators::{
    language::{Bug, Commands, Language, Review},
    plan,
    project::MANIFEST,
};
use serde_json::Value;

use super::{
    Outcomes,
    corpus::{self, Widened},
    repository,
    shell::{Ran, Shell, words},
};

/// The binary under test.
const ASSIZE: &str = env!("CARGO_BIN_EXE_assize");

/// Which failures a suite counts.
pub(crate) const FAIL_ON: &str = "ASSIZE_FAIL_ON";

/// All of them: what is shown here does not rest on what a suite lets pass.
pub(crate) const EVERYTHING: [(&str, &str); 1] = [(FAIL_ON, "remark")];

/// A project on disk.
#[derive(Debug)]
pub(crate) struct Project {
    pub(crate) shell: Shell,
    pub(crate) place: PathBuf,
    pub(crate) commands: Commands,
    definition: Language,
    /// Name of the language.
    language: String,
}

impl Project {
    /// Writes one with `assize init`.
    pub(crate) fn init(definition: &Language, shell: &Shell, place: PathBuf, more: &[&str]) -> Self {
        let argv = words([ASSIZE, "init", shell.name(), place.to_str().unwrap()]);
        Self::written(definition, shell, place, argv, more)
    }

    /// Writes a package that verifies with `assize emit`.
    pub(crate) fn verifier(definition: &Language, shell: &Shell, place: PathBuf, core: &Path) -> Self {
        let argv = words([ASSIZE, "emit", "--what", "verifier", "--lang", shell.name()]);
        let more = ["--core", core.to_str().unwrap(), "--out", place.to_str().unwrap()].map(str::to_owned);
        let more: Vec<&str> = more.iter().map(String::as_str).collect();
        Self::written(definition, shell, place, argv, &more)
    }

    fn written(definition: &Language, shell: &Shell, place: PathBuf, mut argv: Vec<String>, more: &[&str]) -> Self {
        let language = shell.name().to_owned();
        argv.extend(more.iter().map(|word| (*word).to_owned()));
        let parent = place.parent().unwrap();
        fs::create_dir_all(parent).unwrap();
        let ran = shell.run(parent, &argv, &[]);
        assert!(ran.passed, "{language}: {}", ran.end());
        let manifest: Value = serde_json::from_slice(&fs::read(place.join(MANIFEST)).unwrap()).unwrap();
        let commands = serde_json::from_value(manifest["commands"].clone()).unwrap();
        Self { shell: shell.clone(), place, commands, definition: definition.clone(), language }
    }

    /// Fetches what the test framework needs.
    pub(crate) fn set_up(&self) -> Result<(), String> {
        match self.series(&self.commands.setup, &[]) {
            Ran { passed: true, .. } => Ok(()),
            ran => Err(ran.end().to_owned()),
        }
    }

    /// Builds what a suite of one law and the shim also need.
    pub(crate) fn build(&self) {
        let ran = self.series(&self.commands.build, &[]);
        assert!(ran.passed, "{}: it does not build:\n{}", self.language, ran.end());
    }

    /// Runs the cases of these laws, each by the command that the project's own page gives. What was changed has to be built.
    pub(crate) fn laws(&self, laws: &[&str], environment: &[(&str, &str)]) -> Ran {
        let mut all = Ran { passed: true, text: String::new() };
        for law in laws {
            let argv = plan::law_command(&self.definition, &self.definition.config.package.default, law).unwrap();
            let ran = self.shell.run(&self.place, &argv, environment);
            all.passed &= ran.passed;
            all.text.push_str(&ran.text);
        }
        all
    }

    fn series(&self, commands: &[Vec<String>], environment: &[(&str, &str)]) -> Ran {
        let mut text = String::new();
        for argv in commands {
            let ran = self.shell.run(&self.place, argv, environment);
            text.push_str(&ran.text);
            if !ran.passed {
                return Ran { passed: false, text };
            }
        }
        Ran { passed: true, text }
    }

    /// The whole suite, by the ecosystem's own command.
    pub(crate) fn passes(&self) {
        self.build();
        let ran = self.series(&self.commands.test, &EVERYTHING);
        assert!(ran.passed, "{}: the suite fails:\n{}", self.language, ran.end());
    }

    /// Tools that a reviewer may run find nothing; one that is not here is named.
    pub(crate) fn is_reviewed(&self) {
        for Review { probe, command } in &self.definition.config.review {
            if let Some(missing) = self.shell.missing(std::slice::from_ref(probe)) {
                self.shell.say(&format!("not reviewed by {}: {missing} fails here", command.join(" ")));
                continue;
            }
            let ran = self.shell.run(&self.place, command, &[]);
            assert!(ran.passed, "{}: {}:\n{}", self.language, command.join(" "), ran.end());
        }
    }

    /// Running a suite changes no generated file.
    pub(crate) fn is_as_emitted(&self) {
        let ran = self.assize(&["emit", "--check", "--out", "."]);
        assert!(ran.passed, "{}: {}", self.language, ran.end());
    }

    fn assize(&self, more: &[&str]) -> Ran {
        let mut argv = vec![ASSIZE.to_owned()];
        argv.extend(more.iter().map(|word| (*word).to_owned()));
        self.shell.run(&self.place, &argv, &[])
    }

    /// Certifies through the kit, with receipts, both orders and controls; returns every outcome.
    pub(crate) fn certifies(&self, report: &Path, capabilities: &Value) -> Outcomes {
        let folder = report.parent().unwrap();
        let (key, certificate) = (folder.join("key"), folder.join("certificate.json"));
        let statement = folder.join("statement.json");
        let ran = self.assize(&["keygen", key.to_str().unwrap()]);
        assert!(ran.passed, "{}: {}", self.language, ran.end());
        let doctor = words(["doctor", "--timeout", "1800000", "--"]);
        let private = key.with_extension("key");
        let asked = ["certify", "--report", report.to_str().unwrap(), "--statement", statement.to_str().unwrap()];
        // Patient: a cold start on a busy machine says nothing about an implementation.
        let patient = repository("conformance/tests/support/patient.toml");
        let more = ["--config", patient.to_str().unwrap(), "--"];
        let certify = [asked.as_slice(), &more].concat();
        for verb in [doctor, certify.iter().map(|word| (*word).to_owned()).collect()] {
            let argv: Vec<&str> = verb.iter().chain(&self.commands.shim).map(String::as_str).collect();
            let ran = self.assize(&argv);
            assert!(ran.passed, "{}: {}:\n{}", self.language, argv.join(" "), ran.end());
            assert!(!ran.text.contains("takes 1 case at a time"), "{}: no pipelining", self.language);
        }
        let public = key.with_extension("pub");
        let (statement, private) = (statement.to_str().unwrap(), private.to_str().unwrap());
        let ran = self.assize(&["sign", statement, "--key", private, "--output", certificate.to_str().unwrap()]);
        assert!(ran.passed, "{}: {}", self.language, ran.end());
        let ran = self.assize(&[
            "verify-certificate",
            certificate.to_str().unwrap(),
            "--key",
            public.to_str().unwrap(),
            "--require-containment",
            "none",
        ]);
        assert!(ran.passed, "{}: the certificate does not hold: {}", self.language, ran.end());
        let report: Value = serde_json::from_slice(&fs::read(report).unwrap()).unwrap();
        // Said beside the operations, sent by the shim with its hello.
        assert_eq!(report["result"]["testee"]["capabilities"], *capabilities, "{}", self.language);
        outcomes(&report)
    }

    /// Changes the worked example, sees the suite fail with the laws named, and removes the bug again.
    pub(crate) fn catches(&self, bug: &Bug) {
        let planted = Self::init(
            &self.definition,
            &self.shell,
            self.place.with_file_name(format!("planted-{}", bug.name)),
            &["--plant", &bug.name],
        );
        let changed = self.differing(&planted);
        assert_eq!(changed.len(), 1, "{}: {}: {changed:?}", self.language, bug.name);
        let path = self.place.join(&changed[0]);
        let sound = fs::read(&path).unwrap();
        fs::write(&path, fs::read(planted.place.join(&changed[0])).unwrap()).unwrap();
        self.build();
        let ran = self.laws(&bug.laws.iter().map(String::as_str).collect::<Vec<_>>(), &EVERYTHING);
        // What runs next builds first.
        fs::write(&path, sound).unwrap();
        fs::remove_dir_all(&planted.place).unwrap();
        assert!(!ran.passed, "{}: {} is not caught", self.language, bug.name);
        for law in &bug.laws {
            // What a failure prints, and a pass does not: how to see the case.
            let named = ran.text.contains(&format!("assize explain {law}/"));
            assert!(named, "{}: {} fails no case of {law}:\n{}", self.language, bug.name, ran.end());
        }
        self.shell.say(&format!("caught {} at {}", bug.name, bug.laws.join(", ")));
    }

    /// Files of the implementer that differ in another project.
    fn differing(&self, other: &Self) -> Vec<String> {
        let manifest: Value = serde_json::from_slice(&fs::read(other.place.join(MANIFEST)).unwrap()).unwrap();
        let generated = manifest["files"].as_object().unwrap().clone();
        let mut found = Vec::new();
        walk(&other.place, "", &mut |path| {
            let here = fs::read(self.place.join(path)).ok();
            if path != MANIFEST && !generated.contains_key(path) && here != fs::read(other.place.join(path)).ok() {
                found.push(path.to_owned());
            }
        });
        found
    }

    /// A vector that is added to the corpus is asked after an update, with no other edit.
    pub(crate) fn shows(&self, widened: &Widened) {
        self.update(&widened.spec);
        self.fails_on(None, &[corpus::SPEC]);
    }

    /// What fails is said by the environment: a ruling failure is skipped and a remark passes, unless they count.
    pub(crate) fn weighs(&self, widened: &Widened) {
        self.update(&widened.less);
        self.fails_on(None, &[]);
        self.fails_on(Some("spec"), &[]);
        self.fails_on(Some("ruling"), &[corpus::RULING]);
        self.fails_on(Some("remark"), &[corpus::RULING, corpus::CONVENTION]);
        let ran = self.laws(&[corpus::LAW], &[(FAIL_ON, "rulings")]);
        assert!(!ran.passed, "{}: an unknown word in {FAIL_ON} passes", self.language);
        let said = ran.text.contains(FAIL_ON) && ran.text.contains("write");
        assert!(said, "{}: does not say what to write in {FAIL_ON}:\n{}", self.language, ran.end());
    }

    fn update(&self, corpus: &Path) {
        let ran = self.assize(&["emit", "--update", "--corpus", corpus.to_str().unwrap(), "--out", "."]);
        assert!(ran.passed, "{}: {}", self.language, ran.end());
        self.build();
    }

    /// Of the added vectors these fail, and no other case of their law does.
    fn fails_on(&self, least: Option<&str>, failing: &[&str]) {
        let environment: Vec<(&str, &str)> = least.iter().map(|word| (FAIL_ON, *word)).collect();
        let ran = self.laws(&[corpus::LAW], &environment);
        let what = format!("{}: {FAIL_ON} {least:?}", self.language);
        assert_eq!(ran.passed, failing.is_empty(), "{what}, of which {failing:?} fail:\n{}", ran.end());
        for id in [corpus::SPEC, corpus::RULING, corpus::CONVENTION] {
            // What a failure prints, and neither a skipped test nor a remark: how to see the case.
            let named = ran.text.contains(&format!("assize explain {id}"));
            assert_eq!(named, failing.contains(&id), "{what}: {id}:\n{}", ran.end());
        }
    }

    /// Stubs build, and their suite fails because nothing is declared.
    pub(crate) fn declares_nothing(&self) {
        let ran = self.series(&self.commands.setup, &[]);
        assert!(ran.passed, "{}: {}", self.language, ran.end());
        let ran = self.series(&self.commands.build, &[]);
        assert!(ran.passed, "{}: the stubs do not build:\n{}", self.language, ran.end());
        let ran = self.series(&self.commands.test, &[]);
        assert!(!ran.passed, "{}: a suite that asks nothing passes", self.language);
        let said = ran.text.to_lowercase();
        let why = said.contains("nothing is declared") || said.contains("nothing declared");
        assert!(why, "{}: does not say why:\n{}", self.language, ran.end());
    }
}

/// The outcome of each case in a report, and what it weighs where it is not PASS.
pub(crate) fn outcomes(report: &Value) -> Outcomes {
    let cases = report["result"]["cases"].as_array().unwrap().iter();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let outcome = |case: &Value| match case["force"].as_str() {
        Some(force) => format!("{}\t{force}", text(&case["outcome"])),
        None => text(&case["outcome"]),
    };
    cases.map(|case| (text(&case["id"]), outcome(case))).collect::<BTreeMap<_, _>>()
}

fn walk(folder: &Path, prefix: &str, see: &mut dyn FnMut(&str)) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = format!("{prefix}{}", entry.file_name().to_str().unwrap());
        if entry.file_type().unwrap().is_dir() {
            walk(&entry.path(), &format!("{path}/"), see);
        } else {
            see(&path);
        }
    }
}
