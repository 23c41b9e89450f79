//! In memory, where a stop can come before any file operation.

use std::collections::BTreeSet;

use assize_verifier::kernel::{Index, MemoryHome};
use proptest::prelude::*;

use super::acts::{Act, End, act, committed, stage, stem, turn};

/// How many random sequences are tried.
fn sequences() -> ProptestConfig {
    let asked = std::env::var("ASSIZE_KERNEL_SEQUENCES").ok().and_then(|count| count.parse().ok());
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(asked.unwrap_or(10_000)) }
}

/// What may go wrong with an act.
#[derive(Clone, Debug)]
enum Mishap {
    None,
    /// The process is stopped before so many file operations are done, and recovery perhaps too.
    Stop(usize, Option<usize>),
    /// So many bytes can still be written.
    Full(usize),
}

fn mishap() -> impl Strategy<Value = Mishap> {
    prop_oneof![
        2 => Just(Mishap::None),
        3 => (0..60_usize, prop::option::of(0..6_usize)).prop_map(|(after, again)| Mishap::Stop(after, again)),
        1 => (0..1500_usize).prop_map(Mishap::Full),
    ]
}

/// Does an act with a mishap. Committed is then, after recovery, what it was or what the act makes of it, and what it was
/// unless the act promotes.
fn meet(home: &mut MemoryHome, act: &Act, mishap: &Mishap) {
    let before = committed(home);
    let mut undisturbed = home.clone();
    act.on(&mut undisturbed);
    let after = committed(&undisturbed);
    assert!(act.promotes() || before == after, "{act:?} changed committed");

    match mishap {
        Mishap::None => {
            if act.on(home) != End::Done && !matches!(act, Act::Finish { .. }) {
                assert_eq!(committed(home), before, "{act:?} failed and changed committed");
            }
        }
        Mishap::Stop(operations, again) => {
            home.stop_after(*operations);
            act.on(home);
            home.restart();
            if let Some(operations) = again {
                home.stop_after(*operations);
                let _ = Index::new(home).recover();
                home.restart();
            }
        }
        Mishap::Full(bytes) => {
            home.set_room(Some(*bytes));
            let end = act.on(home);
            home.set_room(None);
            if end != End::Done && matches!(act, Act::Promote { .. }) {
                assert_eq!(committed(home), before, "{act:?} found no room and changed committed");
            }
        }
    }
    Index::new(home).recover().unwrap();
    let found = committed(home);
    let several = matches!(act, Act::Finish { .. });
    assert!(several || found == before || found == after, "{act:?} with {mishap:?} left a partial state");
    for leftover in ["index/committed.__new", "index/.promoting", "index/committed.__bak", "index/.writing"] {
        assert_eq!(home.below(leftover).count(), 0, "{leftover} outlasts recovery");
    }
}

