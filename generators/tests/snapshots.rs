//! What the templates of each language come to, for review: one file a language, for one small law.
//!
//! Runtime files can be read where they lie. `ASSIZE_SNAPSHOTS=update` writes the files anew.

use std::{collections::BTreeSet, env, fs, path::Path};

use assize_corpus::operation;
use assize_generators::{
    files::Owner,
    language::Language,
    plan::{self, Start, Wanted},
};

use crate::support;

const LAW: &str = "sovereign/deny-precedence";

/// What comes of the templates, one file after the other.
fn snapshot(mut language: Language) -> String {
    language.config.files.retain(|rule| rule.from.starts_with("templates/"));
    let wanted = Wanted { suite: true, kit: true, start: Start::Stubs };
    let package = &language.config.package.default;
    let plan = plan::project(&language, package, wanted, &support::collection(&[LAW], 2), operation::table()).unwrap();
    let mut text = format!("What the templates of {} come to, for two cases of {LAW}.\n", language.config.title);
    for (path, file) in plan.files.iter().filter(|(_, file)| file.owner == Owner::Generator) {
        let bytes = std::str::from_utf8(&file.bytes).unwrap_or_else(|error| panic!("{path}: {error}"));
        if path == ".gitattributes" || path.starts_with("vectors/") {
            continue;
        }
        text.push_str(&format!("\n=== {path}\n{bytes}"));
    }
    text
}

#[test]
fn templates_come_to_what_was_reviewed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots");
    let update = env::var_os("ASSIZE_SNAPSHOTS").is_some_and(|asked| asked == "update");
    let mut kept = BTreeSet::new();
    for name in Language::names() {
        let (path, now) = (folder.join(format!("{name}.txt")), snapshot(Language::built_in(&name).expect(&name)));
        if update {
            fs::create_dir_all(&folder).unwrap();
            fs::write(&path, &now).unwrap();
        }
        let reviewed = fs::read_to_string(&path).unwrap_or_default();
        let differs = reviewed.lines().zip(now.lines()).position(|(before, after)| before != after);
        assert!(
            reviewed == now,
            "{}: differs from line {} on; review with ASSIZE_SNAPSHOTS=update cargo test -p assize-generators --test it snapshots",
            path.display(),
            differs.unwrap_or_else(|| reviewed.lines().count().min(now.lines().count())) + 1
        );
        kept.insert(path);
    }
    let there: BTreeSet<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(there, kept, "one snapshot a language, and no other");
}
