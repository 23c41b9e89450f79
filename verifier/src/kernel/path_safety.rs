//! No stem and no token leads out of its folder, or shares a file with another.
//!
//! Spec: Kernel v1 Requirements Pack, Spec-002, 3; rulings KE-30, KE-33. What is not a [`Stem`], a [`RunId`] or a
//! [`TurnId`] never becomes part of a path; references are opaque, and [`escape`] keeps them apart.

use std::borrow::Borrow;
use std::fmt;

use crate::json::{JsonPointer, JsonStr};

use super::home::Stop;
use super::issue::{Issue, Issues, Stage};

/// Suffix of the files of records.
pub(super) const RECORD: &str = ".json";

/// Suffix of the files of tombstones.
pub(super) const TOMBSTONE: &str = ".tombstone.json";

/// Bytes of the longest name that every file system holds.
const LONGEST_NAME: usize = 255;

/// How the stem of a tombstone's file would end if it were a record's: a stem that ends so could not be told from a deletion.
const DELETION: &str = ".tombstone";

/// The logical name of a triplet: parts between slashes, none of which can lead anywhere else.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stem(String);

impl Stem {
    /// Normalises a stem, and refuses what is not safe then: `\` counts as `/`, and outer slashes are dropped first.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let normal = text.replace('\\', "/");
        Self::normal(normal.trim_matches('/'))
    }

    /// The stem that a text spells in its normal form.
    #[must_use]
    pub fn normal(text: &str) -> Option<Self> {
        let safe = |part: &str| {
            !matches!(part, "" | "." | "..") && !part.contains(|letter: char| letter.is_control() || letter == '\\')
        };
        let mut names = text.rsplit('/');
        let files_fit = names.next().is_some_and(|last| last.len() + TOMBSTONE.len() <= LONGEST_NAME);
        // A folder named like a record's file would stand where another stem's record is due.
        let folders_fit = names.all(|folder| !folder.ends_with(RECORD) && folder.len() <= LONGEST_NAME);
        let fits = files_fit && folders_fit && !text.ends_with(DELETION);
        (text.split('/').all(safe) && fits).then(|| Self(text.to_owned()))
    }

    /// The normal form.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Stems compare like their texts.
impl Borrow<str> for Stem {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Stem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The name of a run: any text but the empty one, none that holds NUL, and none that is too long for the name of a folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunId(String);

impl RunId {
    /// Takes a run's name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        is_name(text, "").then(|| Self(text.to_owned()))
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The number of a turn in its run, spelled `turn-` and four decimal digits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TurnId(u16);

impl TurnId {
    /// What stands for the last promoted turn of a run that has none.
    pub const NONE: Self = Self(0);

    /// Reads the one spelling.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix("turn-")?;
        let spelled = digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse().ok().filter(|_| spelled).map(Self)
    }

    /// The number.
    #[must_use]
    pub fn number(self) -> u16 {
        self.0
    }
}

impl fmt::Display for TurnId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "turn-{:04}", self.0)
    }
}

/// One turn of one run: what every staging belongs to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Turn {
    /// The run.
    pub run: RunId,
    /// The turn.
    pub id: TurnId,
}

/// A text as the name of one file or folder: different texts give different names, and none is `.`, `..` or holds a slash.
/// The empty text has no such name.
#[must_use]
pub fn escape(token: &str) -> String {
    match token {
        "." => "%2E".to_owned(),
        ".." => "%2E%2E".to_owned(),
        _ => token.replace('%', "%25").replace('/', "%2F").replace('\\', "%5C").replace(':', "%3A"),
    }
}

/// Whether a text can be the type or the id of a reference: a record's file can be named after it.
pub(super) fn is_token(text: &str) -> bool {
    is_name(text, RECORD)
}

/// Whether a text, escaped and with a suffix, names a file: neither the empty text nor NUL does, nor what is too long.
fn is_name(text: &str, suffix: &str) -> bool {
    !text.is_empty() && !text.contains('\0') && escape(text).len() + suffix.len() <= LONGEST_NAME
}

/// Tokens of a request as they are read, with an issue for each that is refused (KE-33).
#[derive(Debug, Default)]
pub(super) struct Tokens {
    refused: Vec<Issue>,
}

