//! What opens, and that a change of any byte is noticed.

use assize::certificate::{self, Envelope, OpenError, open};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use super::run::{Shape, certificate, private, public, report};

/// What a certificate signs.
fn payload(certificate: &[u8]) -> Value {
    let envelope: Value = serde_json::from_slice(certificate).unwrap();
    serde_json::from_slice(&STANDARD.decode(envelope["payload"].as_str().unwrap()).unwrap()).unwrap()
}

/// An envelope by key 1 around anything.
fn sealed(payload: &[u8]) -> Vec<u8> {
    serde_json::to_vec(&Envelope::seal(payload, &private(1), public(1).id())).unwrap()
}

#[test]
fn a_certificate_opens_with_its_key() {
    let report = report(&Shape { expected: true, undeclared: true, ..Shape::default() });
    let bytes = certificate(&report);
    assert_eq!(bytes, certificate(&report), "the same report and key give the same bytes");
    assert!(bytes.ends_with(b"}\n"));
    let certified = open(&bytes, &[public(2), public(1)]).unwrap();
    assert_eq!(certified.signers, [public(1).id()]);
    assert_eq!(certified.claim().report_sha256, report.digest);
    assert_eq!(certified.statement, certificate::statement(&report, &super::run::harness()).unwrap());
    let error = open(&bytes, &[public(2)]).unwrap_err();
    assert!(error.is_invalid() && error.to_string().contains(public(2).id()), "{error}");
}

#[test]
fn every_flipped_byte_is_noticed() {
    let bytes = certificate(&report(&Shape::default()));
    let text = std::str::from_utf8(&bytes).unwrap();
    let envelope: Value = serde_json::from_str(text).unwrap();
    let (payload, sig) = (envelope["payload"].as_str().unwrap(), envelope["signatures"][0]["sig"].as_str().unwrap());
    let keys = [public(1)];
    // All of the signature; a sample of the payload, its first and last letters in it.
    let at = text.find(sig).unwrap();
    let places = at..at + sig.len();
    let start = text.find(payload).unwrap();
    let end = start + payload.len();
    let sample = (start..end).step_by(397).chain(end - 4..end).chain(start..start + 4);
    for place in places.chain(sample) {
        for bit in [0, 5] {
            let mut flipped = bytes.clone();
            flipped[place] ^= 1 << bit;
            assert!(open(&flipped, &keys).is_err(), "byte {place}, bit {bit}");
        }
    }
    for cut in [0, 1, bytes.len() / 2, bytes.len() - 3] {
        let error = open(&bytes[..cut], &keys).unwrap_err();
        assert!(!error.is_invalid(), "{error}");
    }
}

#[test]
fn another_payload_in_valid_base64_is_not_opened() {
    let bytes = certificate(&report(&Shape::default()));
    let mut statement = payload(&bytes);
    statement["predicate"]["assize"]["testee"]["name"] = json!("mine");
    let mut envelope: Value = serde_json::from_slice(&bytes).unwrap();
    envelope["payload"] = json!(STANDARD.encode(statement.to_string()));
    assert!(open(envelope.to_string().as_bytes(), &[public(1)]).unwrap_err().is_invalid());
    // A payload that is not a statement is not looked at before its signature holds.
    envelope["payload"] = json!(STANDARD.encode("{"));
    assert!(open(envelope.to_string().as_bytes(), &[public(1)]).unwrap_err().is_invalid());
    envelope["signatures"] = json!([]);
    assert!(open(envelope.to_string().as_bytes(), &[public(1)]).unwrap_err().is_invalid());
}

#[test]
fn too_much_is_not_read() {
    let error = open(&vec![b' '; certificate::MOST + 1], &[public(1)]).unwrap_err();
    assert!(matches!(error, OpenError::Large));
}

/// Signed by the right key, and still refused.
#[track_caller]
fn check(change: impl FnOnce(&mut Value), says: &str) {
    let report = report(&Shape { expected: true, undeclared: true, ..Shape::default() });
    let mut statement = payload(&certificate(&report));
    change(&mut statement);
    refuses(statement.to_string().as_bytes(), says);
}

#[track_caller]
fn refuses(payload: &[u8], says: &str) {
    let error = open(&sealed(payload), &[public(1)]).unwrap_err();
    assert!(matches!(error, OpenError::Statement(_)), "{error}");
    assert!(!error.is_invalid() && !error.help().is_empty());
    assert!(error.to_string().contains(says), "{error}");
}

