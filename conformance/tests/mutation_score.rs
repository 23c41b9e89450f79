//! The record of what the corpus kills holds together, and the tools that gather it are tested.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use assize::mutation_score::{self, Counts, End, Judged, MutationScore, State};
use assize_corpus::store::{self, Store};
use assize_verifier::law::Law;
use serde_json::Value;

use crate::support::program;

fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn record() -> MutationScore {
    MutationScore::read(&Store::embedded()).unwrap()
}

/// What the tool that gathers calls the module of a file.
fn module_of(file: &str) -> &str {
    let name = file.strip_prefix("verifier/src/").unwrap().split('/').next().unwrap().trim_end_matches(".rs");
    if Law::SYSTEMS.contains(&name) { name } else { "others" }
}

/// Cut to one decimal.
fn percent(part: usize, of: usize) -> Option<f64> {
    (part * 1000).checked_div(of).map(|tenths| format!("{}.{}", tenths / 10, tenths % 10).parse().unwrap())
}

/// The counts that the lists of mutants give for the files that are wanted.
fn counted(score: &MutationScore, wanted: impl Fn(&str) -> bool) -> Counts {
    let ends: Vec<End> = score
        .mutants
        .iter()
        .filter(|(file, _)| wanted(file))
        .flat_map(|(_, judged)| judged.iter().map(|Judged(_, _, _, end, _)| *end))
        .collect();
    let of = |end: End| ends.iter().filter(|found| **found == end).count();
    let survivors: Vec<_> = score.survivors.iter().filter(|survivor| wanted(&survivor.file)).collect();
    let argued = survivors.iter().filter(|survivor| survivor.state.is_argued()).count();
    let bitten = of(End::Killed) + of(End::Tested) + of(End::Timeout) + of(End::Crashed);
    let scored = bitten + survivors.len() - argued;
    Counts {
        killed: of(End::Killed),
        survived: survivors.len(),
        tested: of(End::Tested),
        timeout: of(End::Timeout),
        crashed: of(End::Crashed),
        argued,
        unviable: of(End::Unviable),
        score: percent(bitten, scored),
        by_vectors: percent(bitten - of(End::Tested), scored),
    }
}

