//! What a new law touches, and what a new system touches: their own files, and for a law one line of the order that calls it.
//!
//! `additions/law` is a toy law in a system that is there, `additions/law-order.json` its line of order, and
//! `additions/system` a toy system with a law, a ruling, an operation and a level of its own. That they lie in the places
//! that `CONTRIBUTING.md` names is always tested. The proof lays both over a copy of the repository, the one in which
//! seeded faults are made, and runs what compares lists of laws and systems:
//!
//! ```text
//! ASSIZE_ADDITIONS=all cargo test --workspace --test it additions
//! ```

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use serde::Deserialize;

use super::seeded_faults::{
    declared,
    declared::SeededFault,
    outcome::Ran,
    repository, say,
    scratch::{Build, Built, Scratch},
};

/// Set, the copy is made and judged.
const ASKED: &str = "ASSIZE_ADDITIONS";
/// The system that gets a law, and its law.
const LAW: (&str, &str) = ("reply", "toy-number");
/// The new system, and its law.
const SYSTEM: (&str, &str) = ("toy", "even");
/// Tests of the copy that compare declarations with what derives from them, by the folder of their package.
const HELD: [(&str, &str, &[&str]); 3] = [
    ("vectors", "it", &["lint", "citations"]),
    ("verifier", "invariants", &[]),
    ("conformance", "it", &["catalogue", "census", "every_law", "every_seeded_fault_is_one"]),
];

/// The line of a system's order that calls the new law.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Order {
    /// From the top of the repository.
    file: String,
    /// Stands there once.
    find: String,
    /// The same and one line more.
    replace: String,
}

impl Order {
    fn read() -> Self {
        serde_json::from_slice(&fs::read(data("law-order.json")).unwrap()).unwrap()
    }

    /// The file's text with the line.
    fn applied(&self, top: &Path) -> String {
        let text = fs::read_to_string(top.join(&self.file)).unwrap();
        assert_eq!(text.matches(&self.find).count(), 1, "{:?} stands once in {}", self.find, self.file);
        text.replace(&self.find, &self.replace)
    }
}

#[test]
fn a_law_is_four_things_and_a_line_of_order() {
    let (system, name) = LAW;
    let places = [
        format!("contracts/laws/{system}/{name}.json"),
        format!("verifier/src/{system}/laws/{}.rs", name.replace('-', "_")),
        format!("vectors/{system}/{name}/"),
        format!("conformance/tests/seeded_faults/{system}/{name}--"),
    ];
    stands_in(&places, "law");
    let order = Order::read();
    let below = order.file.strip_prefix(&format!("verifier/src/{system}/")).expect("a file of the system's own");
    assert!(!below.starts_with("laws") && !below.starts_with("model"), "{below}: neither a law nor a model");
    let line = order.replace.strip_prefix(&order.find).expect("what stood there, and more");
    assert_eq!((line.lines().count(), line.ends_with('\n')), (1, true), "{line:?}");
    assert_ne!(order.applied(&repository()), "");
}

#[test]
fn a_system_is_its_own_folders_and_files() {
    let (system, name) = SYSTEM;
    let places = [
        format!("contracts/{system}/"),
        format!("contracts/laws/{system}/"),
        format!("contracts/specs/{system}.json"),
        format!("contracts/rulings/{system}.json"),
        format!("contracts/interface/operations/{system}.json"),
        format!("verifier/src/{system}/"),
        format!("vectors/{system}/{name}/"),
        format!("conformance/tests/seeded_faults/{system}/{name}--"),
    ];
    stands_in(&places, "system");
}

/// Every file of an addition is new and lies in one of the places, and each of these is used.
#[track_caller]
fn stands_in(places: &[String], addition: &str) {
    let files = files(addition);
    let place_of = |file: &String| places.iter().find(|place| file.starts_with(place.as_str()));
    let used: BTreeSet<&String> =
        files.iter().map(|file| place_of(file).unwrap_or_else(|| panic!("{file}: a place of its own"))).collect();
    assert_eq!(used, places.iter().collect());
    for file in files {
        assert!(!repository().join(&file).exists(), "{file} is there already");
    }
}

