//! The judgement on a container without an episode, and options in and outside their domain.
//!
//! Spec: rulings EP-14, EP-19, EP-43 and EP-45.

use assize_packs::{Pack, Stage, TestKey};
use assize_verifier::episode::{Options, PackVerification, Rejection, verify, verify_pack};

use super::{
    bad_input::REPORT,
    consistency::OPTIONS,
    memory::Memory,
    scenes::{self, episode},
};

fn judged(pack: Pack, options: &Options<'_>) -> PackVerification {
    verify_pack(&Memory::from(pack), options).expect("these options are in their domain")
}

/// A sound pack that attests this of its claims.
fn claiming(claim: &str) -> Pack {
    episode().planted(Stage::Listed, |pack| drop(pack.attestation.insert("claim_check".to_owned(), claim.into())))
}

#[test]
fn the_label_of_a_container() {
    let check = |pack: Pack, strict: bool, integrity: &str, name: &str, code: u8| {
        let found = judged(pack, &OPTIONS);
        let label = found.label(strict);
        assert_eq!((found.receipt_integrity(), label.name(), label.exit_code()), (integrity, name, code));
    };
    check(claiming("PASS"), false, "PASS", "PASS", 0);
    check(claiming("PASS"), true, "PASS", "PASS", 0);
    check(claiming("N/A"), false, "PASS", "PASS", 0);
    check(claiming("N/A"), true, "PASS", "HONEST_FAIL", 1);
    check(claiming("FAIL"), false, "PASS", "HONEST_FAIL", 1);
    check(claiming("FAIL"), true, "PASS", "HONEST_FAIL", 1);
    for claim in ["PASS", "N/A", "FAIL"] {
        let mut pack = claiming(claim);
        pack.put(REPORT, "{}\n");
        check(pack, false, "FAIL", "TAMPERED", 2);
    }
}

#[test]
fn the_expected_signer() {
    let pack = scenes::tool_like();
    let (own, other) = (TestKey::usual().fingerprint(), "0".repeat(64));
    let expecting = |signer| judged(pack.clone(), &Options { signer, ..OPTIONS });
    for signer in [None, Some(own.as_str())] {
        let found = expecting(signer);
        assert!(found.sound, "{:?}", found.findings);
        assert_eq!(found.signer.as_deref(), Some(own.as_str()));
    }
    let found = expecting(Some(other.as_str()));
    assert!(!found.sound && found.signer.is_none());
    assert!(found.findings.iter().any(|found| found.finding.code == Some("E_PACK_SIG_INVALID")));
}

#[test]
fn options_outside_their_domain() {
    let pack = Memory::from(scenes::tool_like());
    let prefixed = format!("sha256:{}", "0".repeat(64));
    for signer in ["", "0", &"A".repeat(64), &"0".repeat(63), &prefixed] {
        let options = Options { signer: Some(signer), ..OPTIONS };
        assert!(matches!(verify(&pack, &options), Err(Rejection::Input(_))), "{signer:?}");
        assert!(matches!(verify_pack(&pack, &options), Err(Rejection::Input(_))), "{signer:?}");
    }
    let dated = |now| verify(&pack, &Options { now: Some(now), ..OPTIONS });
    for now in ["2036-01-31T12:00:00Z", "2036-01-31T12:00:00.5+23:59", "2036-01-31T12:00:00-23:59"] {
        assert!(dated(now).is_ok(), "{now}");
    }
    for now in ["", "yesterday", "2036-01-31", "2036-01-31T12:00:00", "2036-01-31T12:00:00+24:00"] {
        assert!(matches!(dated(now), Err(Rejection::Input(_))), "{now}");
    }
}
