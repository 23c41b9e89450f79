//! The generated pairs and texts reach what they are meant to reach.
use std::collections::BTreeMap;

use assize_inputs::{Pair, pairs::seeded_json_text};
use assize_oracle::{AbortClass, Canonical, Outcome, PythonProfile, canonical, compare};
use proptest::prelude::*;

#[path = "support/strategies.rs"]
mod strategies;

use strategies::{json_texts, pairs};

const PAIRS: u64 = 2_000;
const STATUSES: [&str; 3] = ["EQUIVALENT", "DIVERGENT", "ERROR"];
const SURFACES: [&str; 5] = ["decision_record", "issue", "transition", "bundle_digest", "schema"];
const CODES: [&str; 4] = [
    "E_REPLAY_INPUT_MISSING",
    "E_REPLAY_VERSION_MISMATCH",
    "E_REPLAY_EQUIVALENCE_FAILED",
    "E_REGISTRY_DIGEST_MISMATCH",
];

#[derive(Default)]
struct Tally(BTreeMap<String, u64>);

impl Tally {
    fn count(&mut self, kind: &str, what: &str) {
        *self.0.entry(format!("{kind} {what}")).or_default() += 1;
    }

    fn of(&self, kind: &str, what: &str) -> u64 {
        self.0.get(&format!("{kind} {what}")).copied().unwrap_or_default()
    }
}

fn tally(seeds: std::ops::Range<u64>) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds {
        let pair = Pair::seeded(seed);
        match compare(&(&pair).into()).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{pair:?}")) {
            Outcome::Abort(class) => tally.count("abort", class.name()),
            Outcome::Report(octets) => {
                // As text: a report may hold numbers that serde_json has no room for.
                let text = String::from_utf8(octets).expect("UTF-8");
                for (kind, names) in [("status", &STATUSES[..]), ("surface", &SURFACES), ("reason_code", &CODES)] {
                    for name in names {
                        for _ in text.matches(&format!(r#""{kind}":"{name}""#)) {
                            tally.count(kind, name);
                        }
                    }
                }
            }
        }
    }
    tally
}

#[test]
fn pairs_reach_every_surface_code_and_class() {
    let tally = tally(0..PAIRS);
    for (what, count) in &tally.0 {
        println!("{count:6} {what}");
    }
    let judged = tally.of("status", "EQUIVALENT") + tally.of("status", "DIVERGENT");
    assert!(judged * 100 >= PAIRS * 25, "{judged} judged");
    for status in ["EQUIVALENT", "DIVERGENT"] {
        assert!(tally.of("status", status) * 100 >= PAIRS * 20, "{status}");
    }
    assert!(tally.of("status", "ERROR") > 0);
    let aborts: u64 = AbortClass::ALL.iter().map(|class| tally.of("abort", class.name())).sum();
    assert!(aborts * 100 >= PAIRS * 15, "{aborts} aborts");
    for class in AbortClass::ALL.into_iter().filter(|class| *class != AbortClass::RecursionError) {
        assert!(tally.of("abort", class.name()) > 0, "{class}");
    }
    for surface in SURFACES {
        assert!(tally.of("surface", surface) > 0, "{surface}");
    }
    for code in CODES {
        assert!(tally.of("reason_code", code) > 0, "{code}");
    }
}

#[test]
fn texts_reach_every_answer() {
    let mut tally = Tally::default();
    for seed in 0..PAIRS {
        let text = seeded_json_text(seed);
        for profile in [PythonProfile::Sovereign, PythonProfile::Authority] {
            let kind = format!("{profile:?}");
            match canonical(profile, &text).expect("an answer") {
                Canonical::Bytes(_) => tally.count(&kind, "bytes"),
                Canonical::Refused(class) => tally.count(&kind, &format!("refused {class}")),
                Canonical::Unreadable(class) => tally.count(&kind, &format!("unreadable {class}")),
            }
        }
    }
    for (what, count) in &tally.0 {
        println!("{count:6} {what}");
    }
    for profile in ["Sovereign", "Authority"] {
        assert!(tally.of(profile, "bytes") * 100 >= PAIRS * 40, "{profile}");
        for rare in ["refused ValueError", "refused UnicodeEncodeError", "unreadable ValueError"] {
            assert!(tally.of(profile, rare) > 0, "{profile} {rare}");
        }
    }
}

/// Bytes that run out make equal, lawful sides: what proptest shrinks towards.
#[test]
fn nothing_makes_a_lawful_pair_of_equal_sides() {
    let pair = Pair::from_bytes(&[]);
    let Outcome::Report(octets) = compare(&(&pair).into()).expect("an outcome") else { panic!("an abort") };
    let report: serde_json::Value = serde_json::from_slice(&octets).expect("JSON");
    assert_eq!(report["status"], "EQUIVALENT", "{pair:?}");
    assert_eq!(pair.files.len(), 2, "{pair:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_pair_gets_an_outcome(pair in pairs()) {
        prop_assert!(compare(&(&pair).into()).is_ok());
    }

    #[test]
    fn canonical_bytes_are_their_own_canonical_bytes(text in json_texts()) {
        for profile in [PythonProfile::Sovereign, PythonProfile::Authority] {
            if let Canonical::Bytes(octets) = canonical(profile, &text).expect("an answer") {
                prop_assert_eq!(canonical(profile, &octets).expect("an answer"), Canonical::Bytes(octets));
            }
        }
    }
}
