//! kernel/path-safety: no stem and no token leads out of its folder, or shares a file with another.
//!
//! Spec: Kernel v1 Requirements Pack, Spec-002, 3; rulings KE-30, KE-33. What is not a [`Stem`], a [`RunId`] or a
//! [`TurnId`] never becomes part of a path; references are opaque, and [`escape`] keeps them apart.

use crate::digest::Digest;
use crate::files::{EntryKind, HomeError};
use crate::finding::Finding;
use crate::json::{JsonPointer, JsonStr, NodeRef};
use crate::kernel::model::home::{Stop, unreadable};
use crate::kernel::model::issue::{Issue, Issues, Stage};
use crate::kernel::model::layout::{RECORD, STAGING, TOMBSTONE, TRACE, Tree, below, location};
use crate::kernel::model::record::{RefRecord, TripletRecord};
use crate::kernel::model::reference::{self, Reference};
use crate::kernel::model::token::{RunId, Stem, Turn, TurnId};
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("kernel/path-safety");

/// Bytes of the longest name that every file system holds.
const LONGEST_NAME: usize = 255;

/// How the stem of a tombstone's file would end if it were a record's: a stem that ends so could not be told from a deletion.
const DELETION: &str = ".tombstone";

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
        (text.split('/').all(safe) && fits).then(|| Self(text.into()))
    }
}

impl RunId {
    /// Takes a run's name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        is_name(text, "").then(|| Self(text.to_owned()))
    }
}

impl TurnId {
    /// Reads the one spelling.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix("turn-")?;
        let spelled = digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse().ok().filter(|_| spelled).map(Self)
    }
}

impl Tree {
    /// What one turn has staged.
    #[must_use]
    pub fn staged(turn: &Turn) -> Self {
        Self::at(&format!("{}/{}", run_folder(&turn.run), turn.id))
    }

    /// The file of a triplet record: nothing of the stem is cut.
    #[must_use]
    pub fn triplet(&self, stem: &Stem) -> String {
        format!("{}/{stem}{RECORD}", self.triplets())
    }

    /// The file of a deletion.
    #[must_use]
    pub fn tombstone(&self, stem: &Stem) -> String {
        format!("{}/{stem}{TOMBSTONE}", self.triplets())
    }

    /// The file of a reference record.
    #[must_use]
    pub fn reference(&self, kind: &str, id: &str) -> String {
        format!("{}/{}/{}{RECORD}", self.references(), escape(kind), escape(id))
    }
}

/// The folder of everything that a run has staged.
pub(crate) fn run_folder(run: &RunId) -> String {
    format!("{STAGING}/{}", escape(run.as_str()))
}

/// The folder of the artifacts of a run.
pub(crate) fn artifact_folder(run: &RunId) -> String {
    format!("{TRACE}/{}", escape(run.as_str()))
}

