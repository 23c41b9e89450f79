//! What the bank says about its testees, and whether it says it about all of them.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use serde::Deserialize;

use crate::support::program;

/// One testee, as `bank.py --list` prints it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Testee {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) plants: String,
    pub(crate) caught_by: CaughtBy,
}

/// What kind of fault is planted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    Honest,
    Harmless,
    Canonical,
    Comparison,
    Conduct,
    Kernel,
}

/// What has to catch it, as it is written.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct CaughtBy {
    pub(crate) laws: Vec<String>,
    pub(crate) outcome: Option<String>,
    pub(crate) finding: Option<Finding>,
    pub(crate) says: Option<String>,
}

/// A finding about sessions or stability, which no single case shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Finding {
    Receipts,
    Chain,
    Unstable,
    SessionFault,
    Orphans,
    Hello,
}

/// What has to become of a testee.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Owed {
    /// It passes.
    Conforms,
    /// Cases of each of these laws fail.
    Laws(Vec<String>),
    /// Some case has this outcome, with this in its note.
    Outcome(String, Option<String>),
    /// The run has this finding, with this in its message.
    Finding(Finding, Option<String>),
}

impl Testee {
    /// Whether it has to be caught.
    pub(crate) fn is_wrong(&self) -> bool {
        !matches!(self.kind, Kind::Honest | Kind::Harmless)
    }

    /// The declaration, if it is one.
    pub(crate) fn owed(&self) -> Result<Owed, String> {
        let CaughtBy { laws, outcome, finding, says } = self.caught_by.clone();
        match (self.is_wrong(), laws.is_empty(), outcome, finding) {
            (false, true, None, None) => Ok(Owed::Conforms),
            (true, false, None, None) => Ok(Owed::Laws(laws)),
            (true, true, Some(outcome), None) => Ok(Owed::Outcome(outcome, says)),
            (true, true, None, Some(finding)) => Ok(Owed::Finding(finding, says)),
            (true, ..) => Err("a wrong testee is caught by laws, by an outcome or by a finding: name one".to_owned()),
            (false, ..) => Err("what is honest or harmless is caught by nothing: leave caught_by empty".to_owned()),
        }
    }
}

/// The folder of the bank.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wrong_testees")
}

/// The program that serves as any of them.
pub(crate) fn script() -> PathBuf {
    folder().join("bank.py")
}

/// Everything that the bank lists, in its order.
pub(crate) fn listed() -> Vec<Testee> {
    let output = program("python3").arg(script()).arg("--list").output().expect("python3 starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("bank.py --list prints an array of testees")
}

/// The names that its modules define: functions under a decorator that enters them, or that are entered by a call.
pub(crate) fn defined() -> BTreeSet<String> {
    let main = fs::read_to_string(script()).unwrap();
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "py") {
            continue;
        }
        let source = fs::read_to_string(&path).unwrap();
        let before = names.len();
        for name in entered(&source) {
            assert!(names.insert(name.clone()), "{name} is defined twice; the second time in {}", path.display());
        }
        let import = format!("import {} ", path.file_stem().unwrap().to_string_lossy());
        assert!(names.len() == before || main.contains(&import), "bank.py does not import {}", path.display());
    }
    names
}

fn entered(source: &str) -> Vec<String> {
    let lines: Vec<&str> = source.lines().collect();
    let mut names = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let function = if ["@planted", "@odd", "@whole", "@breaking", "@lawful"]
            .iter()
            .any(|decorator| line.starts_with(decorator))
        {
            let function = lines[at..].iter().find_map(|line| line.strip_prefix("def "));
            function.and_then(|function| function.split('(').next())
        } else if let Some(rest) = line.strip_prefix("enter(") {
            let argument = if rest.is_empty() { lines[at + 1] } else { rest };
            argument.split(',').next()
        } else {
            continue;
        };
        names.push(function.unwrap_or_else(|| panic!("line {}: {line}", at + 1)).trim().replace('_', "-"));
    }
    names
}
