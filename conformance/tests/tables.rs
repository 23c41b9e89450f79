//! A table of a specification is stated once: whoever changes a row of one changes what follows from it, and touches nothing else.
//!
//! `tables/changes.json` changes one row of each table. That each change fits and that no table is left out is always tested. The
//! proof makes all of them in the copy in which seeded faults are made, and builds it once: the verifier says what the changed
//! tables say, cases of the law that rests on each fail, the lint objects to what is expected and no longer listed, and what is
//! emitted names the new values.
//!
//! ```text
//! ASSIZE_ADDITIONS=all cargo test --workspace --test it tables
//! ```

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::Path,
    process::{Command, Output},
};

use assize_corpus::{store::Store, table::SpecTable};
use serde::Deserialize;

use super::seeded_faults::{
    outcome::Ran,
    repository, say,
    scratch::{Build, Built, Scratch},
};

/// Set, the copy is made and judged.
const ASKED: &str = "ASSIZE_ADDITIONS";

/// One row of a table, changed.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Change {
    /// System and name.
    table: String,
    /// Stands in it once.
    find: String,
    replace: String,
    /// The law of which cases fail then; none for what no operation answers.
    law: Option<String>,
}

impl Change {
    fn file(&self) -> String {
        let (system, name) = self.table.split_once('/').expect("system and name");
        format!("contracts/{system}/tables/{name}.json")
    }
}

fn changes() -> Vec<Change> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tables/changes.json");
    serde_json::from_slice(&fs::read(file).unwrap()).unwrap()
}

#[test]
fn one_row_of_each_table_is_changed() {
    let store = Store::embedded();
    let changes = changes();
    let changed: BTreeSet<String> = changes.iter().map(Change::file).collect();
    assert_eq!(changed.len(), changes.len(), "a table is changed twice");
    assert_eq!(changed, SpecTable::paths(&store).map(str::to_owned).collect());
    for change in changes {
        let text = String::from_utf8(store.read(&change.file()).unwrap().into_owned()).unwrap();
        assert_eq!(text.matches(&change.find).count(), 1, "{}: {} stands there once", change.table, change.find);
        let rows = |text: &str| serde_json::from_str::<SpecTable>(text).unwrap().rows;
        let (before, after) = (rows(&text), rows(&text.replace(&change.find, &change.replace)));
        let other = before.iter().zip(&after).filter(|(one, other)| one != other).count();
        assert_eq!(other + before.len().abs_diff(after.len()), 1, "{}: one row is another, or new", change.table);
    }
}

#[test]
fn everything_follows_a_changed_row() {
    if env::var_os(ASKED).is_none_or(|asked| asked.is_empty()) {
        say(&format!(
            "not run: the proof that verifier, lint and what is emitted follow the tables; \
             {ASKED}=all cargo test --workspace --test it tables runs it"
        ));
        return;
    }
    let mut scratch = Scratch::new(&repository(), Build::Tests);
    let changes = changes();
    for change in &changes {
        let path = scratch.tree().join(change.file());
        let text = fs::read_to_string(&path).unwrap();
        fs::write(path, text.replace(&change.find, &change.replace)).unwrap();
    }
    let built = scratch.built(&["vectors", "it", "tables"]).unwrap_or_else(|error| panic!("{error}"));
    // First, for what is written below is built anew.
    let Ran::Judged { failed, .. } = scratch.unspoiled() else { panic!("the vectors did not run") };
    let program = |folder: &str, name: &str| {
        let is_it = |built: &&Built| (built.folder.as_str(), built.name.as_str()) == (folder, name);
        let found = built.iter().find(is_it).unwrap_or_else(|| panic!("{folder}: Cargo has not built {name}"));
        let mut command = Command::new(&found.program);
        command.current_dir(scratch.tree().join(folder)).env_remove(ASKED);
        command
    };
    // The verifier, row by row; the files of schemas repeat rows, and are written anew by a command.
    let repeated = ["--skip", "schemas_repeat"];
    done(program("verifier", "tables").args(repeated));
    assert!(!ran(program("verifier", "tables").arg("schemas_repeat")).status.success(), "files of schemas are old");
    done(program("verifier", "tables").arg("schemas_repeat").env("ASSIZE_TABLES", "update"));
    done(&mut program("verifier", "tables"));
    linted(&mut program("vectors", "it"));
    emitted(&mut program("conformance", "assize"));
    let of = |law: &str| failed.keys().filter(|id| id.starts_with(&format!("{law}/"))).count();
    let told = changes.iter().filter_map(|change| Some((change.table.as_str(), of(change.law.as_deref()?))));
    let told: BTreeMap<&str, usize> = told.collect();
    say(&format!("cases that fail by the table that was changed: {told:?}"));
    assert!(told.values().all(|count| *count > 0), "cases of each law fail: {told:?}");
}

/// The lint objects to outputs that a closed list has no longer, and to no table.
fn linted(lint: &mut Command) {
    let Output { status, stdout, .. } = ran(lint.arg("the_corpus_is_clean"));
    let said = String::from_utf8_lossy(&stdout);
    assert!(!status.success(), "the corpus expects what is no longer listed:\n{said}");
    for word in [r#""escalate""#, r#""DIVERGE""#] {
        assert!(said.contains(&format!("not of its values: {word}")), "{word} is not among\n{said}");
    }
    assert!(!said.contains("/tables/"), "no table is at fault:\n{said}");
}

/// A kit says which values there are.
fn emitted(assize: &mut Command) {
    let folder = tempfile::tempdir().unwrap();
    let emit = ["emit", "--what", "kit", "--lang", "python", "--out"];
    done(assize.args(emit).arg(folder.path().join("kit")));
    let mut text = String::new();
    let mut pending = vec![folder.path().to_owned()];
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            pending.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else {
            text += &String::from_utf8_lossy(&fs::read(path).unwrap()).split_whitespace().collect::<Vec<_>>().join(" ");
        }
    }
    for list in ["proceed, correct-and-retry, appeal, stop", "MATCH, DIVERGED, INTEGRITY_FAIL"] {
        assert!(text.contains(list), "{list} is emitted");
    }
}

fn ran(command: &mut Command) -> Output {
    command.output().unwrap()
}

/// Runs a command that has to succeed.
#[track_caller]
fn done(command: &mut Command) {
    let Output { status, stdout, stderr } = ran(command);
    let [stdout, stderr] = [stdout, stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(status.success(), "{command:?}\n{stdout}\n{stderr}");
}
