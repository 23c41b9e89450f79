//! Whatever is cited can be read: every place of a vector, of a law and of a ruling stands in `contracts/specs`, every ruling in
//! `contracts/rulings`, and nothing cites a document that is not in the repository.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use assize_corpus::{
    challenge::Table,
    store::Store,
    table::SpecTable,
    vector::{
        Corpus, Spec, System,
        ruling::{Decision, Documents, RULINGS, Rulings, named},
    },
};

/// What can be cited.
struct Known {
    places: BTreeMap<String, BTreeSet<String>>,
    rulings: Rulings,
}

impl Known {
    fn load() -> Self {
        let store = Store::embedded();
        let mut places = BTreeMap::new();
        for document in Documents::load(&store).unwrap().into_iter().flat_map(|file| file.documents) {
            let sections: BTreeSet<String> = document.places.iter().map(|place| place.section.clone()).collect();
            assert_eq!(sections.len(), document.places.len(), "{}: a section is listed twice", document.title);
            assert!(places.insert(document.title.clone(), sections).is_none(), "{} is listed twice", document.title);
        }
        Self { places, rulings: Rulings::load(&store).unwrap() }
    }

    fn has_ruling(&self, id: &str) -> bool {
        self.rulings.iter().any(|(_, ruling)| ruling.id == id)
    }

    fn has(&self, spec: &Spec) -> bool {
        if spec.document == RULINGS {
            return self.has_ruling(&spec.section);
        }
        self.places.get(&spec.document).is_some_and(|sections| sections.contains(&spec.section))
    }
}

#[test]
fn every_citation_of_a_case_law_table_or_relation_resolves() {
    let (known, corpus) = (Known::load(), Corpus::load(&Store::embedded()));
    let mut unknown: Vec<String> = Vec::new();
    for case in corpus.cases.values() {
        if !known.has(&case.spec) {
            unknown.push(format!("{}: {}, {}", case.id, case.spec.document, case.spec.section));
        }
        for id in named(case).into_iter().filter(|id| !known.has_ruling(id)) {
            unknown.push(format!("{}: no ruling {id}", case.id));
        }
    }
    for law in corpus.laws.values().filter(|law| !known.has(&law.spec)) {
        unknown.push(format!("{}: {}, {}", law.slug, law.spec.document, law.spec.section));
    }
    let store = Store::embedded();
    for path in SpecTable::paths(&store) {
        let table = SpecTable::load(&store, path).unwrap();
        let places = table.spec.iter().filter(|place| !known.has(place));
        unknown.extend(places.map(|place| format!("{path}: {}, {}", place.document, place.section)));
        let rulings = table.rulings.iter().filter(|id| !known.has_ruling(id));
        unknown.extend(rulings.map(|id| format!("{path}: no ruling {id}")));
    }
    for relation in &Table::load(&store).unwrap().relations {
        let places = relation.spec.iter().filter(|place| !known.has(place));
        unknown.extend(places.map(|place| format!("{}: {}, {}", relation.name, place.document, place.section)));
    }
    for system in System::load(&Store::embedded()).unwrap() {
        let absent = system.documents.iter().filter(|title| !known.places.contains_key(*title));
        unknown.extend(absent.map(|title| format!("{}: {title}", system.name)));
    }
    assert!(unknown.is_empty(), "{} citations lead nowhere:\n{}", unknown.len(), unknown.join("\n"));
}

#[test]
fn every_ruling_is_whole_and_stands_at_known_places() {
    let known = Known::load();
    let systems = System::load(&Store::embedded()).unwrap();
    let mut seen = BTreeSet::new();
    for (system, ruling) in known.rulings.iter() {
        let id = &ruling.id;
        assert!(seen.insert(id.clone()), "{id} is listed twice");
        let called = systems.iter().find(|known| known.name == *system).is_some_and(|system| system.rules(id));
        assert!(called, "{id}: rulings of {system} are called otherwise, or no such system is declared");
        assert!(ruling.places.iter().all(|place| place.document != RULINGS && known.has(place)), "{id}: a place");
        let modes = matches!(ruling.ruling, Decision::Modes { .. });
        assert!(!modes || system == "sovereign", "{id}: {system} has one mode");
    }
    let used: BTreeSet<&str> = seen.iter().filter_map(|id| id.split('-').next()).collect();
    assert_eq!(used, systems.iter().flat_map(|system| &system.rulings).map(String::as_str).collect());
    // The rulings of a family are numbered from one and none is missing; all have as many digits as the shortest at least.
    for (family, numbers) in numbered(&seen) {
        let digits = numbers.iter().map(String::len).min().unwrap_or_default();
        let expected: BTreeSet<String> = (1..=numbers.len()).map(|number| format!("{number:0digits$}")).collect();
        assert_eq!(numbers, expected, "{family}: a number is missing");
    }
}

/// The numbers of each family of ids, of those ids that have one.
fn numbered(ids: &BTreeSet<String>) -> BTreeMap<&str, BTreeSet<String>> {
    let mut families: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (family, number) in ids.iter().filter_map(|id| id.rsplit_once('-')) {
        families.entry(family).or_default().insert(number.to_owned());
    }
    families
}

/// Words that name what a reader of this repository does not have. Written in two parts, so that this file is not a find.
const FOREIGN: [(&str, &str); 6] = [
    ("facts", "/"),
    ("fact ", "sheet"),
    ("style: ", "habit"),
    ("design: ", "section"),
    ("../", "shared"),
    ("(habit", " "),
];
/// Folders that hold no text of ours, and the history, which tells of what was.
const SKIPPED: [&str; 5] = [".git", "target", "node_modules", "__pycache__", "CHANGELOG.md"];

#[test]
fn nothing_cites_what_is_not_here() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let (mut found, mut files) = (Vec::new(), 0);
    walk(&top, &mut |path, text| {
        files += 1;
        let lower = text.to_lowercase();
        for (head, tail) in FOREIGN {
            let word = format!("{head}{tail}");
            // Not where a longer word ends so.
            let whole = |(at, _): (usize, &str)| !lower[..at].ends_with(|c: char| c.is_ascii_alphanumeric());
            if lower.match_indices(&word).any(whole) {
                found.push(format!("{}: {word}", path.display()));
            }
        }
        if text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.')).any(is_file_of_a_specification) {
            found.push(format!("{}: the file name of a specification", path.display()));
        }
    });
    assert!(files > 9_000, "{files} files");
    assert!(found.is_empty(), "{} files cite what is not here:\n{}", found.len(), found.join("\n"));
}

/// Three digits, an underscore, sixteen hexadecimal digits, `.txt`.
fn is_file_of_a_specification(word: &str) -> bool {
    let Some((number, rest)) = word.split_once('_') else { return false };
    let Some(digest) = rest.strip_suffix(".txt") else { return false };
    number.len() == 3 && digest.len() == 16 && digest.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn walk(folder: &Path, see: &mut dyn FnMut(&Path, &str)) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if SKIPPED.iter().any(|skipped| entry.file_name() == *skipped) {
            continue;
        }
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            walk(&path, see);
        } else if kind.is_file()
            && let Ok(text) = fs::read_to_string(&path)
        {
            see(&path, &text);
        }
    }
}
