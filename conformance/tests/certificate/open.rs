//! What opens, and that a change of any byte is noticed.

use assize::certificate::{self, Claim, Envelope, OpenError, open};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use super::run::{Shape, TABLES, certificate, private, public, report};

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
    refuses(b"", "the statement, at the top: ");
    refuses(b"\xff", "the statement, not UTF-8");
    refuses(b"{}", "/_type is not there, not \"https://in-toto.io/Statement/v1\"");
    refuses(br#"{"_type":1,"_type":2}"#, "at /_type: duplicate name");
    check(|statement| statement["predicateType"] = json!("x"), "/predicateType is \"x\", not \"https:");
    check(
        |statement| statement["predicate"]["assize"]["contract"] = json!("assize-certificate/v1"),
        "/predicate/assize/contract is \"assize-certificate/v1\", not \"assize-certificate/v2\"",
    );
    check(|statement| statement["predicate"]["assize"]["more"] = json!(1), "/predicate/assize: Additional properties");
    check(|statement| statement["predicate"]["assize"]["totals"]["more"] = json!(1), "('more' was unexpected)");
    check(
        |statement| statement["predicate"]["assize"]["totals"]["pass"] = json!(-1),
        "/predicate/assize/totals/pass: ",
    );
    check(|statement| statement["predicate"]["result"] = json!("FAILED"), "/predicate/result: ");
    check(
        |statement| statement["subject"][0]["digest"] = json!({"sha1": "0"}),
        "/subject/0/digest: \"sha256\" is a required property",
    );
    check(|statement| statement["predicate"]["assize"]["controls"]["altered"] = json!([3, 3]), "/controls/altered: ");
}

/// Every text that is 64 hexadecimal digits, by its pointer.
fn digests(value: &Value, place: &str, found: &mut Vec<String>) {
    let members: Vec<(String, &Value)> = match value {
        Value::Object(members) => members.iter().map(|(name, value)| (name.clone(), value)).collect(),
        Value::Array(items) => items.iter().enumerate().map(|(index, value)| (index.to_string(), value)).collect(),
        Value::String(text) if text.len() == 64 && text.bytes().all(|digit| digit.is_ascii_hexdigit()) => {
            found.push(place.to_owned());
            return;
        }
        _ => return,
    };
    for (name, value) in members {
        digests(value, &format!("{place}/{name}"), found);
    }
}

#[test]
fn a_digest_has_one_spelling() {
    let statement = payload(&certificate(&report(&Shape { expected: true, ..Shape::default() })));
    let mut places = Vec::new();
    digests(&statement, "", &mut places);
    // Files and configuration for in-toto; harness, report, three of the suite, expectations, files, subject and sessions for us.
    assert!(places.len() > 25, "{places:?}");
    for place in places {
        let digest = statement.pointer(&place).unwrap().as_str().unwrap();
        let (short, long) = (&digest[1..], format!("{digest}0"));
        let texts = [
            "",
            short,
            &long,
            &format!("{short}F"),
            &format!("{short}g"),
            &format!("{digest}\n"),
            &format!(" {short}"),
        ];
        for text in texts {
            let mut altered = statement.clone();
            *altered.pointer_mut(&place).unwrap() = json!(text);
            refuses(altered.to_string().as_bytes(), &format!("the statement, {place}: "));
        }
    }
}

#[test]
fn members_that_in_toto_may_add_are_ignored() {
    let mut statement = payload(&certificate(&report(&Shape::default())));
    statement["more"] = json!(1);
    statement["subject"][0]["annotations"] = json!({});
    statement["predicate"]["url"] = json!("https://example.com");
    open(&sealed(statement.to_string().as_bytes()), &[public(1)]).unwrap();
}

