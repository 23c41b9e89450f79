//! Check 1 of ruling EP-14: manifest and attestation against their schemas.

use serde_json::{Value, json};

use super::{PHASE, breaks, holds, manifest, planted};
use crate::{
    Finding, Pack, Stage,
    pack::MANIFEST,
    vector::{Case, Entry},
};

/// The plain pack with a member of the attestation altered before anything is derived from it.
fn attestation(member: &str, value: impl Into<Value>) -> Pack {
    planted(Stage::Listed, |pack| drop(pack.attestation.insert(member.to_owned(), value.into())))
}

pub(super) fn cases() -> Vec<Case> {
    let mut cases = unreadable();
    cases.extend(members());
    cases.extend(attested());
    cases
}

fn unreadable() -> Vec<Case> {
    let text = |text: fn(&str) -> String| {
        planted(Stage::Signed, |pack| {
            let altered = text(pack.text(MANIFEST));
            pack.put(MANIFEST, altered);
        })
    };
    vec![
        breaks(
            "no-manifest",
            "A verifier that ends with an error where the root is missing gives no verdict on a pack without one.",
            &planted(Stage::Signed, |pack| drop(pack.files.remove(MANIFEST))),
        )
        .place(PHASE)
        .ruling(44)
        .flag("FailClosed"),
        breaks(
            "a-manifest-cut-short",
            "A verifier whose parser fails outside any phase ends without a verdict.",
            &text(|text| text.trim_end().trim_end_matches('}').to_owned()),
        )
        .place(PHASE)
        .ruling(44)
        .flag("Truncation"),
        breaks(
            "a-manifest-with-a-repeated-member",
            "A reader that keeps the last of two equal names sees the very manifest that was signed.",
            &text(|text| text.replacen("{\n", "{\n  \"hash_alg\": \"md5\",\n", 1)),
        )
        .ruling(27)
        .flag("DuplicateName"),
        breaks(
            "a-manifest-that-is-no-object",
            "A verifier that indexes into whatever it has read breaks on an array.",
            &{ text(|text| format!("[{text}]")) },
        )
        .place(PHASE)
        .flag("TypeConfusion"),
        breaks(
            "a-folder-for-a-manifest",
            "A verifier that opens the path whatever it is breaks on a folder.",
            &planted(Stage::Signed, |_| {}),
        )
        .finds([Finding::at(MANIFEST)])
        .place(PHASE)
        .entry(MANIFEST, Entry::Directory)
        .flag("FileKind"),
    ]
}

fn members() -> Vec<Case> {
    let absent = planted(Stage::Attested, |pack| drop(pack.manifest.remove("signer_id")));
    let fewer = planted(Stage::Attested, |pack| {
        pack.manifest["expected_files"].as_array_mut().expect("names").pop();
    });
    let open = planted(Stage::Listed, |pack| pack.manifest["files"][0]["mode"] = json!("0644"));
    let prefixed = format!("sha256:{}", crate::TestKey::usual().fingerprint());
    vec![
        breaks(
            "a-manifest-member-missing",
            "A verifier that reads the members it needs never misses the name of the signer.",
            &absent,
        )
        .flag("MissingMember"),
        breaks(
            "an-unknown-manifest-member",
            "A verifier that leaves the manifest open lets signed content along that nobody has agreed to.",
            &manifest("comment", "hello"),
        )
        .flag("ExtraMember"),
        breaks(
            "an-unknown-member-of-a-listed-file",
            "A verifier that closes the manifest and not its entries accepts a member that no reader looks at.",
            &open,
        )
        .flag("ExtraMember"),
        breaks(
            "another-hash-algorithm",
            "A verifier that ignores the name of the algorithm accepts a manifest that says its digests are something \
             else.",
            &manifest("hash_alg", "sha512"),
        )
        .flag("EnumMember"),
        holds(
            "the-older-signature-scope",
            "A verifier that lets the text of the scope steer what is signed does not verify the older spelling.",
            &manifest("signature_scope", "JCS(pack_manifest_without_signature)"),
        ),
        breaks(
            "a-version-with-a-line-feed",
            "A pattern whose end anchor admits a final line feed accepts it.",
            &manifest("pack_version", "0.1.0\n"),
        )
        .flag("PatternAnchor"),
        breaks(
            "a-prefixed-digest-in-the-container",
            "A verifier that strips prefixes wherever it meets them accepts the spelling of receipts in the \
             container.",
            &manifest("signer_pubkey_sha256", prefixed),
        )
        .ruling(10)
        .flag("DigestSpelling"),
        breaks(
            "four-expected-files",
            "A verifier that checks the names it is given accepts a manifest that does not expect its own signature.",
            &fewer,
        ),
        breaks(
            "a-count-with-a-fraction",
            "A verifier that compares numbers by value takes 4.0 for the integer 4.",
            &planted(Stage::Signed, |pack| {
                let text =
                    pack.text(MANIFEST).replace("\"receipt_count_expected\": 4", "\"receipt_count_expected\": 4.0");
                pack.put(MANIFEST, text);
            }),
        )
        .ruling(26)
        .flag("NumberToken"),
    ]
}

