//! Checks 4 to 6 of ruling EP-14: the attestation's digest, the signature, and the root.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use super::{LAW, PHASE, SOMEWHERE, breaks, holds, manifest, planted};
use crate::{
    Finding, Pack, Stage, TestKey,
    canon::{jcs, sha256},
    pack::SIGNATURE,
    place::Place,
    vector::Case,
};

/// The plain pack, sealed, with the text of its signature respelled.
fn respelled(spell: impl FnOnce(&str) -> String) -> Pack {
    respelled_member("signature", spell)
}

/// A member of the manifest that the signature does not cover, respelled.
fn respelled_member(name: &str, spell: impl FnOnce(&str) -> String) -> Pack {
    planted(Stage::Signed, |pack| {
        let before = pack.manifest[name].as_str().expect("text").to_owned();
        let after = spell(&before);
        assert_ne!(before, after);
        pack.manifest.insert(name.to_owned(), json!(after));
        pack.write();
    })
}

/// Base64 whose last digit before the padding has a bit set that stands for nothing.
fn trailing_bit(text: &str) -> String {
    const DIGITS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut digits: Vec<char> = text.chars().collect();
    let last = digits.iter().rposition(|digit| *digit != '=').expect("a digit");
    // The lowest bit of a lawful last digit is zero, so the next digit differs in it alone.
    let place = DIGITS.chars().position(|digit| digit == digits[last]).expect("a digit of base64");
    digits[last] = DIGITS.chars().nth(place + 1).expect("a next digit");
    digits.into_iter().collect()
}

pub(super) fn cases() -> Vec<Case> {
    let mut cases = digests();
    cases.extend(signatures());
    cases.extend(spellings());
    cases
}

fn digests() -> Vec<Case> {
    let stale = planted(Stage::Attested, |pack| {
        pack.attestation.insert("mode".to_owned(), json!("enforced"));
        pack.manifest.insert("attestation".to_owned(), Value::Object(pack.attestation.clone()));
    });
    vec![
        breaks(
            "an-attestation-newer-than-its-digest",
            "A verifier that is content with the signature does not see that the root is of another attestation.",
            &stale,
        )
        .finds_undecided()
        .place(PHASE),
        breaks(
            "a-root-of-something-else",
            "A verifier that checks what is signed never looks at the root, which the signature leaves out.",
            &respelled_member("pack_root_sha256", |root| sha256(root.as_bytes())),
        )
        .place(Place::Profile("Identity model")),
        breaks(
            "a-fingerprint-of-another-key",
            "A verifier that never compares the fingerprint shows its reader a signer who did not sign.",
            &manifest("signer_pubkey_sha256", TestKey::other().fingerprint()),
        ),
        breaks(
            "a-fingerprint-of-the-text",
            "A verifier that hashes the base64 text instead of the 32 bytes finds this fingerprint right.",
            &manifest("signer_pubkey_sha256", sha256(TestKey::usual().public().as_bytes())),
        ),
    ]
}