impl Tokens {
    pub(super) fn turn(&mut self, run: &JsonStr<'_>, id: &JsonStr<'_>) -> Option<Turn> {
        let run = self.run(run);
        let id = self.keep("turn_id", id.to_str().and_then(TurnId::parse));
        Some(Turn { run: run?, id: id? })
    }

    pub(super) fn run(&mut self, run: &JsonStr<'_>) -> Option<RunId> {
        self.keep("run_id", run.to_str().and_then(RunId::parse))
    }

    pub(super) fn stem(&mut self, stem: &JsonStr<'_>) -> Option<Stem> {
        self.keep("stem", stem.to_str().and_then(Stem::parse))
    }

    /// What was read, unless a token is refused.
    pub(super) fn accepted<T>(self, read: Option<T>) -> Result<T, Stop> {
        read.filter(|_| self.refused.is_empty()).ok_or_else(|| Stop::Refused(Issues::sorted(self.refused)))
    }

    fn keep<T>(&mut self, member: &str, read: Option<T>) -> Option<T> {
        let refused = refusal(JsonPointer::root().member(member));
        // The location names a member: two stems that are refused are one that is.
        if read.is_none() && !self.refused.contains(&refused) {
            self.refused.push(refused);
        }
        read
    }
}

/// The issue for a token that is refused.
pub(super) fn refusal(location: JsonPointer) -> Issue {
    Issue::fail(Stage::BaseShape, "E_BASE_SHAPE_INVALID_MANIFEST_VALUE", location)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stem(text: &str) -> Option<String> {
        Stem::parse(text).map(|stem| stem.as_str().to_owned())
    }

    #[test]
    fn stems_are_normalised_before_they_are_judged() {
        for (text, normal) in [
            ("a", "a"),
            ("/a/b/", "a/b"),
            ("a\\b", "a/b"),
            ("\\a\\", "a"),
            ("a.b/c.v1", "a.b/c.v1"),
            ("...", "..."),
            ("a b/\u{e9}", "a b/\u{e9}"),
            (".tombstone/a", ".tombstone/a"),
            ("a.json", "a.json"),
        ] {
            assert_eq!(stem(text).as_deref(), Some(normal), "{text:?}");
        }
    }

    #[test]
    fn stems_that_lead_elsewhere_are_refused() {
        for text in [
            "",
            "/",
            "\\",
            ".",
            "..",
            "a/..",
            "../a",
            "a/./b",
            "a//b",
            "a\\\\b",
            "a\0",
            "a\nb",
            "\u{7f}",
            "\u{85}",
            "a/\t",
            "a.json/b",
            "a.tombstone",
        ] {
            assert_eq!(stem(text), None, "{text:?}");
        }
        assert!(Stem::normal("a\\b").is_none(), "only a normal form is one");
        assert!(Stem::normal("/a").is_none());
    }

    #[test]
    fn what_no_file_system_holds_is_refused() {
        let of = |length: usize| "a".repeat(length);
        for (text, lawful) in
            [(of(240), true), (of(241), false), (format!("{}/a", of(255)), true), (format!("{}/a", of(256)), false)]
        {
            assert_eq!(Stem::parse(&text).is_some(), lawful, "{} bytes", text.len());
        }
        assert!(RunId::parse(&of(255)).is_some() && RunId::parse(&of(256)).is_none());
        assert!(is_token(&of(250)) && !is_token(&of(251)));
        assert!(is_token(&"/".repeat(83)) && !is_token(&"/".repeat(84)), "as it is escaped");
    }

    #[test]
    fn turns_have_one_spelling() {
        assert_eq!(TurnId::parse("turn-0012").map(TurnId::number), Some(12));
        assert_eq!(TurnId::parse("turn-0012").map(|turn| turn.to_string()).as_deref(), Some("turn-0012"));
        for text in
            ["turn-1", "turn-00001", "turn-+001", " turn-0001", "turn-0001\n", "Turn-0001", "turn-\u{661}001", ""]
        {
            assert_eq!(TurnId::parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn tokens_stay_apart_and_inside() {
        for (token, name) in [
            ("a/b", "a%2Fb"),
            ("a%2Fb", "a%252Fb"),
            ("skill:a", "skill%3Aa"),
            ("a\\b", "a%5Cb"),
            (".", "%2E"),
            ("..", "%2E%2E"),
            ("%2E", "%252E"),
            ("...", "..."),
            ("a.", "a."),
        ] {
            assert_eq!(escape(token), name);
        }
    }
}
