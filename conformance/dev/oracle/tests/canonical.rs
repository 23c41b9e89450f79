//! Python's canonical bytes and digests have the published values.
use assize_oracle::canonical::sha256_hex;
use assize_oracle::{AbortClass, Canonical, PythonProfile, canonical};

#[track_caller]
fn check(profile: PythonProfile, text: &str, expected: &Canonical) {
    assert_eq!(canonical(profile, text.as_bytes()).expect("an answer"), *expected, "{text}");
}

fn bytes(text: &str) -> Canonical {
    Canonical::Bytes(text.as_bytes().to_vec())
}

#[test]
fn the_sealed_registry_has_the_published_digest() {
    // The wrapper of the sealed error-codes contract, in another spelling.
    let registry = r#"{"contract_version":"kernel_api/v1","codes":{
        "E_SIDE_EFFECT_UNDECLARED":{"stage":"capability"},"E_CAPABILITY_DENIED":{"stage":"capability"},
        "E_PERMISSION_DENIED":{"stage":"capability"},"E_CAPABILITY_NOT_RESOLVED":{"stage":"capability"},
        "I_CAPABILITY_SKIPPED":{"stage":"capability"},"E_CANONICALIZATION_ERROR":{"stage":"determinism"},
        "E_REPLAY_INPUT_MISSING":{"stage":"replay"},"E_REPLAY_VERSION_MISMATCH":{"stage":"replay"},
        "E_REPLAY_EQUIVALENCE_FAILED":{"stage":"replay"},"E_REGISTRY_DIGEST_MISMATCH":{"stage":"replay"}}}"#;
    let Canonical::Bytes(octets) = canonical(PythonProfile::Sovereign, registry.as_bytes()).expect("an answer") else {
        panic!("refused")
    };
    let digest = sha256_hex(&octets).expect("a digest");
    assert_eq!(digest, "e972895604cb3d52eba871f38ba6b39aec1215f461b0de8e25d62d8f0d112d09");
}

#[test]
fn names_stand_in_code_point_order() {
    let text = "{\"\u{1f600}\":2,\"\u{ff61}\":1,\"id\":\"b\",\"dto_type\":\"a\"}";
    let Canonical::Bytes(octets) = canonical(PythonProfile::Sovereign, text.as_bytes()).expect("an answer") else {
        panic!("refused")
    };
    let digest = sha256_hex(&octets).expect("a digest");
    assert_eq!(digest, "c4f48a10c78229f3f77a40e591ec68308efc497c67fdc5e14ad91b4fc5718e98");
}

#[test]
fn the_profiles_part_at_floats() {
    use PythonProfile::{Authority, Sovereign};
    for profile in [Sovereign, Authority] {
        check(profile, r#" { "b" : -0, "a" : "\u0041\/" } "#, &bytes(r#"{"a":"A/","b":0}"#));
        check(profile, r#"{"a":1.5,"a":1}"#, &bytes(r#"{"a":1}"#));
        check(profile, r#""\ud800""#, &Canonical::Refused(AbortClass::UnicodeEncodeError));
        check(profile, "[NaN]", &Canonical::Refused(AbortClass::ValueError));
        check(profile, "\u{feff}1", &Canonical::Unreadable(AbortClass::ValueError));
        check(profile, "[1,]", &Canonical::Unreadable(AbortClass::ValueError));
        check(profile, &"1".repeat(4301), &Canonical::Unreadable(AbortClass::ValueError));
        check(profile, &"[".repeat(20_000), &Canonical::Unreadable(AbortClass::RecursionError));
    }
    check(Sovereign, "[1e2]", &Canonical::Refused(AbortClass::ValueError));
    check(Authority, "[1e2,-0.0,1e16,1e-7]", &bytes("[100.0,-0.0,1e+16,1e-07]"));
}
