//! Challenge sets: what they hold, and that the built-in verifier passes them.
//!
//! That the expectations are right is not shown here, since they may not come from the verifier: second sources judge them in
//! `conformance/dev`.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use assize_corpus::{
    agreement::Outcome,
    challenge::{ALL, Challenge, Count, TABLE, Table, challenge_set, every_challenge, files, is_challenge},
    operation,
    store::{self, Store},
    trial,
    vector::{
        Case, Corpus,
        ruling::{RULINGS, Rulings, Stands},
    },
};

fn corpus() -> Corpus {
    Corpus::load(&Store::embedded())
}

/// How many seeds are asked for with `ASSIZE_CHALLENGE_SEEDS`.
fn seeds() -> Option<usize> {
    let asked = std::env::var("ASSIZE_CHALLENGE_SEEDS").ok()?;
    Some(asked.parse().expect("ASSIZE_CHALLENGE_SEEDS is a number of seeds"))
}

#[test]
fn the_verifier_passes_every_challenge_of_every_case() {
    let corpus = corpus();
    let (mut wrong, mut counts) = (Vec::new(), BTreeMap::<_, usize>::new());
    // Without being asked for more, some cases. Sets of many seeds are for another test.
    let (seeds, step, least) = seeds().map_or((1, 23, 0), |seeds| (seeds.min(5), 1, 4 * seeds.min(5)));
    for seed in 0..seeds {
        let seed = format!("every {seed}");
        for case in corpus.cases.values().step_by(step) {
            for challenge in every_challenge(case, &seed) {
                *counts.entry(challenge.relation).or_default() += 1;
                let judgement = trial::verify(&challenge.case);
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
        assert!(
            counts.get(relation.name).is_some_and(|count| *count >= least) || least == 0,
            "{}: {counts:?}",
            relation.name
        );
    }
}

/// Every law has its number of challenges under every seed: what a run counts hangs on no seed. The built-in verifier passes each set.
/// Without being asked for more, a set is the beginning of the one that a run of the same seed adds.
#[test]
fn the_verifier_passes_every_set_and_each_is_full_for_every_law() {
    let corpus = corpus();
    let cases = corpus.cases.values().fold(BTreeMap::<_, usize>::new(), |mut laws, case| {
        *laws.entry(case.law().to_owned()).or_default() += 1;
        laws
    });
    let (seeds, count) = seeds().map_or((5, Count::Each(2)), |seeds| (seeds, Count::Fifth));
    let (next, passed) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds {
                return;
            }
            let set = challenge_set(&corpus, &seed.to_string(), count);
            full(&cases, &set, seed, count);
            for challenge in &set {
                let judgement = trial::verify(&challenge.case);
                let passes = matches!(judgement.outcome, Outcome::Pass | Outcome::NotApplicable);
                assert!(passes, "seed {seed}: {} of {}: {:?}", challenge.case.id, challenge.base, judgement.mismatches);
            }
            let passed = passed.fetch_add(1, Ordering::Relaxed) + 1;
            if passed.is_multiple_of(50) {
                eprintln!("{passed} sets passed, the last of {} challenges", set.len());
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    println!("{} sets passed", passed.into_inner());
    let [one, again] = [(); 2].map(|()| challenge_set(&corpus, "0", Count::Each(1)));
    assert_eq!(files(&one), files(&again));
    // A run adds at least a fifth of the corpus.
    assert!(cases.values().map(|cases| Count::Fifth.of(*cases)).sum::<usize>() >= corpus.cases.len() / 5);
}

fn full(cases: &BTreeMap<String, usize>, set: &[Challenge], seed: usize, count: Count) {
    let without = &Table::embedded().without;
    let mut laws: BTreeMap<&str, usize> = cases.keys().map(|law| (law.as_str(), 0)).collect();
    for challenge in set {
        *laws.get_mut(challenge.case.law()).expect("a law of the corpus") += 1;
    }
    let wanted = |law: &str| if without.contains_key(law) { 0 } else { count.of(cases[law]) };
    let short: Vec<_> = laws.iter().filter(|(law, count)| **count != wanted(law)).collect();
    assert!(short.is_empty(), "seed {seed}: {short:?}");
    let ids: BTreeSet<_> = set.iter().map(|challenge| &challenge.case.id).collect();
    assert_eq!(ids.len(), set.len());
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

/// Every operation has a relation of each rewriting, or one reason why it has none.
#[test]
fn every_operation_has_each_rewriting_or_a_reason() {
    let table = Table::load(&Store::embedded()).unwrap();
    let rewritings: BTreeSet<_> = table.rewritings.iter().map(|rewriting| rewriting.name.as_str()).collect();
    assert_eq!(rewritings.len(), table.rewritings.len());
    for relation in &table.relations {
        assert!(rewritings.contains(relation.rewriting.as_str()), "{}: {}", relation.name, relation.rewriting);
    }
    let mut wrong = Vec::new();
    for rewriting in &table.rewritings {
        let reasons: Vec<_> = rewriting.none.iter().flat_map(|reason| &reason.operations).collect();
        let unknown = reasons.iter().filter(|op| operation::table().find(op).is_none());
        wrong.extend(unknown.map(|op| format!("{}: there is no operation {op}", rewriting.name)));
        for operation in &operation::table().operations {
            let of_rewriting = table.relations.iter().filter(|relation| relation.rewriting == rewriting.name);
            let related = of_rewriting.filter(|relation| relation.operations.contains(&operation.name)).count();
            let reasoned = reasons.iter().filter(|op| **op == &operation.name).count();
            match (related, reasoned) {
                (0, 0) => wrong.push(format!("{}: {} has no relation and no reason", rewriting.name, operation.name)),
                (0, 1) | (_, 0) => {}
                _ => wrong.push(format!(
                    "{}: {} has {related} relations and {reasoned} reasons",
                    rewriting.name, operation.name
                )),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
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
    // A ruling that a relation rests on is one that decides: what the text says binds by the text.
    let rulings = Rulings::load(&Store::embedded()).unwrap();
    for relation in &table.relations {
        for (op, id) in &relation.rulings {
            let (_, ruling) = rulings.find(id).unwrap_or_else(|| panic!("{}: {id}", relation.name));
            assert!(relation.operations.contains(op) && ruling.stands != Stands::Says, "{}: {op} {id}", relation.name);
            let named = relation.spec.iter().any(|place| place.document == RULINGS && place.section == *id);
            assert!(named, "{}: {id} is not among its places", relation.name);
        }
        let kept = &relation.kept_for;
        assert!(!kept.kills.is_empty() || kept.why.is_some(), "{}: for what is it kept?", relation.name);
    }
    // No case has an id that a challenge could have.
    assert!(!corpus.cases.keys().any(|id| is_challenge(id)));
}
