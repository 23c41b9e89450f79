//! The shims themselves, so that a broken one is never taken for a guilty library: each core, with the writer that the readers of its
//! language share, behind a library of which every answer is known, and the adapters of writers with a stub.
//!
//! What is known stands in the corpus: the numbers of RFC 8785's appendix B, its samples, and forms beside them. No expectation here is
//! a shim's own. `tests/shims/known.toml` is the table that the bench is given. Those of Python are tried by themselves, and with
//! `shims` among the words of `ASSIZE_LANGUAGES` those of every language. A language whose toolchain is missing is skipped, with a line
//! that says so; with `required` too that is a failure.
//!
//! ```text
//! ASSIZE_LANGUAGES=shims cargo test --workspace --test it -- shims --nocapture
//! ```

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

use crate::support::{is_said, run_in};

/// What each case came to, by its name without the law.
type Outcomes = BTreeMap<String, String>;

/// What a stub makes of its three cases: it writes, it refuses, and it slips, which is no refusal.
const STUB: [(&str, &str); 3] = [("empty-array", "PASS"), ("null", "WRONG-VERDICT"), ("sheet-string", "FAULT")];

fn source(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// A copy of all shims, with what is known in a folder beside them.
struct Shims(tempfile::TempDir);

impl Shims {
    fn new() -> Self {
        let shims = Self(tempfile::tempdir().unwrap());
        copied(&source("shims"), &shims.path("."));
        copied(&source("tests/shims"), &shims.path("known"));
        fs::rename(shims.path("known/known.toml"), shims.path("known.toml")).unwrap();
        shims
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    /// Puts those with this in their name on the bench, and gives what is kept of each.
    fn bench(&self, scratch: &Path, only: &[&str]) -> Vec<Value> {
        let kept = self.path("kept");
        let mut args = vec!["bench", "known.toml", "--timeout", "3600000", "--jobs", "2"];
        args.extend(["--out", kept.to_str().unwrap(), "--scratch", scratch.to_str().unwrap()]);
        args.extend(only.iter().flat_map(|part| ["--only", part]));
        let ran = run_in(self.0.path(), &args, b"");
        assert!([0, 3].contains(&ran.code), "{}", ran.stderr);
        let mut files: Vec<_> = fs::read_dir(&kept).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files.iter().map(|file| serde_json::from_slice(&fs::read(file).unwrap()).unwrap()).collect()
    }

    /// Makes a slip in a shim.
    fn slip(&self, path: &str, right: &str, wrong: &str) {
        let text = fs::read_to_string(self.path(path)).unwrap();
        assert_eq!(text.matches(right).count(), 1, "{path}: {right}");
        fs::write(self.path(path), text.replace(right, wrong)).unwrap();
    }
}

fn copied(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let (path, to) = (entry.as_ref().unwrap().path(), to.join(entry.unwrap().file_name()));
        if path.is_dir() {
            copied(&path, &to);
        } else {
            fs::copy(&path, &to).unwrap();
        }
    }
}

/// Why one could not be tried, where what it needs is not here.
fn missing(kept: &Value) -> Option<&str> {
    let why = kept["why"].as_str().filter(|_| kept["state"] == "not-installed")?;
    (why.ends_with(" is not installed") || why.starts_with("cargo fetch")).then_some(why)
}

/// What is wrong with a shim, of which the answers of its library are known.
fn wrong(kept: &Value) -> Vec<String> {
    let name = kept["implementation"]["name"].as_str().unwrap();
    if kept["state"] != "judged" {
        return vec![format!("{name}: {}", kept["why"])];
    }
    let outcomes: Outcomes = kept["report"]["result"]["cases"]
        .as_array()
        .unwrap()
        .iter()
        .map(|case| {
            let id = case["id"].as_str().unwrap();
            (id.rsplit('/').next().unwrap().to_owned(), case["outcome"].as_str().unwrap().to_owned())
        })
        .collect();
    let stub = (name == "stub").then(|| BTreeMap::from(STUB));
    let enough = if stub.is_some() { STUB.len() } else { 200 };
    assert!(outcomes.len() >= enough, "{name}: {outcomes:?}");
    let right = |case: &str| stub.as_ref().map_or(Some("PASS"), |stub| stub.get(case).copied());
    let wrong = outcomes.iter().filter(|(case, outcome)| right(case) != Some(outcome));
    wrong.map(|(case, outcome)| format!("{name}: {case}: {outcome}")).collect()
}

#[test]
fn every_shim_says_what_its_library_said() {
    let required = is_said("required");
    // Most of the others are built first, which takes a minute.
    let only: &[&str] = if is_said("shims") { &[] } else { &["json.loads", "stub@python"] };
    // What is built for one run serves the next.
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("shims");
    let (mut tried, mut troubles) = (Vec::new(), Vec::new());
    for kept in Shims::new().bench(&scratch, only) {
        let language = kept["implementation"]["language"].as_str().unwrap().to_owned();
        match missing(&kept) {
            Some(why) if !required => eprintln!("{language:<12}skipped: {why}"),
            Some(why) => troubles.push(format!("{language}: {why}")),
            None => {
                troubles.extend(wrong(&kept).iter().map(|trouble| format!("{language}: {trouble}")));
                tried.push(language);
            }
        }
    }
    assert!(troubles.is_empty(), "{troubles:#?}");
    assert!(tried.iter().filter(|language| *language == "python").count() == 2, "{tried:?}");
}

#[test]
fn a_slip_of_a_shim_is_seen() {
    let shims = Shims::new();
    // An exponent without its sign, and every exception taken for a refusal.
    shims.slip("python/read.py", "e{point - 1:+d}", "e{point - 1}");
    shims.slip("python/canon.py", "except REFUSES as error", "except Exception as error");
    let all = shims.bench(&shims.path("scratch"), &["json.loads", "stub@python"]);
    let wrong: Vec<_> = all.iter().map(wrong).collect();
    assert_eq!(wrong.len(), 2);
    assert!(wrong[0].contains(&"json.loads: appendix-b-ten-to-23: WRONG-OUTPUT".to_owned()), "{wrong:?}");
    assert_eq!(wrong[1], ["stub: sheet-string: WRONG-VERDICT"]);
}

#[test]
fn the_table_of_the_shims_is_whole() {
    let place = source("shims/README.md");
    let text = fs::read_to_string(&place).unwrap();
    let (mut named, mut told) = (Vec::new(), String::new());
    for line in text.split_inclusive('\n') {
        let cells: Vec<&str> = line.split('|').collect();
        let files: Vec<&str> = match cells[..] {
            ["", files, _, ..] => files.split('`').skip(1).step_by(2).collect(),
            _ => Vec::new(),
        };
        if files.is_empty() || !source("shims").join(files[0]).is_file() {
            told += line;
            continue;
        }
        let lines = files.iter().map(|file| {
            let text = fs::read(source("shims").join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
            text.iter().filter(|octet| **octet == b'\n').count().to_string()
        });
        let lines = format!(" {} ", lines.collect::<Vec<_>>().join(", "));
        told += &[&cells[..2], &[&lines], &cells[3..]].concat().join("|");
        named.extend(files.into_iter().map(|file| source("shims").join(file)));
    }
    let mut there = vec![place.clone()];
    let mut open = vec![source("shims")];
    while let Some(folder) = open.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                open.push(path)
            } else if path != place {
                there.push(path)
            }
        }
    }
    named.push(place.clone());
    there.retain(|path| !path.components().any(|part| part.as_os_str() == "__pycache__"));
    named.sort();
    there.sort();
    assert_eq!(named, there, "{} names each file once", place.display());
    if env::var_os("ASSIZE_SNAPSHOTS").is_some_and(|asked| asked == "update") {
        fs::write(&place, &told).unwrap();
    }
    assert_eq!(fs::read_to_string(&place).unwrap(), told, "ASSIZE_SNAPSHOTS=update writes the numbers of lines");
}
