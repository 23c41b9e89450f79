//! Packs without an episode: rulings EP-43 and EP-44.

use assize_packs::{Pack, TestKey};
use serde_json::json;

use super::{only, scene, verify, worked};

/// A pack in which no episode lies, with this attested claim.
fn plain(claim: &str) -> Pack {
    let mut pack = worked().pack();
    pack.files.clear();
    pack.attestation.insert("claim_check".to_owned(), json!(claim));
    pack.seal();
    pack
}

#[test]
fn claims_decide_where_they_are_asked_for() {
    for (claim, exit, strict) in [("PASS", 0, 0), ("N/A", 0, 1), ("FAIL", 1, 1)] {
        let folder = scene(&[("pack", &plain(claim))]);
        let found = only(folder.path(), &["pack", "--pack-only"], exit);
        assert_eq!((&found["receipt_integrity"], &found["claim_check"]), (&json!("PASS"), &json!(claim)));
        assert_eq!(found["verdict"], if exit == 0 { "PASS" } else { "HONEST_FAIL" });
        assert_eq!((&found["receipts"], &found["signer"]), (&json!(4), &json!(TestKey::usual().fingerprint())));
        only(folder.path(), &["pack", "--pack-only", "--require-claims"], strict);
        // Without an episode there is nothing to replay.
        assert_eq!(only(folder.path(), &["pack"], 2)["phase"], 1);
    }
}

#[test]
fn a_pack_that_was_tampered_with_is_2() {
    let mut changed = plain("FAIL");
    changed.put("verify_report.json", "{}");
    let mut bare = plain("PASS");
    bare.files.remove("pack_manifest.json");
    for pack in [&changed, &bare] {
        let folder = scene(&[("pack", pack)]);
        let found = only(folder.path(), &["pack", "--pack-only"], 2);
        assert_eq!((&found["verdict"], &found["receipts"]), (&json!("TAMPERED"), &json!(null)));
        verify(folder.path(), &["pack", "--pack-only"])
            .exits(2)
            .says(&["pack integrity      failed\n", "TAMPERED: pack: "]);
    }
}

#[test]
fn a_pack_is_reported_for_people() {
    let folder = scene(&[("pack", &plain("N/A"))]);
    let wanted = format!(
        "\
pack
  pack integrity      passed: 4 receipts

PASS: pack: receipt_integrity PASS, attested claim_check N/A
  signer         {}
  warning: any key may sign a pack; whoever signs it anew gets the same verdict. Pin the key with --signer.
",
        TestKey::usual().fingerprint()
    );
    assert_eq!(verify(folder.path(), &["pack", "--pack-only"]).exits(0).text(), wanted);
    let many = verify(folder.path(), &["pack", "pack", "--pack-only", "--quiet"]).exits(0);
    many.says(&["pack  PASS     0", "2 packs: 2 PASS; exit code 0\n"]);
}