/// One for each kind; `tampering` goes through all members.
#[test]
fn a_signed_contradiction_is_refused() {
    /// Changes a member of the claim.
    #[track_caller]
    fn claim(pointer: &str, value: Value, says: &str) {
        check(
            |statement| *statement["predicate"]["assize"].pointer_mut(pointer).unwrap() = value,
            &format!("the statement cannot be true: /predicate/assize{says}"),
        );
    }
    claim("/totals/pass", json!(0), "/totals/cases: pass, fail, not_applicable and not_run do not add up to it");
    claim("/totals/pass", json!(u64::MAX), "/totals/cases: pass, fail, not_applicable and not_run do not add up to it");
    claim(
        "/laws/0/counts/pass",
        json!(0),
        "/laws/0/counts/cases: pass, fail, not_applicable and not_run do not add up to it",
    );
    claim("/laws", json!([]), "/totals/cases: the laws do not add up to it");
    claim("/not_selected", json!(1), "/not_selected: the totals and it do not add up");
    claim("/not_selected", json!(u64::MAX), "/not_selected: the totals and it do not add up");
    claim("/not_applicable", json!({}), "/not_applicable: the totals count others");
    claim("/laws/0/credit", json!(60), "/laws/0/credit: there are fewer passes");
    claim("/controls/altered/caught", json!(0), "/controls/altered/caught: fewer than planted");
    claim("/sessions", json!([]), "/sessions: no process said anything");
    let why = "`sealed` is said of everything that keeps a testee contained, and of nothing less";
    claim("/containment/level", json!("sealed"), &format!("/containment/missing: {why}"));
    let less = json!({"level": "sealed", "measures": ["orphan-search"], "missing": []});
    claim("/containment", less, &format!("/containment/measures: {why}"));
    claim("/command/subject/files", json!(0), "/command/subject/bytes: there are no files");
    claim("/does_not_prove", json!(["nothing"]), "/does_not_prove: it is not what such a claim does not prove");
    check(
        |statement| drop(statement["predicate"]["assize"].as_object_mut().unwrap().remove("expectations")),
        "/expectations: failures are expected by no file",
    );
    check(
        |statement| {
            for counts in ["/predicate/assize/totals", "/predicate/assize/laws/0/counts"] {
                statement.pointer_mut(counts).unwrap()["expected"] = json!(0);
            }
        },
        "/totals/expected: a failure is not expected",
    );
    check(
        |statement| statement["predicate"]["result"] = json!("PASSED"),
        "/predicate/result: it does not follow from grade: \"PASSED\" is stated, \"WARNED\" is found",
    );
    check(
        |statement| statement["subject"][0]["digest"]["sha256"] = json!("9".repeat(64)),
        "/subject/0/digest/sha256: it does not follow from command.files",
    );
}

/// What whoever checks knows: the tables of its own suite, and the time.
#[test]
fn what_the_tables_or_the_clock_forbid_is_refused() {
    #[track_caller]
    fn refuses(change: impl FnOnce(&mut Claim), says: &str) {
        let mut statement = certificate::statement(&report(&Shape::default()), &super::run::harness()).unwrap();
        let at = |text: &str| text.parse().unwrap();
        let begun = at("2026-01-02T03:04:05Z");
        assert_eq!(certificate::possible(&statement, &TABLES, begun), Ok(()));
        change(&mut statement.predicate.assize);
        let error = certificate::possible(&statement, &TABLES, begun).unwrap_err();
        assert_eq!(error.to_string(), format!("/predicate/assize{says}"));
    }
    refuses(|claim| claim.started = "2026-01-02T03:09:06Z".to_owned(), "/started: a time in the future");
    refuses(|claim| claim.started = "2026-01-02".to_owned(), "/started: no time in UTC as RFC 3339 has it");
    refuses(|claim| claim.laws[0].slug = "canon/none".to_owned(), "/laws/0/slug: an unknown law");
    refuses(|claim| claim.laws[0].in_suite += 1, "/laws/0/in_suite: the suite has another number");
    refuses(|claim| claim.levels[0].name = "none".to_owned(), "/levels/0/name: an unknown level");
    refuses(|claim| drop(claim.levels.pop()), "/levels: not every level has its row, in their order");
    refuses(|claim| claim.suite.cases += 1, "/suite/cases: the suite has another number");
    refuses(|claim| claim.rulings.rests_on.push("XX-1".to_owned()), "/rulings/rests_on: an unknown ruling");
    refuses(|claim| claim.selection.systems.push("none".to_owned()), "/selection/systems: an unknown system");
    refuses(
        |claim| claim.containment.as_mut().unwrap().level = "x".to_owned(),
        "/containment/level: nobody is contained like that",
    );
    refuses(
        |claim| claim.containment.as_mut().unwrap().measures = vec!["orphan-search".to_owned()],
        "/containment/measures: processes that were left behind could not have been found",
    );
    refuses(
        |claim| claim.containment.as_mut().unwrap().readable = vec!["/b".to_owned(), "/a".to_owned()],
        "/containment/readable: not sorted, one stands there twice, or one is empty",
    );
}
