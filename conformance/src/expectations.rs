//! The file of known failures: which cases fail, in which class, and why.
//!
//! Schema: `contracts/interface/expectations.schema.json`; protocol: the outcomes of a case. A known failure is still asked
//! of the testee. The file changes no outcome: it says which failures are news, and where it is out of date itself.

mod apply;
mod known;
mod standing;

pub use known::known_failures;
pub use standing::{DriftKind, Expectation, ExpectationDrift, ExpectationsInfo};

use assize_corpus::agreement::Outcome;
use assize_verifier::digest::Digest;
use serde::Deserialize;
use toml::Spanned;

use crate::{
    config::ConfigError,
    toml_file::{TomlFile, element, quoted},
};

/// What an entry can expect.
pub const CLASSES: [Outcome; 8] = [
    Outcome::WrongVerdict,
    Outcome::WrongCode,
    Outcome::WrongOutput,
    Outcome::BrokenPromise,
    Outcome::Fault,
    Outcome::Crash,
    Outcome::Timeout,
    Outcome::Protocol,
];

/// A file of known failures.
#[derive(Debug, Clone)]
pub struct Expectations {
    name: String,
    sha256: Digest,
    entries: Vec<Entry>,
}

/// Cases that fail in one class for one reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// What it names.
    pub cases: Vec<Pattern>,
    /// The class.
    pub outcome: Outcome,
    /// Why they fail.
    pub reason: String,
    /// Where to read more.
    pub link: String,
}

/// An id, the prefix of one up to a slash, or a pattern with `*` and `?`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// As it stands in the file.
    pub text: String,
    /// Its line, from 1.
    pub line: usize,
    /// Its column in characters, from 1.
    pub column: usize,
}

impl Expectations {
    /// Reads the bytes of a file; `name` is what errors call it.
    ///
    /// # Errors
    /// The bytes are not UTF-8 or not TOML, a key is unknown or missing, or a value makes no sense.
    pub fn parse(name: &str, bytes: &[u8]) -> Result<Self, ConfigError> {
        let file = TomlFile::new(name, bytes)?;
        let outcome = format!("name the class in which they fail: {}", CLASSES.map(Outcome::name).join(", "));
        let written: Written =
            file.read(&[("cases", CASES), ("outcome", &outcome), ("reason", REASON), ("link", LINK)])?;
        let entries = written.failure.into_iter().map(|written| entry(&file, written)).collect::<Result<_, _>>()?;
        Ok(Self { name: name.to_owned(), sha256: Digest::of(bytes), entries })
    }

    /// Digest of the file.
    #[must_use]
    pub fn sha256(&self) -> Digest {
        self.sha256
    }

    /// The entries in the order of the file.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }
}

/// The file as it is written, every value with its place.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default)]
    failure: Vec<WrittenEntry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table: write a line [[failure]] before each entry")]
struct WrittenEntry {
    cases: Spanned<Vec<Spanned<String>>>,
    outcome: Spanned<String>,
    reason: Spanned<String>,
    link: Spanned<String>,
}

// What to write under each key.
const CASES: &str = r#"name what fails: cases = ["sovereign/float-ban/some-case"]"#;
const REASON: &str = r#"say in a sentence why these cases fail: reason = "...""#;
const LINK: &str = r#"name the issue or the document that says more: link = "https://...""#;

fn entry(file: &TomlFile<'_>, written: WrittenEntry) -> Result<Entry, ConfigError> {
    if written.cases.get_ref().is_empty() {
        return Err(file.error("`cases`", &written.cases, "names nothing", CASES));
    }
    file.distinct("cases", written.cases.get_ref())?;
    let mut cases = Vec::new();
    for text in written.cases.into_inner() {
        let (line, column) = file.place(&text);
        cases.push(Pattern { text: file.filled(&element("cases"), text, CASES)?, line, column });
    }
    Ok(Entry {
        cases,
        outcome: outcome(file, &written.outcome)?,
        reason: file.filled("`reason`", written.reason, REASON)?,
        link: file.filled("`link`", written.link, LINK)?,
    })
}