fn attested() -> Vec<Case> {
    let binding = json!({"provider": "local", "commit_sha": "0".repeat(40)});
    let with = |mut binding: Value, member: &str, value: &str| {
        binding[member] = json!(value);
        attestation("ci_binding", binding)
    };
    let lean = planted(Stage::Listed, |pack| {
        for name in ["discrepancy_fingerprint", "valid_until", "superseded_by", "ci_binding"] {
            pack.attestation.remove(name);
        }
    });
    vec![
        holds(
            "optional-members-absent",
            "A verifier that wants every member of the attestation refuses one that leaves out the optional ones.",
            &lean,
        )
        .flag("NullVersusAbsent"),
        breaks(
            "an-unknown-attestation-member",
            "A verifier that closes the manifest and leaves the attestation open accepts signed content that nobody \
             has agreed to.",
            &attestation("comment", "hello"),
        )
        .flag("ExtraMember"),
        breaks(
            "an-unknown-mode",
            "A verifier that takes any text for the mode accepts a word outside the list.",
            &attestation("mode", "audit"),
        )
        .flag("EnumMember"),
        breaks(
            "a-count-as-text",
            "A verifier that coerces text into numbers accepts a count of the wrong type.",
            &attestation("n_receipts", "4"),
        )
        .flag("TypeConfusion"),
        breaks(
            "a-time-without-zone",
            "A verifier that reads any ISO 8601 time accepts one that names no instant.",
            &attestation("timestamp_end", "2026-03-02T09:00:00.003"),
        ),
        breaks(
            "a-time-with-a-small-t",
            "A verifier that reads RFC 3339 as it stands accepts a lower-case t, which the container does not.",
            &attestation("timestamp_end", "2026-03-02t09:00:00.003+00:00"),
        ),
        breaks(
            "an-attested-time-of-no-day",
            "A verifier that holds the attestation's times to a pattern alone accepts the thirtieth of February.",
            &attestation("timestamp_start", "2026-02-30T09:00:00.000+00:00"),
        ),
        holds(
            "a-build-binding",
            "A verifier that knows `ci_binding` as null alone refuses one that is filled in.",
            &attestation("ci_binding", binding.clone()),
        ),
        Case::fails(
            "an-unknown-member-of-the-build-binding",
            "A verifier that closes the attestation and not what lies in it accepts a member that no reader looks at.",
            2,
            &with(binding.clone(), "host", "example"),
        )
        .flag("ExtraMember")
        .twin("a-build-binding"),
        Case::fails(
            "a-short-commit",
            "A verifier that takes any text for a commit accepts an abbreviation.",
            2,
            &with(binding, "commit_sha", "0123abc"),
        )
        .twin("a-build-binding"),
    ]
}
