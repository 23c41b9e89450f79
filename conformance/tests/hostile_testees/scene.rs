//! The folder of one trial: the testee, the keys of a signer, a home, and the harness that is called in it.

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::Stdio,
    sync::OnceLock,
};

use assize_corpus::{
    handler::InProcess,
    store::Store,
    testee::{Answer, Output, Testee as _},
    vector::{Case, Corpus},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::bank::{self, Row, With};

use crate::support::{PYTHON, program};

pub(super) const HARNESS: &str = env!("CARGO_BIN_EXE_assize");
/// What is asked: a law with questions that are to be accepted and others, few enough to be asked often.
const LAW: &str = "canon/i-json";
/// The same of a law whose questions have files.
const LAW_OF_FILES: &str = "sovereign/path-selection";
/// What is written where a limit has to run out in no trial.
const HOURS: u64 = 3_600_000;

/// How a command ended, with all that it said.
#[derive(Debug)]
pub(super) struct Ran {
    pub(super) code: i32,
    pub(super) said: String,
}

/// A folder that is no more when this is dropped.
pub(super) struct Scene {
    folder: TempDir,
    /// What the harness may be told of the testee and its limits, for every command that starts it.
    options: Vec<OsString>,
    /// The testee.
    command: Vec<OsString>,
    filter: &'static str,
}

/// The level of containment of this system.
pub(super) fn containment() -> String {
    let ran = program(HARNESS)
        .args([
            "certify",
            "--quick",
            "--filter",
            "canon/i-json/object-two",
            "--format",
            "json",
            "--",
            HARNESS,
            "testee",
        ])
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&ran.stdout).unwrap();
    report["run"]["containment"]["level"].as_str().unwrap_or_default().to_owned()
}

impl Scene {
    /// Everything that a trial needs, for the program with its trick or without.
    pub(super) fn new(row: &Row, argument: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["subject", "keys", "home", "out", "marks"] {
            fs::create_dir(at(name)).unwrap();
        }
        let (public, private) = keys();
        fs::write(at("keys/bank.key"), private).unwrap();
        fs::write(at("keys/bank.pub"), public).unwrap();
        fs::write(at("home/other.key"), private).unwrap();
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let modules = ["shims/atp.py", "tests/wrong_testees/strict_json.py", "tests/wrong_testees/honest_canonical.py"];
        let own = ["hostile.py", "files.py"].map(|name| bank::folder().join(name));
        let modules = modules.map(|name| here.join(name)).into_iter().chain(own);
        for module in modules {
            fs::copy(&module, at("subject").join(module.file_name().unwrap())).unwrap();
        }
        fs::copy(row.file(), at("subject/main.py")).unwrap();
        let known = json!({"harness": HARNESS, "helper": super::trial::helper()});
        fs::write(at("subject/known.json"), known.to_string()).unwrap();
        if row.has(With::Answers) {
            fs::write(at("subject/answers.json"), answers()).unwrap();
        }
        let padded = row.has(With::PaddedCopyOfTheHarness);
        if (padded || row.has(With::CopyOfTheHarness)) && argument == "trick" {
            fs::copy(HARNESS, at("subject/tool")).unwrap();
            if padded {
                let mut tool = fs::OpenOptions::new().append(true).open(at("subject/tool")).unwrap();
                std::io::Write::write_all(&mut tool, b"\n").unwrap();
            }
        }
        if row.has(With::LinkToTheHarness) && argument == "trick" {
            // Where the folder lies in another file system there is no second name, and a copy is as good.
            fs::hard_link(HARNESS, at("subject/tool"))
                .or_else(|_| fs::copy(HARNESS, at("subject/tool")).map(drop))
                .unwrap();
        }
        if row.has(With::Files) {
            files(here, &at("subject"));
        }
        let mut command: Vec<OsString> =
            [PYTHON.clone().into(), "-B".into(), "-S".into(), "subject/main.py".into(), argument.into()].into();
        if row.has(With::HarnessAsArgument) && argument == "trick" {
            fs::copy(HARNESS, at("out/tool")).unwrap();
            command.push("out/tool".into());
        }
        let scene = Self {
            options: options(row, &at("limits.toml")),
            command,
            filter: if row.has(With::Files) { LAW_OF_FILES } else { LAW },
            folder,
        };
        if row.has(With::ForgedStatement) {
            scene.forge();
        }
        scene
    }

    /// A path in it.
    pub(super) fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The run that is to be certified.
    pub(super) fn certify(&self, challenges: bool) -> Ran {
        let mut words: Vec<OsString> = ["certify", "--filter", self.filter].map(OsString::from).into();
        words.extend(["--statement", "out/s.json", "--report", "out/r.json"].map(OsString::from));
        if !challenges {
            words.extend(["--challenges", "none"].map(OsString::from));
        }
        self.call([&words[..], &self.options, &["--".into()], &self.command].concat())
    }

    /// Signs whatever lies where the statement belongs.
    pub(super) fn sign(&self) -> Ran {
        let words = ["sign", "out/s.json", "--key", "keys/bank.key", "--output", "out/s.cert"];
        self.call(words.map(OsString::from).into())
    }

    /// Checks what was signed, with no option that is not needed; with `again` the run is made again.
    pub(super) fn verify(&self, challenges: bool, again: bool) -> Ran {
        self.check(challenges, again.then_some(&self.command[..]))
    }

