//! A small lawful home, and what is found once one thing about it is wrong.

use std::collections::BTreeMap;

use super::super::MemoryHome;
use super::*;
use crate::digest::Digest;
use crate::files::HomeFiles as _;
use crate::files::parent;
use crate::kernel::model::issue::Outcome;
use crate::kernel::model::snapshot::Entry;

/// What a home is to hold: folders follow from the paths of the files, and `None` is a link.
#[derive(Clone, Default)]
struct Home(BTreeMap<String, Option<Vec<u8>>>);

/// Where an object of this text lies.
fn place(text: &str) -> String {
    let hex = Digest::of(text.as_bytes()).to_hex();
    let (fan, _) = hex.split_at(2);
    format!("index/committed/objects/{fan}/{hex}")
}

impl Home {
    fn put(&mut self, path: &str, text: impl Into<Vec<u8>>) {
        self.0.insert(path.to_owned(), Some(text.into()));
    }

    fn object(&mut self, text: &str) -> String {
        let hex = Digest::of(text.as_bytes()).to_hex();
        self.put(&place(text), text);
        hex
    }

    fn triplet(&mut self, stem: &str, links: &str) -> String {
        let (body, manifest) = (self.object(&format!(r#"{{"id":"{stem}"}}"#)), self.object("{}"));
        let links = self.object(links);
        let record = format!(
            r#"{{"body_digest":"{body}","links_digest":"{links}","lsi_version":"lsi/v1","manifest_digest":"{manifest}","stem":"{stem}","updated_at_turn":"turn-0001"}}"#
        );
        self.put(&format!("index/committed/triplets/{stem}.json"), record);
        links
    }

    fn references(&mut self, id: &str, sources: &[String]) {
        let sources = sources.join(",");
        let record = format!(r#"{{"id":"{id}","lsi_version":"lsi/v1","sources":[{sources}],"type":"skill"}}"#);
        self.put(&format!("index/committed/refs/by_id/skill/{id}.json"), record);
    }

    fn made(&self) -> MemoryHome {
        let mut home = MemoryHome::default();
        for (path, bytes) in &self.0 {
            home.create_folder(parent(path)).expect("a folder");
            match bytes {
                None => home.put_link(path),
                Some(bytes) => home.create(path, bytes).expect("a file"),
            }
        }
        home
    }

    /// Changes a file's text.
    fn change(&self, path: &str, from: &str, to: &str) -> Self {
        let mut home = self.clone();
        let text = String::from_utf8(home.0[path].clone().expect("a file")).expect("UTF-8");
        assert!(text.contains(from), "{path}: {text}");
        home.put(path, text.replacen(from, to, 1));
        home
    }

    fn without(&self, path: &str) -> Self {
        let mut home = self.clone();
        assert!(home.0.remove(path).is_some(), "{path}");
        home
    }

    fn with(&self, path: &str, text: &str) -> Self {
        let mut home = self.clone();
        home.put(path, text);
        home
    }
}

fn source(stem: &str, location: &str, relationship: &str, digest: &str) -> String {
    format!(r#"{{"artifact_digest":"{digest}","location":"{location}","relationship":{relationship},"stem":"{stem}"}}"#)
}

const LINKS: &str = r#"{"skill":{"id":"a","relationship":"declares","type":"skill"}}"#;
const MORE: &str = r#"{"k":[{"id":"a","type":"skill"},{"id":"b","type":"skill"}]}"#;
const LEDGER: &str = "index/committed/index/run_ledger.json";
const ONE: &str = "index/committed/triplets/data/one.v1.json";
const SKILL_A: &str = "index/committed/refs/by_id/skill/a.json";

/// Two triplets that name the same target, one of them another one too.
fn lawful() -> Home {
    let mut home = Home::default();
    let one = home.triplet("data/one.v1", LINKS);
    let two = home.triplet("data/two", MORE);
    home.references(
        "a",
        &[source("data/one.v1", "/links/skill", r#""declares""#, &one), source("data/two", "/links/k/0", "null", &two)],
    );
    home.references("b", &[source("data/two", "/links/k/1", "null", &two)]);
    home.put(LEDGER, r#"{"lsi_version":"lsi/v1","runs":{"r/1":"turn-0001"}}"#);
    home
}

fn found(home: &Home) -> Vec<(String, &'static str)> {
    let findings = audit(&home.made(), None, &Ran::default());
    findings.iter().map(|finding| (finding.pointer.as_str().to_owned(), finding.law.slug())).collect()
}

fn expect(home: &Home, expected: &[(&str, &'static str)]) {
    let expected: Vec<_> = expected.iter().map(|(path, law)| (format!("/{path}"), *law)).collect();
    assert_eq!(found(home), expected);
}

#[test]
fn a_lawful_home_and_an_empty_one_are_found_lawful() {
    expect(&lawful(), &[]);
    expect(&Home::default(), &[]);
    let mut staged = lawful();
    let record = staged.0[ONE].clone().expect("a record");
    staged.put("index/staging/a%2Fb/turn-0002/triplets/data/one.v1.json", record);
    staged.put("index/staging/%2E%2E/turn-0001/triplets/x.tombstone.json", "whatever promotion says of it");
    expect(&staged, &[]);
    // Beside the index a home may hold what it likes, and the emptied record of a reference stays.
    let mut more = lawful().with("notes.txt", "x");
    more.references("gone", &[]);
    expect(&more, &[]);
}

#[test]
fn records_have_their_shape() {
    let shape = "kernel/record-shape";
    for (from, to) in [("lsi/v1", "lsi/v2"), (r#""stem""#, r#""more":1,"stem""#), ("{", ""), ("turn-0001", "turn-1")] {
        expect(&lawful().change(ONE, from, to), &[(ONE, shape)]);
    }
    for (from, to) in [("null", "1"), (r#""sources""#, r#""source""#), ("}", "")] {
        expect(&lawful().change(SKILL_A, from, to), &[(SKILL_A, shape)]);
    }
}

#[test]
fn objects_have_the_digest_of_their_name_and_are_there() {
    let law = "kernel/object-digest";
    let object = place(LINKS);
    expect(&lawful().change(&object, "declares", "declared"), &[(&object, law)]);
    expect(&lawful().without(&object), &[(ONE, law)]);
    let spaced = "{ }";
    let object = place(spaced);
    expect(&lawful().with(&object, spaced), &[(&object, law)]);
}

#[test]
fn sources_are_sorted() {
    let home = lawful();
    let text = String::from_utf8(home.0[SKILL_A].clone().expect("a file")).expect("UTF-8");
    let (before, after) = text.split_once("[").expect("sources");
    let (sources, rest) = after.split_once("]").expect("sources");
    let (one, two) = sources.split_once("},{").expect("two sources");
    let swapped = format!("{before}[{{{}}},{}}}]{rest}", two.trim_end_matches('}'), one);
    expect(&home.with(SKILL_A, &swapped), &[(SKILL_A, "kernel/sort-order")]);
}

#[test]
fn both_ends_of_a_reference_say_the_same() {
    let (links, sources) = ("kernel/link-of-record", "kernel/source-of-record");
    let b = "index/committed/refs/by_id/skill/b.json";
    let two = "index/committed/triplets/data/two.json";
    expect(&lawful().without(b), &[(two, links)]);
    expect(&lawful().without(two), &[(SKILL_A, sources), (b, sources)]);
    for (from, to) in [("/links/k/1", "/links/k/2"), ("null", r#""causes""#), ("data/two", "data/three")] {
        expect(&lawful().change(b, from, to), &[(b, sources), (two, links)]);
    }
    let mut extra = lawful();
    extra.references("c", &[source("data/two", "/links/k/1", "null", &Digest::of(MORE.as_bytes()).to_hex())]);
    expect(&extra, &[("index/committed/refs/by_id/skill/c.json", sources)]);
}

#[test]
fn what_is_of_no_use_is_found_where_it_lies() {
    let law = "kernel/path-safety";
    for path in [
        "index/other",
        "index/committed/x",
        "index/committed/refs/other/x",
        "index/committed/refs/by_id/loose.json",
        "index/committed/refs/by_id/skill/b/c.json",
        "index/committed/objects/44/short",
        "index/committed/triplets/data/x.txt",
        "index/committed/triplets/data/x.tombstone.json",
        "index/committed/triplets/a\\b.json",
        "index/committed/index/x",
        "index/staging/loose",
        "index/staging/r/loose",
        "index/staging/r/turn-0001/index/run_ledger.json",
    ] {
        let place = match path {
            "index/committed/refs/other/x" => "index/committed/refs/other",
            "index/staging/r/turn-0001/index/run_ledger.json" => "index/staging/r/turn-0001/index",
            path => path,
        };
        expect(&lawful().with(path, "{}"), &[(place, law)]);
    }
    for folder in ["index/staging/a:b", "index/staging/a%2fb", "index/staging/r/turn-1", "index/staging/r/x"] {
        expect(&lawful().with(&format!("{folder}/turn-0001/triplets"), "{}"), &[(folder, law)]);
    }
    // An object in another object's folder.
    let hex = Digest::of(b"{}").to_hex();
    let astray = format!("index/committed/objects/00/{hex}");
    expect(&lawful().with(&astray, "{}"), &[(&astray, law)]);
}

#[test]
fn a_record_lies_where_its_name_leads() {
    let law = "kernel/path-safety";
    let cut = "index/committed/triplets/data/one.json";
    let mut home = lawful();
    let record = home.0.remove(ONE).flatten().expect("a record");
    home.put(cut, record);
    expect(&home, &[(cut, law)]);
    let astray = "index/committed/refs/by_id/tool/a.json";
    let mut home = lawful();
    let record = home.0.remove(SKILL_A).flatten().expect("a record");
    home.put(astray, record);
    expect(&home, &[(astray, law)]);
}

#[test]
fn damage_is_found_and_breaks_nothing() {
    let law = "kernel/path-safety";
    for path in ["index", "index/committed", "index/committed/objects", "index/staging"] {
        let mut home = lawful();
        home.0.retain(|file, _| !file.starts_with(&format!("{path}/")));
        home.put(path, "a file where a folder is due");
        assert!(found(&home).contains(&(format!("/{path}"), law)), "{path}: {:?}", found(&home));
        home.0.insert(path.to_owned(), None);
        assert!(found(&home).contains(&(format!("/{path}"), law)), "{path}: {:?}", found(&home));
    }
    let mut linked = lawful();
    linked.0.insert("index/committed/triplets/link.json".to_owned(), None);
    expect(&linked, &[("index/committed/triplets/link.json", law)]);
}

#[test]
fn the_ledger_names_the_last_turn_of_each_run() {
    for text in [
        "",
        "[]",
        r#"{"lsi_version":"lsi/v1"}"#,
        r#"{"lsi_version":"lsi/v1","runs":[]}"#,
        r#"{"lsi_version":"lsi/v1","runs":{"r":1}}"#,
        r#"{"lsi_version":"lsi/v1","runs":{"r":"turn-01"}}"#,
        r#"{"lsi_version":"lsi/v1","runs":{"r":"turn-0001","r":"turn-0002"}}"#,
        r#"{"lsi_version":"lsi/v1","runs":{},"last_promoted_turn_id":"turn-0001"}"#,
        r#"{"lsi_version":"v1","runs":{}}"#,
    ] {
        expect(&lawful().with(LEDGER, text), &[(LEDGER, "kernel/ledger")]);
    }
    expect(&lawful().with(LEDGER, r#"{"lsi_version":"lsi/v1","runs":{}}"#), &[]);
}

#[test]
fn committed_may_not_be_gone() {
    let mut home = Home::default();
    for (path, text) in lawful().0 {
        home.0.insert(path.replace("committed", "committed.__new"), text);
    }
    expect(&home, &[("index/committed", "kernel/promotion-atomicity")]);
    // Beside a committed tree the leftovers harm nobody.
    home.0.extend(lawful().0);
    expect(&home, &[]);
}

#[test]
fn a_promotion_that_is_decided_may_not_be_left_half_carried_out() {
    let unfinished = [("index/committed", "kernel/promotion-atomicity")];
    const PAGE: &str = r#"{"deleted":["gone"],"lsi_version":"lsi/v1","run_id":"r","turn_id":"turn-0001"}"#;
    let decided = || lawful().with("index/.promoting/promotion.json", PAGE);
    expect(&decided().with("index/.promoting/triplets/a.json", ""), &unfinished);
    expect(&decided().with("index/.promoting/refs/by_id/t/a.json", ""), &unfinished);
    // What nobody can read is not known to be carried out.
    expect(&lawful().with("index/.promoting/promotion.json", "{}"), &unfinished);
    // Everything is in place, and only to be cleaned up.
    expect(&decided(), &[]);
    // The rest of one that was carried out harms nobody; what is no folder is none.
    expect(&lawful().with("index/.promoting/triplets/a", ""), &[]);
    expect(&lawful().with("index/.promoting", ""), &[("index/.promoting", "kernel/path-safety")]);
}

fn change(after: &Home, operation: Option<&str>, outcome: Option<Outcome>) -> Vec<(String, &'static str)> {
    let before = Snapshot::take(&lawful().made()).expect("a snapshot");
    let findings = audit(&after.made(), Some(&before), &Ran { operation, outcome });
    findings.iter().map(|finding| (finding.pointer.as_str().to_owned(), finding.law.slug())).collect()
}

#[test]
fn only_a_promotion_changes_committed() {
    let (pass, fail) = (Some(Outcome::Pass), Some(Outcome::Fail));
    let ledger = lawful().change(LEDGER, "turn-0001", "turn-0002");
    let staged = lawful().with("index/staging/r/turn-0001/triplets/x.tombstone.json", "{}");
    for operation in ["promote", "finish_run", "stage_triplet", "execute_turn"] {
        for outcome in [pass, fail, None] {
            assert_eq!(change(&staged, Some(operation), outcome), [], "{operation}");
        }
    }
    let place = format!("/{LEDGER}");
    for operation in [Some("stage_triplet"), Some("execute_turn"), Some("validate_links"), None] {
        assert_eq!(change(&ledger, operation, pass), [(place.clone(), "kernel/fortress")]);
    }
    assert_eq!(change(&ledger, Some("promote"), pass), []);
    assert_eq!(change(&ledger, Some("finish_run"), fail), [], "the turns before the one that failed");
    assert_eq!(change(&ledger, Some("crash"), None), []);
    assert_eq!(change(&ledger, Some("promote"), fail), [(place, "kernel/promotion-atomicity")]);
}

#[test]
fn a_snapshot_of_files_alone_says_that_their_folders_were_there() {
    let home = lawful();
    let files: Vec<_> = home.0.iter().filter_map(|(path, content)| Some((path, content.as_ref()?))).collect();
    let members: Vec<_> =
        files.iter().map(|(path, bytes)| format!("\"{path}\":\"{}\"", Digest::of(bytes).to_hex())).collect();
    let before = Snapshot::parse(format!("{{{}}}", members.join(",")).as_bytes()).expect("a snapshot");
    let ran = Ran { operation: Some("stage_triplet"), outcome: Some(Outcome::Pass) };
    assert_eq!(audit(&home.made(), Some(&before), &ran), []);
    let grown = home.with("index/committed/objects/00/x", "");
    let found: Vec<_> = audit(&grown.made(), Some(&before), &ran)
        .into_iter()
        .filter(|found| found.law.slug() == "kernel/fortress")
        .collect();
    let places: Vec<_> = found.iter().map(|found| found.pointer.as_str()).collect();
    assert_eq!(places, ["/index/committed/objects/00", "/index/committed/objects/00/x"]);
}

#[test]
fn tree_and_ledger_change_together() {
    let mut emptied = lawful();
    emptied.references("gone", &[]);
    let folder = "/index/committed/refs/by_id/skill/gone.json".to_owned();
    for outcome in [Some(Outcome::Pass), None] {
        assert_eq!(change(&emptied, Some("promote"), outcome), [(folder.clone(), "kernel/promotion-atomicity")]);
    }
    assert_eq!(change(&emptied, Some("finish_run"), Some(Outcome::Pass)).len(), 1);
}

#[test]
fn a_snapshot_is_read_as_it_was_written() {
    let taken = Snapshot::take(&lawful().made()).expect("a snapshot");
    assert_eq!(Snapshot::parse(&taken.canonical()).expect("a snapshot"), taken);
    assert_eq!(taken.get("index/committed/index"), Some(Entry::Folder));
    let ledger = lawful().0[LEDGER].clone().expect("a ledger");
    assert_eq!(taken.get(LEDGER), Some(Entry::File(Digest::of(&ledger))));
    for text in ["[]", r#"{"a":"file"}"#, r#"{"a":1}"#, r#"{"a":"dir","a":"dir"}"#] {
        assert_eq!(Snapshot::parse(text.as_bytes()).expect_err(text).codes(), ["A_INPUT"], "{text}");
    }
    let mut linked = lawful();
    linked.0.insert("index/link".to_owned(), None);
    assert_eq!(Snapshot::take(&linked.made()).expect_err("a link").path, "index/link");
}