#[test]
fn has_the_shape_of_its_contract() {
    let schema = store::embedded("contracts/interface/mutation-score.schema.json").unwrap();
    let schema: Value = serde_json::from_slice(schema).unwrap();
    let text = store::embedded(mutation_score::PATH).unwrap();
    let record: Value = serde_json::from_slice(text).unwrap();
    let check = |record: &Value| -> Vec<String> {
        let validator = jsonschema::validator_for(&schema).unwrap();
        validator.iter_errors(record).map(|error| format!("{}: {error}", error.instance_path())).collect()
    };
    assert!(check(&record).is_empty(), "{:#?}", check(&record));
    assert!(text.starts_with(b"{\n  \"killed\": "), "the totals come first");
    assert!(String::from_utf8_lossy(text).lines().nth(2).unwrap().starts_with("  \"survived\": "));
    // Both sides refuse the same: the schema, and the reader of the command line.
    for (pointer, value) in [("", "1"), ("/survivors", r#"[{"state": "open"}]"#), ("/mutants", r#"{"a.rs": [["f"]]}"#)]
    {
        let mut broken = record.clone();
        *broken.pointer_mut(pointer).unwrap() = serde_json::from_str(value).unwrap();
        assert!(!check(&broken).is_empty() && serde_json::from_value::<MutationScore>(broken).is_err(), "{pointer}");
    }
}

#[test]
fn totals_and_modules_follow_from_the_mutants() {
    let score = record();
    assert_eq!(counted(&score, |_| true), score.total);
    for row in &score.modules {
        assert_eq!(counted(&score, |file| module_of(file) == row.module), row.counts, "{}", row.module);
    }
    assert_eq!(score.survivors.iter().filter(|survivor| survivor.state == State::Candidate).count(), score.candidate);
    let unjudged = score.mutants.values().flatten().filter(|Judged(_, _, _, end, _)| *end == End::Unjudged).count();
    assert_eq!(unjudged, score.unjudged);
    for survivor in &score.survivors {
        assert!(survivor.why.is_some() || !survivor.state.is_argued(), "{}", survivor.mutant());
        assert!(survivor.why.is_none() || survivor.state != State::Candidate, "{}", survivor.mutant());
    }
}

#[test]
fn every_law_has_its_row() {
    let score = record();
    let slugs: Vec<_> = score.laws.iter().map(|row| row.law.as_str()).collect();
    let (known, later): (Vec<_>, Vec<_>) =
        Law::ALL.map(|law| law.slug()).into_iter().partition(|law| slugs.contains(law));
    assert_eq!(slugs, known);
    // What was added since the record was gathered waits for the next time: no mutant of its module is listed.
    for law in later {
        let (system, name) = law.split_once('/').unwrap();
        let module = format!("verifier/src/{system}/laws/{}.rs", name.replace('-', "_"));
        assert!(!score.mutants.contains_key(&module), "{law} has mutants, and no row");
    }
    let mut kills = vec![(0, 0); slugs.len()];
    for Judged(function, replacement, _, end, rows) in score.mutants.values().flatten() {
        assert_eq!(*end == End::Killed, !rows.as_slice().is_empty(), "{replacement} in {function}");
        for row in rows.as_slice() {
            kills[*row].0 += 1;
            kills[*row].1 += usize::from(rows.as_slice().len() == 1);
        }
    }
    for (row, (all, alone)) in score.laws.iter().zip(kills) {
        assert_eq!((row.kills, row.alone, score.alone(&row.law).len()), (all, alone, alone), "{}", row.law);
    }
}

#[test]
fn every_mutant_is_named_once_in_a_file_that_is_there() {
    let score = record();
    let mut names = BTreeSet::new();
    let mut ordinals: BTreeMap<(&str, &str, &str), BTreeSet<usize>> = BTreeMap::new();
    let judged = score.mutants.iter().flat_map(|(file, judged)| {
        judged.iter().map(move |Judged(function, replacement, ordinal, ..)| (file, function, replacement, *ordinal))
    });
    let survivors = score.survivors.iter().map(|one| (&one.file, &one.function, &one.replacement, one.ordinal));
    for (file, function, replacement, ordinal) in judged.chain(survivors) {
        assert!(top().join(file).is_file(), "{file} is not there: gather anew");
        assert!(names.insert((file, function, replacement, ordinal)), "{replacement} in {function} twice");
        ordinals.entry((file, function, replacement)).or_default().insert(ordinal);
    }
    for (name, ordinals) in &ordinals {
        assert!(ordinals.iter().copied().eq(1..=ordinals.len()), "{name:?}: {ordinals:?}");
    }
}

#[test]
fn the_corpus_has_not_shrunk_and_the_patterns_are_those_of_the_tool() {
    let score = record();
    let cases = Store::embedded().below("vectors/").filter_map(assize_corpus::vector::id_of).count();
    assert!(score.cases <= cases, "{} cases judged, {cases} are left: run the mutants again", score.cases);
    let config = fs::read_to_string(top().join(".cargo/mutants.toml")).unwrap();
    let config: toml::Table = config.parse().unwrap();
    let patterns: Vec<_> = config["exclude_re"].as_array().unwrap().iter().map(|of| of.as_str().unwrap()).collect();
    assert_eq!(score.excluded, patterns, "gather anew");
}

#[test]
fn every_file_with_mutants_has_the_digest_of_what_was_judged() {
    let score = record();
    let survivors = score.survivors.iter().map(|survivor| &survivor.file);
    let files: BTreeSet<_> = score.mutants.keys().chain(survivors).collect();
    assert_eq!(files, score.sources.keys().collect());
}

/// The record takes its arguments and reasons from two lists that people write; `mutation_score.py gather` without a run copies them.
/// An argument about a mutant of newer code, which the record does not know or has not judged, waits for the next gathering.
#[test]
fn reasons_are_those_of_the_lists() {
    let mut written = BTreeSet::new();
    for (file, list) in [("equivalents.json", "equivalents"), ("open.json", "open")] {
        let text = fs::read_to_string(top().join("conformance/dev/mutation_score").join(file)).unwrap();
        let entries: Value = serde_json::from_str(&text).unwrap();
        for entry in entries[list].as_array().unwrap() {
            let member = |name: &str| entry[name].as_str().unwrap().to_owned();
            let state = entry["kind"].as_str().unwrap_or("open").to_owned();
            let key = (member("file"), member("function"), member("replacement"), entry["ordinal"].as_u64().unwrap());
            written.insert((key, state, member("why")));
        }
    }
    let score = record();
    let reasons = score.survivors.iter().filter_map(|survivor| {
        let of = survivor.mutant();
        let key = (of.file, of.function, of.replacement, of.ordinal as u64);
        survivor.why.clone().map(|why| (key, survivor.state.name().to_owned(), why))
    });
    let judged = score.mutants.iter().flat_map(|(file, rows)| {
        let judged = rows.iter().filter(|row| !matches!(row.3, End::Unviable | End::Unjudged));
        judged.map(|Judged(function, replacement, ordinal, ..)| {
            (file.clone(), function.clone(), replacement.clone(), *ordinal as u64)
        })
    });
    let survivors = score.survivors.iter().map(|survivor| {
        let of = survivor.mutant();
        (of.file, of.function, of.replacement, of.ordinal as u64)
    });
    let known: BTreeSet<_> = judged.chain(survivors).collect();
    written.retain(|(key, ..)| known.contains(key));
    assert!(!written.is_empty());
    assert_eq!(reasons.collect::<BTreeSet<_>>(), written, "gather anew");
}

#[test]
fn the_record_tells_whether_the_corpus_has_moved_on() {
    let mut score = record();
    // printf 'a\nb\n' | sha256sum
    score.case_ids = Some("911169ddaaf146aff539f58c26c489af3b892dff0fe283c1c264c65ae5aa59a2".to_owned());
    assert!(score.judged_by(&BTreeSet::from(["b", "a"])));
    assert!(!score.judged_by(&BTreeSet::from(["a", "b", "c"])) && !score.judged_by(&BTreeSet::new()));
    score.case_ids = None;
    assert!(!score.judged_by(&BTreeSet::from(["b", "a"])));
}

#[test]
fn the_readme_tells_both_scores() {
    let score = record();
    let readme = fs::read_to_string(top().join("README.md")).unwrap();
    let authority = score.modules.iter().find(|row| row.module == "authority").unwrap();
    for score in [score.total.by_vectors, score.total.score, authority.counts.by_vectors] {
        let said = format!("{:.1} %", score.unwrap());
        assert!(readme.contains(&said), "README.md does not say {said}");
    }
}

#[test]
fn the_tools_that_gather_are_tested() {
    let folder = top().join("conformance/dev/mutation_score");
    let ran = program("python3").args(["-B", "-m", "unittest", "discover", "-s"]).arg(&folder).output().unwrap();
    let said = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success() && !said.contains("Ran 0 tests"), "{said}");
}