proptest! {
    #![proptest_config(sequences())]

    #[test]
    fn committed_is_exactly_old_or_new(acts in prop::collection::vec((act(), mishap()), 1..12)) {
        let mut home = MemoryHome::default();
        for (act, mishap) in &acts {
            meet(&mut home, act, mishap);
        }
        assert!(home.below("").all(|(path, _)| path == "index" || path.starts_with("index/")));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn what_an_index_knows_is_what_there_is(acts in prop::collection::vec(act(), 1..20)) {
        let (mut known, mut anew) = (MemoryHome::default(), MemoryHome::default());
        let mut index = Index::new(&mut known);
        for act in &acts {
            prop_assert_eq!(act.with(&mut index), act.with(&mut Index::new(&mut anew)), "{:?}", act);
        }
        prop_assert_eq!(known, anew);
    }

    #[test]
    fn a_promotion_is_done_once(acts in prop::collection::vec(act(), 0..12), turn in turn(), again in stage()) {
        let mut home = MemoryHome::default();
        for act in acts {
            act.on(&mut home);
        }
        let promotion = Act::Promote { turn };
        if promotion.on(&mut home) == End::Done {
            again.on(&mut home);
            let before = home.clone();
            prop_assert_eq!(promotion.on(&mut home), End::Refused);
            prop_assert_eq!(home, before);
        }
    }

    #[test]
    fn the_order_of_staging_in_a_turn_is_no_matter(
        earlier in prop::collection::vec(act(), 0..8),
        staged in prop::collection::vec(stage(), 1..6),
        deleted in stem(),
        into in turn(),
    ) {
        // One version of each stem, all in one turn.
        let mut stems = BTreeSet::new();
        let mut staged: Vec<Act> = staged.into_iter().filter_map(|act| match act {
            Act::Stage { stem, body, links, .. } => {
                stems.insert(stem.clone()).then(|| Act::Stage { turn: into.clone(), stem, body, links })
            }
            _ => None,
        }).collect();
        staged.push(Act::Delete { turn: into.clone(), stems: vec![deleted] });
        let mut forwards = MemoryHome::default();
        for act in earlier {
            act.on(&mut forwards);
        }
        let mut backwards = forwards.clone();
        for act in &staged {
            act.on(&mut forwards);
        }
        for act in staged.iter().rev() {
            act.on(&mut backwards);
        }
        let promotion = Act::Promote { turn: into };
        prop_assert_eq!(promotion.on(&mut forwards), promotion.on(&mut backwards));
        prop_assert_eq!(committed(&forwards), committed(&backwards));
    }
}

/// A run of two turns, promoted and stopped before each of its file operations in turn.
#[test]
fn every_file_operation_of_a_promotion_may_be_the_last() {
    let home = |operations: Option<usize>| {
        let mut home = MemoryHome::default();
        let first = [("turn-0001", "a", "{}"), ("turn-0001", "b", LINKS)];
        for (turn, stem, links) in first.into_iter().chain([("turn-0002", "a", LINKS), ("turn-0002", "c", "{}")]) {
            staging(turn, stem, links).on(&mut home);
        }
        promotion("turn-0001").on(&mut home);
        let old = committed(&home);
        operations.into_iter().for_each(|operations| home.stop_after(operations));
        let end = promotion("turn-0002").on(&mut home);
        home.restart();
        (home, old, end)
    };
    let (undisturbed, old, _) = home(None);
    let new = committed(&undisturbed);
    assert_ne!(old, new);
    let mut seen = BTreeSet::new();
    for operations in 0.. {
        let (mut stopped, _, end) = home(Some(operations));
        Index::new(&mut stopped).recover().unwrap();
        let found = committed(&stopped);
        assert!(found == old || found == new, "stopped after {operations}");
        seen.insert(found == new);
        // Whatever happened, the turn is in place once it is promoted again, and counted once.
        let again = promotion("turn-0002").on(&mut stopped);
        assert_eq!(again, if found == new { End::Refused } else { End::Done }, "stopped after {operations}");
        assert_eq!(committed(&stopped), new);
        assert_eq!(stopped.below("index/staging/r/turn-0002").count(), 0, "stopped after {operations}");
        if end == End::Done && stopped == undisturbed {
            assert!(operations > 20, "a promotion is more than {operations} file operations");
            break;
        }
    }
    assert_eq!(seen.len(), 2, "some stops come before the switch, and some after it");
}

const LINKS: &str = r#"{"k": [{"type": "skill", "id": "x"}]}"#;

fn turn_of(id: &str) -> assize_verifier::kernel::path_safety::Turn {
    use assize_verifier::kernel::path_safety::{RunId, Turn, TurnId};
    Turn { run: RunId::parse("r").unwrap(), id: TurnId::parse(id).unwrap() }
}

fn staging(turn: &str, stem: &str, links: &str) -> Act {
    let stem = assize_verifier::kernel::path_safety::Stem::parse(stem).unwrap();
    let body = r#"{"dto_type": "skill", "id": "x"}"#.to_owned();
    Act::Stage { turn: turn_of(turn), stem, body, links: links.to_owned() }
}

fn promotion(turn: &str) -> Act {
    Act::Promote { turn: turn_of(turn) }
}
