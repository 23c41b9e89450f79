//! Many steps, long ways and wide joints.

use assize_packs::{Episode, Outcome, step};
use assize_verifier::{
    episode::{Phase, verify},
    law::Law,
    threads::Threads,
};
use serde_json::{Value, json};

use super::{
    bad_input::{CONTRACT, fails, matches},
    consistency::OPTIONS,
    memory::Memory,
};

fn id(index: usize) -> String {
    format!("s{index:06}")
}

/// An input, transforms of what came before, and an output of the last.
fn chain(length: usize) -> Episode {
    let load = (step::load("in", "seed"), Outcome::pass(json!(0)));
    let applied = (0..length).map(|index| {
        let before = if index == 0 { "in".to_owned() } else { id(index - 1) };
        (step::apply(&id(index), &[&before]), Outcome::pass(json!(index)))
    });
    let emit = (step::emit("out", "n", &id(length - 1)), Outcome::pass(json!({"n": length})));
    Episode::new(&[("seed", "0\n")], [load].into_iter().chain(applied).chain([emit]))
}

#[test]
fn a_hundred_thousand_steps_match() {
    const STEPS: usize = 100_000;
    let pack = Memory::from(chain(STEPS - 2).sealed());
    let found = matches(&pack);
    assert_eq!((found.steps_matched, found.steps.len()), (STEPS, STEPS));
    assert!(found.findings.is_empty());
    let shared = verify(&pack, &assize_verifier::episode::Options { threads: Threads::Pool, ..OPTIONS }).unwrap();
    assert_eq!((shared.replay_result, shared.details), (found.replay_result, found.details));
}

#[test]
fn a_cycle_through_ten_thousand_steps() {
    const STEPS: usize = 10_000;
    let mut pack = Memory::from(chain(STEPS).sealed());
    let mut contract: Value = serde_json::from_str(pack.text(CONTRACT)).unwrap();
    // The first transform waits for the last.
    contract["replay_script"]["steps"][1]["depends_on"] = json!([id(STEPS - 1)]);
    pack.put(CONTRACT, contract.to_string());
    let found = fails(&pack, Phase::Script, CONTRACT);
    assert!(found.findings.iter().any(|found| found.finding.law == Law::named("episode/script-graph")));
}

#[test]
fn a_step_with_ten_thousand_dependencies() {
    const WIDTH: usize = 10_000;
    let loads = (0..WIDTH).map(|index| (step::load(&id(index), "seed"), Outcome::pass(json!(index))));
    let ids: Vec<_> = (0..WIDTH).map(id).collect();
    let ids: Vec<_> = ids.iter().map(String::as_str).collect();
    let join = step::after(step::emit("out", "n", &id(0)), &ids);
    let episode = Episode::new(&[("seed", "0\n")], loads.chain([(join, Outcome::pass(json!({"n": WIDTH})))]));
    let pack = episode.sealed();
    assert_eq!(matches(&Memory::from(pack.clone())).steps_matched, WIDTH + 1);

    // The same hashes in another order are another step's.
    let mut swapped = pack;
    let join = swapped.step("out");
    swapped.receipts[join]["input_hashes"].as_array_mut().unwrap().swap(0, WIDTH - 1);
    swapped.seal();
    fails(&Memory::from(swapped), Phase::Completeness, "receipt_pack.jsonl");
}
