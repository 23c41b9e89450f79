//! Two makers of packs, one of them in Python, give one answer to what was recorded, and each takes the other's packs.
//!
//! `ASSIZE_EPISODES` sets the number of recorded episodes (default 400; 10,000 take minutes, since two makers sign each), `ASSIZE_SEED` the stream.

use std::collections::BTreeMap;

use arbitrary::Unstructured;
use assize_fuzzing::oracles::made_packs::{agree, verifier};
use assize_inputs::packs::RecordedEpisode;
use assize_inputs::seed::noise;
use assize_oracle::episode::{Question, make};
use assize_verifier::operation::Answer;

use crate::stream::setting;

fn episodes(default: u64) -> impl Iterator<Item = RecordedEpisode> {
    let first = setting("ASSIZE_SEED", 1) << 32;
    let drawn = (0..setting("ASSIZE_EPISODES", default))
        .map(move |seed| RecordedEpisode::draw(&mut Unstructured::new(&noise(first + seed, (seed % 700) as usize))));
    drawn.map(|drawn| drawn.expect("an episode of any bytes"))
}

#[test]
fn both_makers_agree_and_every_answer_comes() {
    let mut seen: BTreeMap<String, u64> = BTreeMap::new();
    for recorded in episodes(400) {
        let words = agree(&recorded).unwrap_or_else(|why| {
            panic!("{why}\n{:?}\n{}", recorded.damage, String::from_utf8_lossy(&recorded.contract))
        });
        for word in words {
            *seen.entry(word).or_default() += 1;
        }
    }
    println!("{seen:?}");
    for word in [
        "PASS",
        "FAIL",
        "SKIPPED",
        "A_INPUT",
        "A_SCHEMA",
        "episode/completeness",
        "episode/environment-fingerprint",
        "episode/path-safety",
        "episode/script-graph",
    ] {
        assert!(seen.get(word).copied().unwrap_or_default() >= 3, "{word} is too rare: {seen:?}");
    }
}

/// What one says of the other's pack is worth something only if it can be bad.
#[test]
fn no_byte_of_a_pack_can_be_another() {
    let plain = |recorded: &RecordedEpisode| recorded.damage.is_none();
    let recorded =
        episodes(40).find(|recorded| plain(recorded) && matches!(verifier(recorded), Ok((Answer::Accept { .. }, _))));
    let recorded = recorded.expect("a lawful episode");
    let (_, pack) = verifier(&recorded).unwrap();
    let files = recorded.files.iter().map(|(path, bytes)| (path.clone(), Some(bytes.clone()))).collect();
    let (now, private_key) = (recorded.now.as_str(), recorded.private_key.as_str());
    let question = Question { contract: &recorded.contract, files: &files, now, private_key };
    assert_eq!(make(&question, Some(&pack)).unwrap().faults[1], [""; 0]);
    for (path, bytes) in &pack {
        let Some(middle) = bytes.len().checked_sub(1).map(|last| last / 2) else { continue };
        let mut changed = pack.clone();
        changed.get_mut(path).unwrap()[middle] ^= 1;
        assert_ne!(make(&question, Some(&changed)).unwrap().faults[1], [""; 0], "{path}");
        changed.remove(path);
        assert_ne!(make(&question, Some(&changed)).unwrap().faults[1], [""; 0], "{path} gone");
    }
}
