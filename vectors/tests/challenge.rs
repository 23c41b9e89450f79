//! Challenge sets: what they hold, and that the built-in verifier passes them.
//!
//! That the expectations are right is not shown here, since they may not come from the verifier: second sources judge them in
//! `conformance/dev`.

use std::collections::{BTreeMap, BTreeSet};

use assize_corpus::{
    agreement::Outcome,
    challenge::{ALL, Count, TABLE, Table, challenge_set, every_challenge, files, is_challenge},
    handler::InProcess,
    operation,
    store::{self, Store},
    trial,
    vector::{Case, Corpus},
};

fn corpus() -> Corpus {
    Corpus::load(&Store::embedded())
}

/// How many seeds: `ASSIZE_CHALLENGES`, or a few.
fn seeds(few: usize) -> usize {
    std::env::var("ASSIZE_CHALLENGES")
        .map_or(few, |count| count.parse().expect("ASSIZE_CHALLENGES is a number of seeds"))
}

#[test]
fn the_verifier_passes_every_challenge_of_every_case() {
    let corpus = corpus();
    let (mut wrong, mut counts) = (Vec::new(), BTreeMap::<_, usize>::new());
    for seed in 0..seeds(1) {
        let seed = format!("every {seed}");
        for case in corpus.cases.values() {
            for challenge in every_challenge(case, &seed) {
                *counts.entry(challenge.relation).or_default() += 1;
                let judgement = trial::run(&challenge.case, &mut InProcess);
                if !matches!(judgement.outcome, Outcome::Pass | Outcome::NotApplicable) {
                    let places: Vec<_> = judgement.mismatches.iter().map(ToString::to_string).collect();
                    wrong.push(format!(
                        "{} {}: {}\n   {}",
                        challenge.relation,
                        case.id,
                        judgement.outcome,
                        places.join("\n   ")
                    ));
                }
            }
        }
    }
    println!("{counts:?}");
    assert!(wrong.is_empty(), "{} of {counts:?} differ:\n{}", wrong.len(), wrong.join("\n"));
    for relation in &ALL {
        assert!(counts.get(relation.name).is_some_and(|count| *count >= 20), "{}: {counts:?}", relation.name);
    }
}

/// Every law has its number of challenges under every seed: what a run counts hangs on no seed.
#[test]
fn a_set_is_that_of_its_seed_and_full_for_every_law() {
    let corpus = corpus();
    let cases = corpus.cases.values().fold(BTreeMap::<_, usize>::new(), |mut laws, case| {
        *laws.entry(case.law().to_owned()).or_default() += 1;
        laws
    });
    let without = &Table::embedded().without;
    for seed in 0..seeds(2) {
        let seed = seed.to_string();
        let set = challenge_set(&corpus, &seed, Count::Fifth);
        let mut laws: BTreeMap<String, usize> = cases.keys().map(|law| (law.clone(), 0)).collect();
        for challenge in &set {
            *laws.get_mut(challenge.case.law()).expect("a law of the corpus") += 1;
        }
        let short: Vec<_> = laws
            .iter()
            .filter(|(law, count)| **count != if without.contains_key(*law) { 0 } else { Count::Fifth.of(cases[*law]) })
            .collect();
        assert!(short.is_empty(), "seed {seed}: {short:?}");
        assert!(set.len() >= corpus.cases.len() / 5, "{}", set.len());
        let again = challenge_set(&corpus, &seed, Count::Fifth);
        assert_eq!(files(&set), files(&again));
        let ids: BTreeSet<_> = set.iter().map(|challenge| &challenge.case.id).collect();
        assert_eq!(ids.len(), set.len());
        for challenge in &set {
            let judgement = trial::run(&challenge.case, &mut InProcess);
            let passes = matches!(judgement.outcome, Outcome::Pass | Outcome::NotApplicable);
            assert!(passes, "{} of {}: {:?}", challenge.case.id, challenge.base, judgement.mismatches);
        }
    }
}

/// A set is a corpus: written and read again, its cases ask and expect the same.
#[test]
fn a_written_set_is_read_as_it_was_made() {
    let corpus = corpus();
    let set = challenge_set(&corpus, "written", Count::Each(3));
    let store = Store::memory(files(&set).into_iter().map(|(path, text)| (format!("vectors/{path}"), text)));
    let read = Corpus::load(&store);
    assert!(read.errors.is_empty(), "{:?}", read.errors);
    assert_eq!(read.cases.len(), set.len());
    for challenge in &set {
        let (made, read) = (&challenge.case, &read.cases[&challenge.case.id]);
        let asked = |case: &Case| (case.op.clone(), case.args.clone(), case.request(None).docs);
        assert_eq!(asked(made), asked(read), "{}", made.id);
        let nodes = |case: &Case| case.answers().map(|expect| expect.node()).collect::<Vec<_>>();
        assert_eq!(nodes(made), nodes(read), "{}", made.id);
        assert_eq!((&made.force, &made.spec, made.agreement), (&read.force, &read.spec, read.agreement), "{}", made.id);
        assert_eq!(format!("{:?}", made.files.keys()), format!("{:?}", read.files.keys()), "{}", made.id);
    }
}

/// The table and the makers name the same relations; it names no operation and no law that there is not.
#[test]
fn the_table_describes_what_there_is() {
    let read = |path| serde_json::from_slice::<serde_json::Value>(store::embedded(path).unwrap()).unwrap();
    let schema = jsonschema::validator_for(&read("contracts/interface/relations.schema.json")).unwrap();
    if let Err(error) = schema.validate(&read(TABLE)) {
        panic!("{TABLE}: {error}");
    }
    let table = Table::load(&Store::embedded()).unwrap();
    let described: Vec<_> = table.relations.iter().map(|relation| relation.name.as_str()).collect();
    let made: Vec<_> = ALL.iter().map(|relation| relation.name).collect();
    assert_eq!(described, made);
    let corpus = corpus();
    for relation in &table.relations {
        assert!(!relation.statement.is_empty() && !relation.operations.is_empty(), "{}", relation.name);
        for op in &relation.operations {
            assert!(operation::table().find(op).is_some(), "{}: {op}", relation.name);
        }
        for law in relation.except.keys().chain(table.without.keys()) {
            assert!(corpus.laws.contains_key(law), "{}: {law}", relation.name);
        }
    }
    // No case has an id that a challenge could have.
    assert!(!corpus.cases.keys().any(|id| is_challenge(id)));
}