#[test]
fn a_signed_statement_of_another_kind_is_refused() {
    refuses(b"", "the statement");
    refuses(b"\xff", "the statement is not UTF-8");
    refuses(b"{}", "/_type is not there, not \"https://in-toto.io/Statement/v1\"");
    refuses(br#"{"_type":1,"_type":2}"#, "at /_type: duplicate name");
    check(|statement| statement["predicateType"] = json!("x"), "/predicateType is \"x\", not \"https:");
    check(
        |statement| statement["predicate"]["assize"]["contract"] = json!("assize-certificate/v1"),
        "/predicate/assize/contract is \"assize-certificate/v1\", not \"assize-certificate/v2\"",
    );
    check(|statement| statement["predicate"]["assize"]["more"] = json!(1), "unknown field `more`");
    check(|statement| statement["predicate"]["assize"]["totals"]["more"] = json!(1), "unknown field `more`");
    check(|statement| statement["predicate"]["assize"]["totals"]["pass"] = json!(-1), "invalid value: integer `-1`");
    check(|statement| statement["predicate"]["result"] = json!("FAILED"), "unknown variant `FAILED`");
    check(|statement| statement["subject"][0]["digest"] = json!({"sha1": "0"}), "missing field `sha256`");
}

#[test]
fn members_that_in_toto_may_add_are_ignored() {
    let mut statement = payload(&certificate(&report(&Shape::default())));
    statement["more"] = json!(1);
    statement["subject"][0]["annotations"] = json!({});
    statement["predicate"]["url"] = json!("https://example.com");
    open(&sealed(statement.to_string().as_bytes()), &[public(1)]).unwrap();
}

#[test]
fn a_signed_contradiction_is_refused() {
    /// Changes a member of the claim.
    #[track_caller]
    fn claim(pointer: &str, value: Value, says: &str) {
        check(
            |statement| *statement["predicate"]["assize"].pointer_mut(pointer).unwrap() = value,
            &format!("the certificate contradicts itself: {says}"),
        );
    }
    let written = "the claim is not written as its contract has it";
    claim("/controls/altered", json!([3, 3]), written);
    claim("/totals/pass", json!(0), "the totals do not add up");
    claim("/totals/pass", json!(u64::MAX), "the totals do not add up");
    claim("/laws/0/counts/pass", json!(0), "the counts of a law do not add up");
    claim("/laws", json!([]), "the laws do not add up to the totals");
    claim("/not_selected", json!(1), "cases of the suite are missing");
    claim("/not_selected", json!(u64::MAX), "cases of the suite are missing");
    claim("/not_applicable", json!({}), "the reasons do not add up");
    claim("/controls/altered/caught", json!(0), "the controls were not all caught");
    claim("/controls/altered", json!({"planted": 0, "caught": 0}), "the controls were not all caught");
    claim("/command/files", json!([]), "a process has files");
    claim("/transport", json!("in-process"), "a process has files");
    claim("/does_not_prove", json!([]), "it does not say what it does not prove");
    check(
        |statement| drop(statement["predicate"]["assize"].as_object_mut().unwrap().remove("expectations")),
        "failures are expected by no file",
    );
    check(
        |statement| {
            for counts in ["/predicate/assize/totals", "/predicate/assize/laws/0/counts"] {
                statement.pointer_mut(counts).unwrap()["expected"] = json!(0);
            }
        },
        "a failure is not expected",
    );
    check(
        |statement| {
            let not_run = std::mem::take(&mut statement["predicate"]["assize"]["not_applicable"]);
            statement["predicate"]["assize"]["not_run"] = not_run;
            statement["predicate"]["assize"]["not_applicable"] = json!({});
            for counts in ["/predicate/assize/totals", "/predicate/assize/laws/0/counts"] {
                let counts = statement.pointer_mut(counts).unwrap();
                counts["not_run"] = counts["not_applicable"].take();
                counts["not_applicable"] = json!(0);
            }
        },
        "cases were not run",
    );
    check(
        |statement| {
            let claim = &mut statement["predicate"]["assize"];
            claim["not_selected"] = claim["suite"]["cases"].clone();
            (claim["laws"], claim["not_applicable"]) = (json!([]), json!({}));
            for count in claim["totals"].as_object_mut().unwrap().values_mut() {
                *count = json!(0);
            }
        },
        "no case was answered",
    );
    check(|statement| statement["predicate"]["result"] = json!("PASSED"), "what in-toto readers see does not follow");
    check(
        |statement| statement["subject"][0]["digest"]["sha256"] = json!("9".repeat(64)),
        "what in-toto readers see does not follow",
    );
}
