//! From files to cases.
//!
//! What does not load is an error that names the file, the place in it and what to do: no vector vanishes. A pack
//! (`root`) is read here too, so that each of its files counts as read.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Bound,
};

use super::{
    Flag,
    law::{DeclaredLaw, LAWS},
    model::{Case, Document, Entry, law_of},
};
use crate::{
    source::{LoadError, parse, read},
    store::Store,
};

/// Whether a path is that of a test vector.
#[must_use]
pub fn is_case(path: &str) -> bool {
    let Some((folder, name)) = path.rsplit_once('/') else {
        return false;
    };
    path.starts_with("vectors/")
        && name.ends_with(".json")
        && name != "flags.json"
        && !folder.split('/').any(|segment| segment.ends_with(".pack"))
}

/// The id that a path gives to the vector there.
#[must_use]
pub fn id_of(path: &str) -> Option<&str> {
    let id = path.strip_prefix("vectors/")?.strip_suffix(".json")?;
    is_case(path).then_some(id)
}

/// Everything below `vectors/`, and the laws that it is about, typed.
#[derive(Debug, Default)]
pub struct Corpus {
    /// Cases by the id that their path gives them.
    pub cases: BTreeMap<String, Case>,
    /// Declared laws, by the slug that their path gives them.
    pub laws: BTreeMap<String, DeclaredLaw>,
    /// Bug classes by name.
    pub flags: BTreeMap<String, Flag>,
    /// What did not load; a run over a corpus with errors is not a complete run.
    pub errors: Vec<LoadError>,
}

impl Corpus {
    /// Loads every case, law and flag of a store, one after the other.
    #[must_use]
    pub fn load(store: &Store) -> Self {
        Self::paths(store).map(|path| Piece::load(store, path)).collect()
    }

    /// The ids that a case had before.
    pub fn former_ids<'c>(&'c self, id: &'c str) -> impl Iterator<Item = &'c str> {
        let renamed = self.laws.get(law_of(id)).into_iter().flat_map(|law| &law.renamed);
        renamed.filter(move |(_, now)| *now == id).map(|(former, _)| former.as_str())
    }

    /// The laws that have cases, sorted.
    #[must_use]
    pub fn laws_with_cases(&self) -> BTreeSet<&str> {
        self.cases.keys().map(|id| law_of(id)).collect()
    }

    /// The cases of a law, by their ids.
    pub fn of_law<'c>(&'c self, law: &'c str) -> impl Iterator<Item = (&'c str, &'c Case)> {
        let cases =
            self.cases.range::<str, _>((Bound::Included(law), Bound::Unbounded)).map(|(id, case)| (id.as_str(), case));
        cases.take_while(move |(id, _)| id.starts_with(law)).filter(move |(id, _)| law_of(id) == law)
    }

    /// The files of a store that a corpus is made of.
    pub fn paths(store: &Store) -> impl Iterator<Item = &str> {
        store.below("vectors/").chain(store.below(LAWS))
    }
}

/// What one file adds to a corpus: a caller with threads to spend loads many pieces at once and collects them.
#[derive(Debug)]
pub struct Piece(Result<Part, LoadError>);

#[derive(Debug)]
enum Part {
    Case(String, Box<Case>),
    Law(String, Box<DeclaredLaw>),
    Flags(BTreeMap<String, Flag>),
    /// A file of a pack, which its case reads, or one that the lint finds unread.
    Other,
}

impl Piece {
    /// Loads the file at a path.
    #[must_use]
    pub fn load(store: &Store, path: &str) -> Self {
        Self(Part::load(store, path))
    }
}

impl Part {
    fn load(store: &Store, path: &str) -> Result<Self, LoadError> {
        if let Some(id) = id_of(path) {
            return Ok(Self::Case(id.to_owned(), Box::new(Case::load(store, path)?)));
        }
        match DeclaredLaw::slug_of(path) {
            Some(slug) => Ok(Self::Law(slug.to_owned(), Box::new(read(store, path)?))),
            None if path == "vectors/flags.json" => Ok(Self::Flags(read(store, path)?)),
            None => Ok(Self::Other),
        }
    }
}