    /// The same, with another program in the place of the one that was certified.
    pub(super) fn verify_another(&self, challenges: bool) -> Ran {
        fs::copy(self.at("subject/main.py"), self.at("subject/other.py")).unwrap();
        let words = self
            .command
            .iter()
            .map(|word| if word == "subject/main.py" { "subject/other.py".into() } else { word.clone() });
        let ran = self.check(challenges, Some(&words.collect::<Vec<_>>()));
        fs::remove_file(self.at("subject/other.py")).unwrap();
        ran
    }

    fn check(&self, challenges: bool, again: Option<&[OsString]>) -> Ran {
        let words = ["verify-certificate", "out/s.cert", "--key", "keys/bank.pub"];
        let mut words: Vec<OsString> = words.map(OsString::from).into();
        if !challenges {
            words.push("--allow-known-questions".into());
        }
        if let Some(command) = again {
            words.push("--replay".into());
            // Limits are those of the certificate. Who checks seals, whatever was done before.
            words.extend(self.sealed().into_iter().skip(2));
            words.push("--".into());
            words.extend(command.iter().cloned());
        }
        self.call(words)
    }

    /// Calls the harness as a careless caller does: with the key open, and its path in the environment.
    fn call(&self, words: Vec<OsString>) -> Ran {
        let output = program("sh")
            .args(["-c", "exec 9< keys/bank.key; exec \"$0\" \"$@\"", HARNESS])
            .args(words)
            .current_dir(self.folder.path())
            .env("BANK_KEY", self.at("keys/bank.key"))
            .env("HOME", self.at("home"))
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
        Ran { code: code(output.status), said }
    }

    /// Makes a statement of a sealed run without the trick, as if it were one with it, and puts it where the testee finds it.
    fn forge(&self) {
        let mut words: Vec<OsString> =
            ["certify", "--filter", self.filter, "--challenges", "none", "--statement", "forged.json"]
                .map(OsString::from)
                .into();
        words.extend(self.sealed());
        let (trick, command) = self.command.split_last().unwrap();
        let ran = self.call([&words[..], &["--".into()], command, &["honest".into()]].concat());
        assert_eq!(ran.code, 0, "{}", ran.said);
        let statement = fs::read_to_string(self.at("forged.json")).unwrap();
        fs::write(self.at("forged.json"), statement.replace("honest", trick.to_str().unwrap())).unwrap();
    }

    /// What the harness is told of a testee that it seals.
    fn sealed(&self) -> Vec<OsString> {
        self.options.iter().filter(|word| *word != "--unsealed").cloned().collect()
    }
}

/// How a process ended, as a shell tells it.
fn code(status: std::process::ExitStatus) -> i32 {
    use std::os::unix::process::ExitStatusExt as _;
    status.code().or(status.signal().map(|signal| 128 + signal)).unwrap_or(-1)
}

/// What the harness is told wherever it starts the testee: the subject, whether it is sealed, and limits.
fn options(row: &Row, limits: &Path) -> Vec<OsString> {
    let of = |name: &str| row.limits.get(name).copied();
    let mut text = format!(
        "command = [\"nobody\"]\n[limits]\ncase_ms = {}\nstart_ms = {}\n",
        of("case_ms").unwrap_or(HOURS),
        of("start_ms").unwrap_or(HOURS)
    );
    for (name, value) in row.limits.iter().filter(|(name, _)| !name.ends_with("_ms")) {
        text += &format!("{name} = {value}\n");
    }
    fs::write(limits, text).unwrap();
    let mut options: Vec<OsString> = ["--config", "limits.toml", "--subject", "subject"].map(OsString::from).into();
    if !row.sealed {
        options.push("--unsealed".into());
    }
    options
}

/// A pair of keys; all trials have the same one.
fn keys() -> &'static (Vec<u8>, Vec<u8>) {
    static KEYS: OnceLock<(Vec<u8>, Vec<u8>)> = OnceLock::new();
    KEYS.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let made = program(HARNESS).args(["keygen", "bank"]).current_dir(folder.path()).output().unwrap();
        assert!(made.status.success());
        let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
        (read("bank.pub"), read("bank.key"))
    })
}

/// Every question of the law with its answer, as somebody who has the harness would write them down.
fn answers() -> String {
    let corpus = Corpus::load(&Store::embedded());
    let cases = corpus.cases.values().filter(|case| case.id.starts_with(LAW));
    let row = |case: &Case| {
        let answer = match InProcess.answer(&case.request(None)) {
            Answer::Accept { out } => match out.get("bytes") {
                Some(Output::Bytes(bytes)) => json!({"is": "accept", "bytes": STANDARD.encode(bytes)}),
                _ => json!(null),
            },
            Answer::Reject { codes, .. } => json!({"is": "reject", "codes": codes}),
            _ => json!(null),
        };
        (STANDARD.encode(case.inputs["doc"].bytes()), answer)
    };
    let rows: serde_json::Map<String, Value> = cases.map(row).collect();
    assert!(rows.len() > 60);
    Value::Object(rows).to_string()
}

/// The reader of files: the sealed comparator with what it reads.
fn files(here: &Path, subject: &Path) {
    for (from, to) in [
        ("shims/comparator.py", "conformance/shims/comparator.py"),
        ("../contracts/reference/comparator.py", "contracts/reference/comparator.py"),
        ("../contracts/sovereign/stage-order-v1.json", "contracts/sovereign/stage-order-v1.json"),
        ("../contracts/sealed.json", "contracts/sealed.json"),
    ] {
        let to = subject.join(to);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(here.join(from), to).unwrap();
    }
}
