//! The target `episode_verify` reaches every verdict and phase, and its oracle can fail.
use std::collections::BTreeMap;

use assize_fuzzing::oracles::packs::{agrees, binding, judge, same};
use assize_fuzzing::target::Target;
use assize_fuzzing::targets::EpisodeVerify;
use assize_inputs::packs::{Change, ChangedPack};
use assize_inputs::seed::noise;
use assize_verifier::episode::Verdict;

fn packs(count: u64) -> impl Iterator<Item = ChangedPack> {
    (0..count).filter_map(|seed| EpisodeVerify::decode(&noise(seed + 1_000, 512)))
}

/// A lawful pack that matches.
fn lawful(wanted: impl Fn(&ChangedPack) -> bool) -> ChangedPack {
    let plain = |pack: &ChangedPack| pack.facts.as_ref().is_some_and(|facts| facts.divergent.is_empty());
    packs(1_000).find(|pack| plain(pack) && wanted(pack)).unwrap()
}

#[test]
fn every_verdict_and_phase_is_reached() {
    let mut seen: BTreeMap<String, u64> = BTreeMap::new();
    let mut count = |what: String| *seen.entry(what).or_default() += 1;
    for pack in packs(600) {
        EpisodeVerify::check(&pack).unwrap_or_else(|why| panic!("{why}"));
        let made = if pack.facts.is_some() { "lawful" } else { "forged" };
        for (when, files) in
            [(made, &pack.before), (if pack.change == Change::Respelt { "respelt" } else { "tampered" }, &pack.after)]
        {
            let found = judge(files).unwrap();
            count(format!("{when}: {} {}", found.verdict.name(), found.phase.number()));
        }
        if let Some(facts) = &pack.facts {
            count(if facts.all_passed { "every step passed" } else { "a step failed" }.to_owned());
            if !facts.skipped.is_empty() {
                count("a step was skipped".to_owned());
            }
        }
    }
    for what in [
        "lawful: MATCH 4",
        "lawful: DIVERGE 4",
        "forged: INTEGRITY_FAIL 1",
        "forged: INTEGRITY_FAIL 2",
        "forged: INTEGRITY_FAIL 3",
        "respelt: MATCH 4",
        "respelt: DIVERGE 4",
        "tampered: MATCH 4",
        "tampered: DIVERGE 4",
        "tampered: INTEGRITY_FAIL 1",
        "tampered: INTEGRITY_FAIL 2",
        "tampered: INTEGRITY_FAIL 3",
        "every step passed",
        "a step failed",
        "a step was skipped",
    ] {
        let times = seen.get(what).copied().unwrap_or_default();
        assert!(times >= 3, "{what}: {times} times: {seen:#?}");
    }
}

#[test]
fn a_maker_who_is_contradicted_is_heard() {
    let pack = lawful(|pack| pack.facts.as_ref().unwrap().order.len() > 1);
    let (facts, found) = (pack.facts.unwrap(), judge(&pack.before).unwrap());
    agrees(&found, &facts).unwrap();
    let mut wrong = [facts.clone(), facts.clone(), facts.clone(), facts];
    wrong[0].all_passed = !wrong[0].all_passed;
    wrong[1].order.reverse();
    wrong[2].divergent = wrong[2].order.clone();
    let first = wrong[3].order[0].clone();
    wrong[3].skipped.push(first);
    for facts in wrong {
        assert!(agrees(&found, &facts).is_err(), "{facts:?}");
    }
}

/// A trace that is another value is told from one that is spelt in another way, by the judgements and by the list of changes.
#[test]
fn another_value_is_no_spelling() {
    let listed = |pack: &ChangedPack| {
        String::from_utf8_lossy(&pack.before["pack_manifest.json"]).contains("episode_contract.json")
    };
    let pack = lawful(|pack| !listed(pack));
    let (facts, before) = (pack.facts.unwrap(), pack.before);
    let id = facts.order.iter().find(|id| !facts.skipped.contains(id)).unwrap();
    let path = format!("recorded_traces/{id}.json");
    let found = judge(&before).unwrap();

    let mut other = before.clone();
    other.insert(path.clone(), b"\"no trace of this run\"".to_vec());
    let changed = judge(&other).unwrap();
    assert_eq!(changed.verdict, Verdict::Diverge);
    assert!(same(&found, &changed).is_err());
    assert_eq!(binding(&before, &other, &facts), [path.as_str()]);

    let mut spelt = before.clone();
    spelt.get_mut(&path).unwrap().extend_from_slice(b" \r\n\t");
    same(&found, &judge(&spelt).unwrap()).unwrap();
    assert!(binding(&before, &spelt, &facts).is_empty());
    // What is bound by its bytes tells, whatever its value.
    let mut spelt = before.clone();
    spelt.get_mut("receipt_pack.jsonl").unwrap().push(b'\n');
    assert_eq!(binding(&before, &spelt, &facts), ["receipt_pack.jsonl"]);
    assert_eq!(judge(&spelt).unwrap().verdict, Verdict::IntegrityFail);
    let mut free = before.clone();
    free.insert("NOTES.txt".to_owned(), b"anything".to_vec());
    free.insert("_unsigned/x".to_owned(), b"anything".to_vec());
    assert!(binding(&before, &free, &facts).is_empty());
}