fn signatures() -> Vec<Case> {
    let resigned = planted(Stage::Attested, |pack| pack.signed_by(TestKey::other()));
    let over = |covered: fn(&Pack) -> Vec<u8>| {
        planted(Stage::Signed, |pack| {
            let signature = TestKey::usual().sign(&covered(pack));
            pack.manifest.insert("signature".to_owned(), json!(STANDARD.encode(&signature)));
            pack.put(SIGNATURE, signature);
            pack.write();
        })
    };
    // The neutral point as key and as R, and zero as S: the bare equation holds for every message.
    let mut weak = planted(Stage::Attested, |pack| {
        let mut point = vec![0_u8; 32];
        point[0] = 1;
        pack.manifest.insert("signer_pubkey".to_owned(), json!(STANDARD.encode(&point)));
        pack.manifest.insert("signer_pubkey_sha256".to_owned(), json!(sha256(&point)));
    });
    let mut signature = vec![0_u8; 64];
    signature[0] = 1;
    weak.manifest.insert("signature".to_owned(), json!(STANDARD.encode(&signature)));
    weak.put(SIGNATURE, signature);
    weak.write();
    vec![
        holds(
            "signed-by-somebody-else",
            "A verifier that pins the key of the packs it has seen refuses a pack signed by another; nothing in a \
             pack says who has to sign.",
            &resigned,
        ),
        breaks(
            "a-signature-by-another-key",
            "A verifier that checks digests and lengths of the signature, and not the signature, accepts any.",
            &planted(Stage::Attested, |pack| pack.key = TestKey::other()),
        )
        .finds([SOMEWHERE])
        .place(PHASE),
        breaks(
            "a-signature-over-the-root-too",
            "A verifier that signs what the older scope says, all but the signature, finds this one right.",
            &over(|pack| {
                let mut covered = pack.manifest.clone();
                covered.remove("signature");
                jcs(&Value::Object(covered))
            }),
        )
        .finds([SOMEWHERE])
        .flag("DigestProjection"),
        breaks(
            "a-signature-over-the-digest",
            "A verifier that signs a digest of the manifest instead of its canonical text finds this one right.",
            &over(|pack| sha256(&pack.signed_bytes()).into_bytes()),
        )
        .finds([SOMEWHERE])
        .flag("DigestProjection"),
        breaks(
            "a-key-of-small-order",
            "A verifier that checks the bare equation accepts the neutral point as a key, under which one signature \
             fits every message.",
            &weak,
        )
        .ruling(47),
    ]
}

fn spellings() -> Vec<Case> {
    let strict = |case: Case| case.ruling(47).flag("Encoding");
    let detached = |name, rationale, fault: fn(&mut Pack)| breaks(name, rationale, &planted(Stage::Signed, fault));
    vec![
        detached(
            "no-detached-signature",
            "A verifier that is content with the signature in the manifest does not miss the file.",
            |pack| drop(pack.files.remove(SIGNATURE)),
        )
        .finds([SOMEWHERE; 2])
        .flag("FailClosed"),
        detached(
            "another-detached-signature",
            "A verifier that never compares the two lets the file hold another signature.",
            |pack| pack.put(SIGNATURE, TestKey::usual().sign(b"another message")),
        )
        .finds([Finding::new(LAW.slug, SIGNATURE)]),
        detached(
            "a-detached-signature-in-base64",
            "A verifier that decodes text where it finds some accepts the wrong form of the file.",
            |pack| {
                let text = pack.manifest["signature"].as_str().expect("text").to_owned();
                pack.put(SIGNATURE, text);
            },
        )
        .finds([Finding::new(LAW.slug, SIGNATURE)])
        .flag("Encoding"),
        strict(breaks(
            "a-signature-with-a-line-break",
            "A decoder that ignores characters outside the alphabet reads the same bytes.",
            &respelled(|text| {
                let (start, end) = text.split_at(40);
                format!("{start}\n{end}")
            }),
        )),
        strict(breaks(
            "a-signature-without-padding",
            "A decoder that supplies padding reads the same bytes.",
            &respelled(|text| text.trim_end_matches('=').to_owned()),
        )),
        strict(breaks(
            "a-signature-in-the-other-alphabet",
            "A decoder that takes both alphabets reads the same bytes.",
            &respelled(|text| text.replace('+', "-").replace('/', "_")),
        )),
        strict(breaks(
            "a-signature-with-a-bit-left-over",
            "A decoder that drops the bits behind the last byte reads the same bytes from two texts.",
            &respelled(trailing_bit),
        )),
        strict(breaks(
            "a-key-with-a-bit-left-over",
            "A decoder that drops the bits behind the last byte reads the same key from two texts, both signed.",
            &manifest("signer_pubkey", trailing_bit(&TestKey::usual().public())),
        )),
    ]
}