fn outcome(file: &TomlFile<'_>, name: &Spanned<String>) -> Result<Outcome, ConfigError> {
    let label = "`outcome`";
    let is = |outcome: &Outcome| outcome.name() == name.get_ref();
    if [Outcome::Pass, Outcome::NotApplicable, Outcome::NotRun].iter().any(is) {
        let message = format!("is {}, which is not a failure", quoted(name.get_ref()));
        return Err(file.error(label, name, message, "remove the entry: only failures are listed"));
    }
    CLASSES.into_iter().find(is).ok_or_else(|| file.unknown(label, name, &CLASSES.map(Outcome::name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = r#"# Known.
[[failure]]
cases = ["canon/episode/a", "sovereign/*/law-*"]
outcome = "WRONG-OUTPUT"
reason = "why"
link = "notes.md#jcs"

[[failure]]
cases = [
  "canon/episode/b",
]
outcome = "CRASH"
reason = "dies"
link = "https://example.org/2"
"#;

    #[test]
    fn every_key_is_read_and_patterns_keep_their_places() {
        let file = Expectations::parse("known.toml", WHOLE.as_bytes()).unwrap();
        assert_eq!(file.sha256(), Digest::of(WHOLE.as_bytes()));
        let [first, second] = file.entries() else { panic!("{file:?}") };
        assert_eq!(
            (first.outcome, first.reason.as_str(), first.link.as_str()),
            (Outcome::WrongOutput, "why", "notes.md#jcs")
        );
        let place = |pattern: &Pattern| (pattern.text.clone(), pattern.line, pattern.column);
        let places: Vec<_> = first.cases.iter().chain(&second.cases).map(place).collect();
        let expected = [("canon/episode/a", 3, 10), ("sovereign/*/law-*", 3, 29), ("canon/episode/b", 10, 3)];
        assert_eq!(places, expected.map(|(text, line, column)| (text.to_owned(), line, column)));
        assert!(Expectations::parse("known.toml", b"").unwrap().entries().is_empty());
    }

    #[test]
    fn the_classes_are_all_failures() {
        for class in CLASSES {
            let text = WHOLE.replace("CRASH", class.name());
            assert_eq!(Expectations::parse("f", text.as_bytes()).unwrap().entries()[1].outcome, class);
        }
    }

    /// Replaces the first line that starts with `key` by `line`.
    #[track_caller]
    fn check(key: &str, line: &str, shown: &str, help: &str) {
        let at = WHOLE.lines().position(|line| line.starts_with(key)).unwrap();
        let lines: Vec<_> = WHOLE.lines().enumerate().map(|(n, old)| if n == at { line } else { old }).collect();
        let error = Expectations::parse("f.toml", lines.join("\n").as_bytes()).unwrap_err();
        assert_eq!(error.to_string(), format!("f.toml:{shown}"));
        assert!(error.help().contains(help), "{}", error.help());
    }

    #[test]
    fn what_cannot_be_meant_is_an_error_with_its_place() {
        check("[[failure]]", "[[failures]]", "2:3: `failures` is not a key", "did you mean failure?");
        check("[[failure]]", "[failure]", "8:3: not TOML: duplicate key", "toml.io");
        check("cases", "", "2:1: `cases` is missing", "name what fails");
        check("cases", "cases = []", "3:9: `cases` names nothing", "name what fails");
        check("cases", "cases = 'canon'", "3:9: invalid type: string \"canon\", expected a sequence", "in brackets");
        check("cases", "cases = ['a', ' ']", "3:15: an element of `cases` is blank", "name what fails");
        check("cases", "cases = ['a', 'b', 'a']", "3:20: an element of `cases` repeats \"a\"", "once");
        check("outcome", "", "2:1: `outcome` is missing", "WRONG-CODE");
        check("outcome", "outcom = 'CRASH'", "4:1: `outcom` is not a key", "did you mean outcome?");
        check("outcome", "outcome = 'PASS'", "4:11: `outcome` is \"PASS\", which is not a failure", "remove the entry");
        check("outcome", "outcome = 'NOT-RUN'", "4:11: `outcome` is \"NOT-RUN\", which is not a failure", "");
        check(
            "outcome",
            "outcome = 'NOT-APPLICABLE'",
            "4:11: `outcome` is \"NOT-APPLICABLE\", which is not a failure",
            "",
        );
        check(
            "outcome",
            "outcome = 'WRONG-OUTPT'",
            "4:11: `outcome` is \"WRONG-OUTPT\", an unknown name",
            "mean WRONG-OUTPUT?",
        );
        check("outcome", "outcome = 'crash'", "4:11: `outcome` is \"crash\", an unknown name", "mean CRASH?");
        check("outcome", "outcome = ['CRASH']", "4:11: invalid type: sequence, expected a string", "quotes");
        check("reason", "reason = \" \\t\"", "5:10: `reason` is blank", "in a sentence");
        check("link", "", "2:1: `link` is missing", "issue");
        check("link", "link = ''", "6:8: `link` is blank", "issue");
        let error = Expectations::parse("f.toml", b"failure = [1]").unwrap_err();
        assert_eq!(
            error.to_string(),
            "f.toml:1:12: invalid type: integer `1`, expected a table: write a line [[failure]] before each entry"
        );
        let error = Expectations::parse("f.toml", b"# \xff").unwrap_err();
        assert_eq!(error.to_string(), "f.toml:1:3: not UTF-8");
    }
}
