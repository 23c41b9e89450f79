//! The oracle of `relations` against answers that hang on what they may not hang on, and the operations that its inputs ask.
use std::collections::BTreeMap;

use assize_corpus::testee::{Answer, Output};
use assize_corpus::vector::Case;
use assize_fuzzing::oracles::rewritings::{hold, verifier};
use assize_fuzzing::target::Target;
use assize_fuzzing::targets::{Relations, Rewritten};
use assize_inputs::seed::noise;

use crate::stream::setting;

fn inputs(count: u64) -> impl Iterator<Item = Rewritten> {
    (0..count).filter_map(|seed| Relations::decode(&noise(seed, usize::try_from(200 + seed * 37 % 1_500).unwrap())))
}

/// A testee that is right but for one thing, and how many of some questions tell.
fn told(wrong: impl Fn(&Case, Answer) -> Answer) -> usize {
    let asks = |case: &Case| verifier(case).map(|answer| wrong(case, answer));
    inputs(setting("ASSIZE_RUNS", 150)).filter(|input| hold(&input.case().unwrap(), &input.seed, asks).is_err()).count()
}

#[test]
fn an_answer_that_hangs_on_layout_is_noticed() {
    // Not a rejection, so that both answers are lawful by themselves.
    let wrong = |case: &Case, answer: Answer| match case.inputs.values().next() {
        Some(document) if document.bytes().ends_with(b" ") => Answer::accept([("late", Output::Value(true.into()))]),
        _ => answer,
    };
    assert!(told(wrong) > 0);
}

#[test]
fn relations_hold_for_what_every_target_makes() {
    let (mut held, mut wrong) = (BTreeMap::<String, usize>::new(), BTreeMap::new());
    for input in inputs(setting("ASSIZE_RUNS", 150)) {
        match hold(&input.case().unwrap(), &input.seed, verifier) {
            Ok(count) => *held.entry(input.question.op.clone()).or_default() += count,
            // The first of each relation and operation, which begin the message.
            Err(why) => {
                wrong.entry(why.lines().next().unwrap_or_default().to_owned()).or_insert(why);
            }
        }
    }
    println!("{held:?}");
    assert!(wrong.is_empty(), "{}", wrong.into_values().collect::<Vec<_>>().join("\n\n"));
    let ops = held.into_iter().filter(|(_, count)| *count > 0).count();
    assert!(ops >= 10, "{ops} operations");
}