impl FromIterator<Piece> for Corpus {
    fn from_iter<P: IntoIterator<Item = Piece>>(pieces: P) -> Self {
        let mut corpus = Self::default();
        corpus.extend(pieces);
        corpus
    }
}

impl Extend<Piece> for Corpus {
    fn extend<P: IntoIterator<Item = Piece>>(&mut self, pieces: P) {
        for Piece(part) in pieces {
            match part {
                Ok(Part::Case(id, case)) => drop(self.cases.insert(id, *case)),
                Ok(Part::Law(slug, law)) => drop(self.laws.insert(slug, *law)),
                Ok(Part::Flags(flags)) => self.flags = flags,
                Ok(Part::Other) => {}
                Err(error) => self.errors.push(error),
            }
        }
    }
}

impl Case {
    /// Loads one vector of a store, with its pack if it has one.
    ///
    /// # Errors
    /// The file, or its pack, is absent, unreadable, or not of the shape.
    pub fn load(store: &Store, path: &str) -> Result<Self, LoadError> {
        let mut case: Self = read(store, path)?;
        let Some(pack) = case.pack(path)? else {
            return Ok(case);
        };
        let beside = path.rfind('/').and_then(|end| path.get(..=end)).unwrap_or_default();
        let folder = format!("{beside}{pack}/");
        for file in store.below(&folder) {
            let bytes =
                store.read(file).map_err(|error| LoadError::new(path, "/root", error.to_string(), "restore it"))?;
            let name = file.strip_prefix(&folder).unwrap_or(file);
            case.files.insert(name.to_owned(), Entry::File(Document::Bytes(bytes.into_owned())));
        }
        if case.files.is_empty() {
            return Err(LoadError::new(
                path,
                "/root",
                "the pack is empty or absent",
                "add its files, or remove `root`",
            ));
        }
        Ok(case)
    }

    /// The name of the folder beside the vector that holds its files; none where it names no `root`.
    ///
    /// # Errors
    /// The folder is not named after the file of the vector, or `files` stands beside it.
    pub fn pack(&self, path: &str) -> Result<Option<String>, LoadError> {
        let Some(root) = &self.root else {
            return Ok(None);
        };
        let owed = format!("{}.pack", path.trim_end_matches(".json").rsplit('/').next().unwrap_or_default());
        if *root != owed {
            let message = format!("`root` is {root:?}");
            return Err(LoadError::new(path, "/root", message, &format!("a pack is named after its vector: {owed:?}")));
        }
        if !self.files.is_empty() {
            return Err(LoadError::new(path, "/files", "`files` stands beside `root`", "keep one of the two"));
        }
        Ok(Some(owed))
    }