#[test]
fn both_are_whole_where_nothing_else_is_touched() {
    if env::var_os(ASKED).is_none_or(|asked| asked.is_empty()) {
        say(&format!(
            "not run: the proof that a law and a system are added by their own files; \
             {ASKED}=all cargo test --workspace --test it additions runs it"
        ));
        return;
    }
    let mut scratch = Scratch::new(&repository(), Build::Tests);
    lay(&scratch);
    let built = scratch.built(&["vectors", "it", "invariants"]).unwrap_or_else(|error| panic!("{error}"));
    let program = |folder: &str, name: &str| {
        let is_it = |built: &&Built| (built.folder.as_str(), built.name.as_str()) == (folder, name);
        let found = built.iter().find(is_it).unwrap_or_else(|| panic!("{folder}: Cargo has not built {name}"));
        let mut command = Command::new(&found.program);
        command.current_dir(scratch.tree().join(folder));
        command
    };
    for (folder, test, filters) in HELD {
        let text = done(unasked(program(folder, test).args(filters)));
        assert!(!text.contains("test result: ok. 0 passed"), "{folder}: no test fits one of {filters:?}");
        say(&format!("{folder}: {}", text.lines().rev().find(|line| line.starts_with("test result")).unwrap()));
    }
    listed(|| program("conformance", "assize"));
    let laws = [LAW, SYSTEM].map(|(system, name)| format!("{system}/{name}"));
    let known = declared::laws(scratch.tree());
    assert!(laws.iter().all(|law| known.contains_key(law)), "{known:?}");
    assert_eq!(scratch.unspoiled(), Ran::Judged { passed: known.values().sum(), failed: BTreeMap::new() });
    bites(&scratch, &laws);
}

/// A wrong expectation fails, and so does the verifier with a mistake in the law.
fn bites(scratch: &Scratch, laws: &[String]) {
    for law in laws {
        let file =
            files("law").into_iter().chain(files("system")).find(|file| file.starts_with(&format!("vectors/{law}/")));
        let path = scratch.tree().join(file.unwrap());
        let text = fs::read_to_string(&path).unwrap();
        let (accept, reject) = (r#""is": "accept""#, r#""is": "reject""#);
        let wrong = if text.contains(accept) { text.replace(accept, reject) } else { text.replace(reject, accept) };
        fs::write(&path, wrong).unwrap();
        let id = format!("{law}/{}", path.file_stem().unwrap().to_str().unwrap());
        let Ran::Judged { failed, .. } = scratch.law(law) else { panic!("{law}: no judgement") };
        assert_eq!(failed.into_keys().collect::<Vec<_>>(), [id], "the wrong expectation fails");
        fs::write(&path, text).unwrap();
    }
    for file in files("law").into_iter().chain(files("system")).filter(|file| file.contains("/seeded_faults/")) {
        let fault: SeededFault = serde_json::from_slice(&fs::read(scratch.tree().join(&file)).unwrap()).unwrap();
        let text =
            fs::read_to_string(scratch.sources().join(&fault.file)).unwrap().replace(&fault.find, &fault.replace);
        let Ran::Judged { failed, .. } = scratch.spoiled(&fault.file, &text, &fault.law) else { panic!("{file}") };
        assert!(!failed.is_empty() && failed.keys().all(|id| id.starts_with(&fault.law)), "{file}: {failed:?}");
    }
}

/// The program of the copy lists the laws, the ruling, the operation and the level.
fn listed(assize: impl Fn() -> Command) {
    let ask = |args: &[&str], expected: &str| {
        let text = done(assize().args(args));
        assert!(text.contains(expected), "{args:?} does not say {expected:?}:\n{text}");
    };
    ask(&["laws", "reply/toy-number"], "No code has the number 777");
    ask(&["laws", "toy/even"], "toy.halve");
    ask(&["explain", "TOY-1"], "Zero is even");
    ask(&["certify", "--level", "toy"], "3 of 3 cases pass");
    ask(&["certify", "--filter", "reply/toy-number"], "2 of 2 asked");
}

/// Lays both additions over the copy.
fn lay(scratch: &Scratch) {
    for addition in ["law", "system"] {
        for file in files(addition) {
            let to = scratch.tree().join(&file);
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::copy(data(addition).join(&file), to).unwrap();
        }
    }
    let order = Order::read();
    fs::write(scratch.tree().join(&order.file), order.applied(scratch.tree())).unwrap();
}

/// The files of an addition, as paths from the top of the repository, in order.
fn files(addition: &str) -> Vec<String> {
    let top = data(addition);
    let (mut pending, mut found) = (vec![top.clone()], Vec::new());
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                pending.push(entry);
            } else {
                found.push(entry.strip_prefix(&top).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    found.sort();
    found
}

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/additions").join(name)
}

/// The same command without what somebody asked of the tests around it.
fn unasked(command: &mut Command) -> &mut Command {
    for (name, _) in env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("ASSIZE_")) {
        command.env_remove(name);
    }
    command
}

/// What a command prints that has to succeed.
#[track_caller]
fn done(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let [stdout, stderr] = [stdout, stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(status.success(), "{command:?}\n{stdout}\n{stderr}");
    stdout
}