/// The name of an artifact's file in the folder of its run; none for a name that no file has.
pub(crate) fn artifact_name(name: &str) -> Option<String> {
    is_token(name).then(|| format!("{}{RECORD}", escape(name)))
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

/// Whether a text can be the type or the id of a reference, or the name of an artifact: a file can be named after it.
fn is_token(text: &str) -> bool {
    is_name(text, RECORD)
}

/// Whether a text, escaped and with a suffix, names a file: neither the empty text nor NUL does, nor what is too long.
fn is_name(text: &str, suffix: &str) -> bool {
    !text.is_empty() && !text.contains('\0') && escape(text).len() + suffix.len() <= LONGEST_NAME
}

/// Tokens of a request as they are read, with an issue for each that is refused (KE-33).
#[derive(Debug, Default)]
pub(crate) struct Tokens {
    refused: Vec<Issue>,
}

impl Tokens {
    pub(crate) fn turn(&mut self, run: &JsonStr<'_>, id: &JsonStr<'_>) -> Option<Turn> {
        let run = self.run(run);
        let id = self.keep("turn_id", id.to_str().and_then(TurnId::parse));
        Some(Turn { run: run?, id: id? })
    }

    pub(crate) fn run(&mut self, run: &JsonStr<'_>) -> Option<RunId> {
        self.keep("run_id", run.to_str().and_then(RunId::parse))
    }

    pub(crate) fn stem(&mut self, stem: &JsonStr<'_>) -> Option<Stem> {
        self.keep("stem", stem.to_str().and_then(Stem::parse))
    }

    /// What was read, unless a token is refused.
    pub(crate) fn accepted<T>(self, read: Option<T>) -> Result<T, Stop> {
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
pub(crate) fn refusal(location: JsonPointer) -> Issue {
    Issue::fail(Stage::BaseShape, "E_BASE_SHAPE_INVALID_MANIFEST_VALUE", location)
}

/// The references of canonical links, each of a type and an id that a file can be named after.
pub(crate) fn references(links: NodeRef<'_>) -> Result<Vec<Reference>, Issue> {
    let found = reference::references(links);
    for reference in &found {
        for (name, token) in [("type", &reference.kind), ("id", &reference.id)] {
            if !is_token(token) {
                let place = reference.location.member(name);
                return Err(Issue::fail(Stage::BaseShape, "E_BASE_SHAPE_INVALID_REFERENCE", place));
            }
        }
    }
    Ok(found)
}

/// Something that stands where no stem, token or digest leads.
pub(crate) fn misplaced(path: &str) -> Finding {
    found(path, "nothing of the index belongs here: move it away")
}

/// A folder that does not tell what lies in it.
pub(crate) fn unlisted(path: &str, why: HomeError) -> Finding {
    found(path, unreadable(why))
}

/// Where only folders belong, something that is not a folder.
pub(crate) fn not_a_folder(path: &str, kind: EntryKind) -> Option<Finding> {
    (kind != EntryKind::Folder).then(|| misplaced(path))
}

/// The folder of a run in staging, by its name.
pub(crate) fn run(path: &str, name: &str) -> Option<Finding> {
    (!is_escaped(name)).then(|| misplaced(path))
}

/// The folder of a turn in that of its run, by its name.
pub(crate) fn turn(path: &str, name: &str) -> Option<Finding> {
    TurnId::parse(name).is_none().then(|| misplaced(path))
}

/// The digest by which an object's file is named.
pub(crate) fn object_named(tree: &Tree, path: &str) -> Result<Digest, Finding> {
    let named = path.rsplit('/').next().and_then(|name| Digest::from_hex(name.as_bytes()));
    named.filter(|named| tree.object(*named) == path).ok_or_else(|| misplaced(path))
}

/// The stem by which a triplet record's file is named; none for a tombstone where a `turn` has staged it.
pub(crate) fn stem_named(tree: &Tree, path: &str, turn: bool) -> Result<Option<Stem>, Finding> {
    let name = below(&tree.triplets(), path).unwrap_or(path);
    if turn && name.strip_suffix(TOMBSTONE).and_then(Stem::normal).is_some() {
        return Ok(None);
    }
    let stem = name.strip_suffix(RECORD).and_then(Stem::normal);
    stem.map(Some).ok_or_else(|| misplaced(path))
}

/// A file among the reference records that stands in no type's folder, or is not named like a record.
pub(crate) fn no_reference(tree: &Tree, path: &str) -> Option<Finding> {
    let below = path.strip_prefix(&tree.references()).unwrap_or(path);
    (below.matches('/').count() != 2 || !below.ends_with(RECORD)).then(|| misplaced(path))
}

/// A triplet record in the file of another stem.
pub(crate) fn other_stem(path: &str, stem: &Stem, record: &TripletRecord) -> Option<Finding> {
    (record.stem != *stem).then(|| found(path, format!("it is the record of {}", record.stem)))
}

/// A reference record in the file of another identity.
pub(crate) fn other_identity(tree: &Tree, path: &str, record: &RefRecord) -> Option<Finding> {
    let elsewhere = tree.reference(&record.kind, &record.id) != path;
    elsewhere.then(|| found(path, format!("it is the record of {}:{}", record.kind, record.id)))
}

fn found(path: &str, message: impl Into<String>) -> Finding {
    Finding::error(LAW, location(path), message)
}

/// Whether a name is what some token is escaped to.
fn is_escaped(name: &str) -> bool {
    let token = match name {
        "%2E" => ".".to_owned(),
        "%2E%2E" => "..".to_owned(),
        _ => name.replace("%3A", ":").replace("%5C", "\\").replace("%2F", "/").replace("%25", "%"),
    };
    escape(&token) == name
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Dialect, Document};

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

    #[test]
    fn references_that_name_no_file_are_refused() {
        for (links, place) in [
            (r#"{"k": {"type": "", "id": "i"}}"#, "/links/k/type"),
            (r#"{"k": [{"type": "t", "id": ""}]}"#, "/links/k/0/id"),
            (r#"{"k": {"type": "t", "id": "\u0000"}}"#, "/links/k/id"),
        ] {
            let document = Document::parse(links.as_bytes(), &Dialect::STRICT).expect("JSON");
            let refused = references(document.root()).expect_err(links);
            assert_eq!((refused.code, refused.location.as_str()), ("E_BASE_SHAPE_INVALID_REFERENCE", place), "{links}");
        }
    }

    #[test]
    fn paths_are_those_of_the_layout() {
        let committed = Tree::committed();
        let stem = Stem::parse("inv/one.v1").expect("a stem");
        assert_eq!(committed.triplet(&stem), "index/committed/triplets/inv/one.v1.json");
        assert_eq!(committed.reference("skill", "skill:a/b"), "index/committed/refs/by_id/skill/skill%3Aa%2Fb.json");
        assert_eq!(committed.reference("..", "."), "index/committed/refs/by_id/%2E%2E/%2E.json");
        assert_eq!(committed.ledger(), "index/committed/index/run_ledger.json");
        assert_eq!(
            committed.object(Digest::of(b"{}")),
            "index/committed/objects/44/44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
        );
        let run = RunId::parse("..").expect("a run");
        let staged = Tree::staged(&Turn { run, id: TurnId::parse("turn-0001").expect("a turn") });
        assert_eq!(staged.tombstone(&stem), "index/staging/%2E%2E/turn-0001/triplets/inv/one.v1.tombstone.json");
    }
}
