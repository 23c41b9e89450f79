//! The file of known failures: which cases fail, in which class, and why.
//!
//! Schema: `contracts/interface/expectations.schema.json`; protocol: the outcomes of a case. A known failure is still put
//! to the testee. The file changes no outcome: it says which failures are news, and where it is out of date itself.

mod apply;
mod known;
mod standing;

pub use known::known_failures;
pub use standing::{DriftKind, Expectation, ExpectationDrift, ExpectationsInfo};

use assize_corpus::agreement::Outcome;
use assize_verifier::digest::Digest;

use crate::{
    config::ConfigError,
    toml_file::{Table, TomlFile, quoted},
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
    /// Where more is said.
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
    /// The bytes are not UTF-8 or not TOML, a key is unknown or missing, or a value cannot be meant.
    pub fn parse(name: &str, bytes: &[u8]) -> Result<Self, ConfigError> {
        let file = TomlFile::new(name, bytes)?;
        let mut top = file.top()?;
        top.only(&["failure"])?;
        let entries = top.take("failure").map_or(Ok(Vec::new()), |failures| failures.tables())?;
        let entries = entries.into_iter().map(entry).collect::<Result<_, _>>()?;
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

fn entry(mut table: Table<'_>) -> Result<Entry, ConfigError> {
    table.only(&["cases", "outcome", "reason", "link"])?;
    let help = r#"name what fails: cases = ["sovereign/float-ban/some-case"]"#;
    let value = table.demand("cases", help)?;
    let none = value.error("names nothing", help);
    let mut cases = Vec::new();
    for text in value.texts(true)? {
        let (line, column) = text.place();
        cases.push(Pattern { text: text.filled(help)?, line, column });
    }
    if cases.is_empty() {
        return Err(none);
    }
    let outcome = outcome(&mut table)?;
    let help = r#"say in a sentence why these cases fail: reason = "...""#;
    let reason = table.demand("reason", help)?.text()?.filled(help)?;
    let help = r#"name the issue or the document that says more: link = "https://...""#;
    let link = table.demand("link", help)?.text()?.filled(help)?;
    Ok(Entry { cases, outcome, reason, link })
}

fn outcome(table: &mut Table<'_>) -> Result<Outcome, ConfigError> {
    let names = CLASSES.map(Outcome::name);
    let name = table.demand("outcome", &format!("name the class in which they fail: {}", names.join(", ")))?.text()?;
    if [Outcome::Pass, Outcome::NotApplicable, Outcome::NotRun].iter().any(|outcome| outcome.name() == name.value) {
        let message = format!("is {}, which is no failure", quoted(&name.value));
        return Err(name.error(message, "remove the entry: only failures are listed"));
    }
    match CLASSES.into_iter().find(|class| class.name() == name.value) {
        Some(class) => Ok(class),
        None => Err(name.unknown(&names)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = r#"# Known.
[[failure]]
cases = ["canon/jcs/a", "sovereign/*/law-*"]
outcome = "WRONG-OUTPUT"
reason = "why"
link = "notes.md#jcs"

[[failure]]
cases = [
  "canon/jcs/b",
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
        let expected = [("canon/jcs/a", 3, 10), ("sovereign/*/law-*", 3, 25), ("canon/jcs/b", 10, 3)];
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
        check("[[failure]]", "[[failures]]", "2:3: `failures` is no key", "did you mean failure?");
        check("[[failure]]", "[failure]", "8:3: not TOML: duplicate key", "toml.io");
        check("cases", "", "2:1: `cases` is missing", "name what fails");
        check("cases", "cases = []", "3:9: `cases` names nothing", "name what fails");
        check("cases", "cases = 'canon'", "3:9: `cases` is a string, not an array of strings", "");
        check("cases", "cases = ['a', ' ']", "3:15: an element of `cases` is blank", "name what fails");
        check("cases", "cases = ['a', 'b', 'a']", "3:20: an element of `cases` repeats \"a\"", "once");
        check("outcome", "", "2:1: `outcome` is missing", "WRONG-CODE");
        check("outcome", "outcom = 'CRASH'", "4:1: `outcom` is no key in `failure`", "did you mean outcome?");
        check("outcome", "outcome = 'PASS'", "4:11: `outcome` is \"PASS\", which is no failure", "remove the entry");
        check("outcome", "outcome = 'NOT-RUN'", "4:11: `outcome` is \"NOT-RUN\", which is no failure", "");
        check(
            "outcome",
            "outcome = 'NOT-APPLICABLE'",
            "4:11: `outcome` is \"NOT-APPLICABLE\", which is no failure",
            "",
        );
        check(
            "outcome",
            "outcome = 'WRONG-OUTPT'",
            "4:11: `outcome` is \"WRONG-OUTPT\", an unknown name",
            "mean WRONG-OUTPUT?",
        );
        check("outcome", "outcome = 'crash'", "4:11: `outcome` is \"crash\", an unknown name", "mean CRASH?");
        check("outcome", "outcome = ['CRASH']", "4:11: `outcome` is an array, not a string", "quotes");
        check("reason", "reason = \" \\t\"", "5:10: `reason` is blank", "in a sentence");
        check("link", "", "2:1: `link` is missing", "issue");
        check("link", "link = ''", "6:8: `link` is blank", "issue");
        let error = Expectations::parse("f.toml", b"failure = [1]").unwrap_err();
        assert_eq!(error.to_string(), "f.toml:1:12: an element of `failure` is a whole number, not a table");
        let error = Expectations::parse("f.toml", b"# \xff").unwrap_err();
        assert_eq!(error.to_string(), "f.toml:1:3: not UTF-8");
    }
}
