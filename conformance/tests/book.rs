//! README and book show what is printed: every `console` block is run where the examples lie, and its output compared; every
//! other block is a file of the examples or says why it is not run; every link and every path leads somewhere; every law has
//! a page.
//!
//! `ASSIZE_BOOK=update` writes what was printed into the blocks that differ, for review: what they left out by `...` is lost.
//! The blocks are not handed to a tool for Markdown tests, since they have pipes and redirections and go on from each other.

mod links;
mod page;
mod session;

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use page::{Fence, Page};
use rayon::prelude::*;
use serde_json::Value;
use session::Session;

/// The top of the repository.
fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Where the examples lie.
const EXAMPLES: &str = "docs/examples";
/// Where the chapters lie.
const BOOK: &str = "docs/book/src";

/// The pages whose blocks are run, by their paths.
fn pages() -> Vec<Page> {
    let mut paths = vec!["README.md".to_owned(), format!("{EXAMPLES}/README.md")];
    paths.extend(markdown_below(BOOK));
    paths.into_iter().map(|path| Page::read(&top(), path)).collect()
}

/// Every Markdown file below a folder of the repository, with its path from the top.
fn markdown_below(folder: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(top().join(&folder)).unwrap() {
            let entry = entry.unwrap();
            let path = format!("{folder}/{}", entry.file_name().to_str().unwrap());
            if entry.file_type().unwrap().is_dir() {
                open.push(path);
            } else if path.ends_with(".md") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn what_blocks_show_is_printed() {
    let update = env::var_os("ASSIZE_BOOK").is_some_and(|asked| asked == "update");
    let pages: Vec<Page> = pages().into_iter().filter(|page| page.fences().any(|fence| fence.is_console())).collect();
    assert!(pages.len() > 10, "no book was found");
    let wrong: Vec<String> = pages.par_iter().flat_map_iter(|page| check(page, update)).collect();
    assert!(
        wrong.is_empty(),
        "{}\nif the new output is right: ASSIZE_BOOK=update cargo test -p assize --test it book, and review the difference",
        wrong.join("\n")
    );
}

/// Runs the blocks of one page from top to bottom, in one copy of the examples.
fn check(page: &Page, update: bool) -> Vec<String> {
    let session = Session::begin(&top().join(EXAMPLES));
    let (mut wrong, mut printed) = (Vec::new(), Vec::new());
    for step in page.fences().filter(Fence::is_console).flat_map(|fence| fence.steps()) {
        let ran = session.run(&step.command);
        if let Some(difference) = session::difference(&step, &ran) {
            wrong.push(format!("{}:{}: {}\n{difference}", page.path, step.line, step.command));
            printed.push((step, ran));
        }
    }
    if update && !printed.is_empty() {
        fs::write(top().join(&page.path), page.with(&printed)).unwrap();
        return Vec::new();
    }
    wrong
}

#[test]
fn what_is_not_run_says_why() {
    for page in pages() {
        for fence in page.fences() {
            let place = format!("{}:{}", page.path, fence.line);
            if fence.is_console() {
                let steps = fence.steps();
                assert!(!steps.is_empty(), "{place}: a console block without a command");
                for step in steps {
                    // What leaves out all of its output compares nothing.
                    assert!(step.output.is_empty() || step.output.lines().any(|line| line != "..."), "{place}");
                }
            } else if let Some(file) = fence.note("file") {
                let path = format!("{EXAMPLES}/{file}");
                let text =
                    fs::read_to_string(top().join(&path)).unwrap_or_else(|error| panic!("{place}: {path}: {error}"));
                assert_eq!(fence.body, text, "{place}: is not {path}");
            } else {
                let why = fence.note("not run").unwrap_or_default();
                assert!(
                    why.len() > 10,
                    "{place}: make it a console block, name its file with <!-- file: PATH -->, or say why it is not run \
                     with <!-- not run: WHY -->"
                );
            }
        }
    }
}

/// Examples are what they are said to be: copies of cases, so that what decides them can be read there.
#[test]
fn examples_are_those_of_the_corpus() {
    let same = |a: &str, b: &str| {
        assert_eq!(fs::read(top().join(a)).unwrap(), fs::read(top().join(b)).unwrap(), "{a} is not {b}");
    };
    same("docs/examples/testee/atp.py", "conformance/shims/atp.py");
    for (example, case) in [
        ("lawful", "nothing-wrong"),
        ("diverged", "a-divergence-beside-a-warning"),
        ("broken", "a-broken-seal-beside-a-warning"),
    ] {
        let pack = format!("vectors/episode/verdict-precedence/{case}.pack");
        let files = files_below(&top().join(&pack));
        assert!(files.len() > 5);
        assert_eq!(files_below(&top().join(format!("{EXAMPLES}/pack/{example}"))), files);
        for file in files {
            same(&format!("{EXAMPLES}/pack/{example}/{file}"), &format!("{pack}/{file}"));
        }
    }
    let json = |path: &str| -> Value { serde_json::from_slice(&fs::read(top().join(path)).unwrap()).unwrap() };
    for (example, case) in
        [("lawful", "record-shape/audit-of-a-sound-home"), ("broken", "link-of-record/a-link-without-its-source")]
    {
        let home = top().join(format!("{EXAMPLES}/home/{example}"));
        let case = json(&format!("vectors/kernel/{case}.json"));
        let files = case["files"].as_object().unwrap();
        assert!(files.len() > 5);
        let mut names: Vec<_> = files.keys().cloned().collect();
        names.sort();
        assert_eq!(files_below(&home), names);
        for (path, file) in files {
            assert_eq!(fs::read_to_string(home.join(path)).unwrap(), file["text"].as_str().unwrap(), "{path}");
        }
    }
    let case = json("vectors/kernel/promotion/one-triplet.json");
    assert_eq!(json("docs/examples/scenario/lawful.json"), case["in"]["operations"]["json"]);
    let case = json("vectors/authority/goldens/worked-example.json");
    let inputs: Value = serde_json::from_str(case["in"]["inputs"]["text"].as_str().unwrap()).unwrap();
    assert_eq!(json("docs/examples/ledger/inputs.json"), inputs);
}

/// The paths of all files below a folder, from there.
fn files_below(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if entry.file_type().unwrap().is_dir() {
            found.extend(files_below(&entry.path()).into_iter().map(|file| format!("{name}/{file}")));
        } else {
            found.push(name);
        }
    }
    found.sort();
    found
}