    /// Loads one vector from its bytes; `file` is named in errors. A pack is not looked for.
    ///
    /// # Errors
    /// The bytes are not of the shape.
    pub fn parse(file: &str, bytes: &[u8]) -> Result<Self, LoadError> {
        parse(file, bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::{Agreement, Provenance, Verdict};

    const CASE: &str = r#"{"id":"canon/episode/a","op":"canon.bytes","args":{"profile":"episode"},
        "spec":{"document":"d","section":"s"},"force":"spec","rationale":"r","flags":["KeyOrder"],"provenance":"ruling NUM-04",
        "in":{"doc":{"json":{"b": 1.0, "a": null}}},"expect":{"is":"accept","out":{"n":{"x": 1e2}}},"agreement":"exact"}"#;

    fn check(from: &str, to: &str, message: &str) {
        let text = CASE.replacen(from, to, 1);
        assert_ne!(text, CASE, "{from} does not occur");
        let error = Case::parse("f.json", text.as_bytes()).unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
        assert!(error.place.starts_with("line "), "{error}");
    }

    #[test]
    fn loads_a_case() {
        let case = Case::parse("f.json", CASE.as_bytes()).unwrap();
        assert_eq!((case.law(), case.agreement, case.expect.is), ("canon/episode", Agreement::Exact, Verdict::Accept));
        assert_eq!(case.provenance, Provenance::Ruling("NUM-04".to_owned()));
        assert_eq!(case.inputs["doc"].bytes(), br#"{"b":1.0,"a":null}"#);
        assert_eq!(case.expect.out["n"].node.canonical(), r#"{"x":1e2}"#);
        assert_eq!(case.request(None).docs["doc"], br#"{"b":1.0,"a":null}"#);
    }

    #[test]
    fn null_is_a_document() {
        let case = Case::parse("f.json", CASE.replace(r#"{"b": 1.0, "a": null}"#, "null").as_bytes()).unwrap();
        assert_eq!(case.inputs["doc"].bytes(), b"null");
    }

    #[test]
    fn refuses_what_it_does_not_know() {
        check(r#""flags""#, r#""flaggs""#, "unknown field `flaggs`");
        check("ruling NUM-04", "verifier", "unknown provenance");
        check("ruling NUM-04", "ruling ", "unknown provenance");
        check("ruling NUM-04", "ruling num-04", "unknown provenance");
        check(r#""agreement":"exact""#, r#""agreement":"loose""#, "unknown variant `loose`");
        check(r#"{"json":{"b": 1.0, "a": null}}"#, r#"{"json":1,"text":"1"}"#, "exactly one of");
        check(r#"{"json":{"b": 1.0, "a": null}}"#, r#"{"base64":"?"}"#, "does not decode");
        check(r#"{"json":{"b": 1.0, "a": null}}"#, r#"{"kind":"directory"}"#, "has no kind");
        check(r#""doc":{"#, r#""doc":{"text":"1"},"doc":{"#, "comes twice");
        check(r#"{"x": 1e2}"#, r#"{"x":1,"x":2}"#, "duplicate name");
        check(r#""is":"accept","out":{"n":{"x": 1e2}}"#, "", "the expectation is empty");
        check(r#""is":"accept""#, r#""is":"accept","codes":["A_JSON"]"#, "no codes");
        check(r#""is":"accept""#, r#""is":"reject""#, "at least one code");
        check(r#""is":"accept""#, r#""is":"reject","codes":["A_JSON","A_JSON"]"#, "repeated code");
    }

    #[test]
    fn a_pack_is_read_whole() {
        let with_root = CASE.replace(r#""expect""#, r#""root":"a.pack","expect""#);
        let files = |root: &str| {
            Store::memory([("vectors/canon/episode/a.json", root), ("vectors/canon/episode/a.pack/d/x.json", "{}")])
        };
        let store = files(&with_root);
        let case = Case::load(&store, "vectors/canon/episode/a.json").unwrap();
        assert!(matches!(&case.files["d/x.json"], Entry::File(file) if file.bytes() == b"{}"));
        assert!(store.unread("vectors/").is_empty());
        let misnamed = files(&with_root.replace("a.pack", "b.pack"));
        assert!(Case::load(&misnamed, "vectors/canon/episode/a.json").unwrap_err().to_string().contains("named after"));
        let empty = Store::memory([("vectors/canon/episode/a.json", with_root)]);
        assert!(
            Case::load(&empty, "vectors/canon/episode/a.json").unwrap_err().to_string().contains("empty or absent")
        );
    }

    #[test]
    fn a_broken_vector_does_not_hide_its_neighbours() {
        let store = Store::memory([("vectors/canon/episode/a.json", CASE), ("vectors/canon/episode/b.json", "{")]);
        let corpus = Corpus::load(&store);
        assert_eq!((corpus.cases.len(), corpus.errors.len()), (1, 1));
        assert_eq!(corpus.errors[0].file, "vectors/canon/episode/b.json");
    }

    #[test]
    fn an_id_is_the_path_of_a_case() {
        assert_eq!(id_of("vectors/canon/episode/a.json"), Some("canon/episode/a"));
        for other in ["vectors/flags.json", "vectors/a.pack/x.json", "vectors/a", "contracts/a.json", "a.json"] {
            assert_eq!(id_of(other), None, "{other}");
        }
    }
}
