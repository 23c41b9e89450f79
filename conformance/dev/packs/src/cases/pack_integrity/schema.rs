//! Check 1 of ruling EP-14, member by member: what manifest and attestation owe, the types, and the words of the closed lists.

use serde_json::{Map, Value};

use super::{
    breaks,
    faults::{ATTESTATION_ROWS, BINDING_ROWS, MANIFEST_ROWS, Row},
    holds, planted,
};
use crate::{Pack, Stage, vector::Case};

/// A member that is owed: name of the case, the member, rationale.
type Owed = (&'static str, &'static str, &'static str);

/// The plain pack with a fault in the manifest, planted before it is signed; one of the signature itself, afterwards.
fn manifest(pointer: &str, value: Option<&str>) -> Pack {
    let late = pointer == "/signature";
    planted(if late { Stage::Signed } else { Stage::Attested }, |pack| {
        alter(&mut pack.manifest, pointer, value);
        if late {
            pack.write();
        }
    })
}

/// The plain pack with a fault in the attestation, planted before anything is derived from it.
fn attestation(pointer: &str, value: Option<&str>) -> Pack {
    planted(Stage::Listed, |pack| alter(&mut pack.attestation, pointer, value))
}

/// Puts a value in place of what stands there, or takes that away.
fn alter(members: &mut Map<String, Value>, pointer: &str, value: Option<&str>) {
    let mut whole = Value::Object(std::mem::take(members));
    let (above, last) = pointer.rsplit_once('/').expect("a pointer");
    let value: Option<Value> = value.map(|text| serde_json::from_str(text).expect("a value"));
    match (whole.pointer_mut(above).expect("a place"), value) {
        (Value::Object(inside), Some(value)) => drop(inside.insert(last.to_owned(), value)),
        (Value::Object(inside), None) => assert!(inside.remove(last).is_some(), "{pointer} is not there"),
        (Value::Array(items), Some(value)) => items[last.parse::<usize>().expect("an index")] = value,
        (place, _) => panic!("{pointer} leads into {place}"),
    }
    if let Value::Object(altered) = whole {
        *members = altered;
    }
}

pub(super) fn cases() -> Vec<Case> {
    let mut cases = owed();
    cases.extend(faults());
    cases.extend(LAWFUL.into_iter().map(lawful));
    // So many packs are kept in one file each.
    cases.into_iter().map(Case::inline).collect()
}

fn owed() -> Vec<Case> {
    let missing = |(name, member, rationale): Owed, plant: fn(&str, Option<&str>) -> Pack| {
        breaks(name, rationale, &plant(&format!("/{member}"), None)).flag("MissingMember")
    };
    let of_manifest = OWED_BY_MANIFEST.into_iter().map(|row| missing(row, manifest));
    of_manifest.chain(OWED_BY_ATTESTATION.into_iter().map(|row| missing(row, attestation))).collect()
}

fn faults() -> Vec<Case> {
    let fault = |(name, pointer, value, flag, rationale): Row, plant: fn(&str, Option<&str>) -> Pack| {
        breaks(name, rationale, &plant(pointer, value)).flag(flag)
    };
    let mut cases: Vec<Case> = MANIFEST_ROWS.into_iter().map(|row| fault(row, manifest)).collect();
    cases.push(breaks(
        "two-listed-files",
        "A verifier that checks the files that are listed does not miss the receipts, which are not.",
        &planted(Stage::Attested, |pack| drop(pack.manifest["files"].as_array_mut().expect("files").remove(0))),
    ));
    cases.extend(ATTESTATION_ROWS.into_iter().map(|row| fault(row, attestation)));
    cases.extend(BINDING_ROWS.into_iter().map(|row| fault(row, attestation).twin("a-build-binding")));
    cases
}

/// A pack whose attestation has these members in place of the usual ones.
fn lawful((name, rationale, members): (&'static str, &'static str, &str)) -> Case {
    let members: Map<String, Value> = serde_json::from_str(members).expect("an object");
    holds(name, rationale, &planted(Stage::Listed, |pack| pack.attestation.extend(members)))
}

/// Why a member that a verifier uses is left out.
const RELIED_ON: &str = "A verifier that takes this member for granted ends without a verdict where it is absent.";

/// Why a member of the manifest is left out that a verifier need not look at.
const IN_MANIFEST: &str =
    "A verifier that reads the members it needs never misses this one, which stands in the manifest.";

/// The same of the attestation.
const IN_ATTESTATION: &str =
    "A verifier that reads the members it needs never misses this one, which stands in the attestation.";

/// Members of the manifest that no other case leaves out.
const OWED_BY_MANIFEST: [Owed; 18] = [
    ("no-attestation-in-the-manifest", "attestation", RELIED_ON),
    ("no-attestation-sha256-in-the-manifest", "attestation_sha256", RELIED_ON),
    ("no-claim-set-hash-in-the-manifest", "claim_set_hash", IN_MANIFEST),
    ("no-claim-set-id-in-the-manifest", "claim_set_id", IN_MANIFEST),
    ("no-expected-files-in-the-manifest", "expected_files", RELIED_ON),
    ("no-files-in-the-manifest", "files", RELIED_ON),
    ("no-hash-alg-in-the-manifest", "hash_alg", IN_MANIFEST),
    ("no-manifest-version-in-the-manifest", "manifest_version", IN_MANIFEST),
    ("no-pack-id-in-the-manifest", "pack_id", IN_MANIFEST),
    ("no-pack-root-sha256-in-the-manifest", "pack_root_sha256", RELIED_ON),
    ("no-pack-version-in-the-manifest", "pack_version", IN_MANIFEST),
    ("no-receipt-count-expected-in-the-manifest", "receipt_count_expected", RELIED_ON),
    ("no-signature-in-the-manifest", "signature", RELIED_ON),
    ("no-signature-alg-in-the-manifest", "signature_alg", IN_MANIFEST),
    ("no-signature-scope-in-the-manifest", "signature_scope", IN_MANIFEST),
    ("no-signer-pubkey-in-the-manifest", "signer_pubkey", RELIED_ON),
    ("no-signer-pubkey-sha256-in-the-manifest", "signer_pubkey_sha256", RELIED_ON),
    ("no-suite-hash-in-the-manifest", "suite_hash", IN_MANIFEST),
];

/// Members that the attestation owes.
const OWED_BY_ATTESTATION: [Owed; 24] = [
    ("no-pack-format-version-in-the-attestation", "pack_format_version", IN_ATTESTATION),
    ("no-fingerprint-version-in-the-attestation", "fingerprint_version", IN_ATTESTATION),
    ("no-pack-id-in-the-attestation", "pack_id", IN_ATTESTATION),
    ("no-run-id-in-the-attestation", "run_id", IN_ATTESTATION),
    ("no-suite-id-in-the-attestation", "suite_id", IN_ATTESTATION),
    ("no-suite-hash-in-the-attestation", "suite_hash", IN_ATTESTATION),
    ("no-verifier-version-in-the-attestation", "verifier_version", IN_ATTESTATION),
    ("no-canon-version-in-the-attestation", "canon_version", IN_ATTESTATION),
    ("no-canon-impl-in-the-attestation", "canon_impl", IN_ATTESTATION),
    ("no-canon-impl-version-in-the-attestation", "canon_impl_version", IN_ATTESTATION),
    ("no-policy-hash-in-the-attestation", "policy_hash", IN_ATTESTATION),
    ("no-claim-set-id-in-the-attestation", "claim_set_id", IN_ATTESTATION),
    ("no-claim-set-hash-in-the-attestation", "claim_set_hash", IN_ATTESTATION),
    ("no-receipt-integrity-in-the-attestation", "receipt_integrity", RELIED_ON),
    ("no-claim-check-in-the-attestation", "claim_check", IN_ATTESTATION),
    ("no-assurance-level-in-the-attestation", "assurance_level", IN_ATTESTATION),
    ("no-proof-tier-in-the-attestation", "proof_tier", IN_ATTESTATION),
    ("no-mode-in-the-attestation", "mode", IN_ATTESTATION),
    ("no-head-hash-in-the-attestation", "head_hash", RELIED_ON),
    ("no-head-hash-algorithm-in-the-attestation", "head_hash_algorithm", IN_ATTESTATION),
    ("no-time-authority-in-the-attestation", "time_authority", IN_ATTESTATION),
    ("no-n-receipts-in-the-attestation", "n_receipts", IN_ATTESTATION),
    ("no-timestamp-start-in-the-attestation", "timestamp_start", IN_ATTESTATION),
    ("no-timestamp-end-in-the-attestation", "timestamp_end", RELIED_ON),
];

/// Attestations that are lawful: name, rationale, and the members that are not the usual ones.
const LAWFUL: [(&str, &str, &str); 4] = [
    (
        "attested-by-the-first-words",
        "A verifier that knows the words of the public tool's own packs alone refuses the other words of each list.",
        r#"{"assurance_level": "L1", "proof_tier": "hash-only", "mode": "breakglass",
            "ci_binding": {"provider": "github_actions", "commit_sha": "0000000000000000000000000000000000000000"}}"#,
    ),
    (
        "attested-by-the-second-words",
        "A verifier that takes the tier for a promise looks for a signature in every receipt, which nothing asks for.",
        r#"{"assurance_level": "L2", "proof_tier": "signed-receipts",
            "ci_binding": {"provider": "gitlab_ci", "commit_sha": "0000000000000000000000000000000000000000"}}"#,
    ),
    (
        "attested-with-what-is-usually-null",
        "A verifier that knows these members as null alone refuses a digest, a time and a name.",
        r#"{"assurance_level": "L3", "valid_until": "2027-03-02T09:00:00Z", "superseded_by": "pack_assize_next",
            "discrepancy_fingerprint": "21f4443f2c346726e0c039d922b1b7b1c9072a371c5ebb250ed89eb6704570d9",
            "ci_binding": {"provider": "circleci", "commit_sha": "0000000000000000000000000000000000000000"}}"#,
    ),
    (
        "attested-by-the-last-provider",
        "A verifier that knows some of the five providers refuses a pack that another one built.",
        r#"{"ci_binding": {"provider": "jenkins", "commit_sha": "0000000000000000000000000000000000000000"}}"#,
    ),
];
