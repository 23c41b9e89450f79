//! Canonical bytes against second sources, over a seeded stream of texts; the oracle refuses wrong answers, and the texts
//! reach every answer that it knows.
use std::collections::BTreeMap;

use arbitrary::Unstructured;
use assize_fuzzing::oracles::canonical_forms::{Form, SecondSource};
use assize_inputs::{pairs::json_text, texts};
use assize_verifier::canon::{CanonRefusalKind, Profile};
use proptest::prelude::{Strategy, any};
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

fn judge(text: &[u8]) -> Result<(), String> {
    let second = SecondSource::read(text).map_err(|error| error.to_string())?;
    Profile::ALL.into_iter().try_for_each(|profile| second.judge(profile, &Form::of_verifier(profile, text)))
}

/// Judges twenty thousand texts, drawn and shrunk as bytes.
fn check(text_of: impl Fn(&[u8]) -> Vec<u8>) {
    const TEXTS: u32 = 20_000;
    let config = Config { cases: TEXTS, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]));
    let texts = proptest::collection::vec(any::<u8>(), 0..256).prop_map(|octets| text_of(&octets));
    match runner.run(&texts, |text| judge(&text).map_err(TestCaseError::fail)) {
        Ok(()) => {}
        Err(TestError::Fail(reason, text)) => panic!("{reason}\nminimal text: {}", String::from_utf8_lossy(&text)),
        Err(TestError::Abort(reason)) => panic!("{reason}"),
    }
}

#[test]
fn documents_of_pairs_have_the_second_sources_form() {
    check(|octets| json_text(&mut Unstructured::new(octets)).unwrap_or_default());
}

#[test]
fn texts_have_the_second_sources_form() {
    check(|octets| texts::drawn(&mut Unstructured::new(octets)).unwrap_or_default());
}

/// The second sources' answers, written down from the rulings.
#[test]
fn predictions_are_the_sheets() {
    let long = format!("[{},1.5]", "7".repeat(4_301));
    let long_integer = format!("{{\"b\":-{},\"a\":1}}", "9".repeat(4_301));
    let sorted = format!("{{\"a\":1,\"b\":-{}}}", "9".repeat(4_301));
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    let (lawful, deep, deepest, beyond) = (nested(256), nested(257), nested(900), nested(995));
    let refused = Form::Refused;
    let bytes = |text: &str| Form::Bytes(text.as_bytes().to_vec());
    use CanonRefusalKind::{Duplicate, Float, LoneSurrogate, NegativeZero, NonFinite, UnsafeInteger};
    for (text, rfc8785, episode, sovereign, authority) in [
        ("-0", bytes("0"), bytes("0"), refused(NegativeZero), bytes("0")),
        ("-0.0", bytes("0"), bytes("0"), refused(Float), bytes("-0.0")),
        (r#"{"a":NaN,"a":1}"#, Form::Unreadable, Form::Unreadable, refused(NonFinite), bytes(r#"{"a":1}"#)),
        (r#"{"a":1,"a":NaN}"#, Form::Unreadable, Form::Unreadable, refused(Duplicate), refused(NonFinite)),
        (r#"["\ud800",1e400]"#, refused(NonFinite), refused(NonFinite), refused(Float), refused(NonFinite)),
        (
            r#"["\ud800",1]"#,
            refused(LoneSurrogate),
            refused(LoneSurrogate),
            refused(LoneSurrogate),
            refused(LoneSurrogate),
        ),
        (
            "9007199254740992",
            bytes("9007199254740992"),
            refused(UnsafeInteger),
            bytes("9007199254740992"),
            bytes("9007199254740992"),
        ),
        (
            "-9007199254740993",
            bytes("-9007199254740992"),
            refused(UnsafeInteger),
            bytes("-9007199254740993"),
            bytes("-9007199254740993"),
        ),
        (
            "{\"\u{ff61}\":1,\"\u{1f600}\":1e21}",
            bytes("{\"\u{1f600}\":1e+21,\"\u{ff61}\":1}"),
            bytes("{\"\u{1f600}\":1e+21,\"\u{ff61}\":1}"),
            refused(Float),
            bytes("{\"\u{ff61}\":1,\"\u{1f600}\":1e+21}"),
        ),
        (&long, refused(NonFinite), refused(UnsafeInteger), refused(Float), bytes(&long)),
        (&long_integer, refused(NonFinite), refused(UnsafeInteger), bytes(&sorted), bytes(&sorted)),
        (&lawful, bytes(&lawful), bytes(&lawful), bytes(&lawful), bytes(&lawful)),
        (&deep, bytes(&deep), Form::Unreadable, Form::Unreadable, bytes(&deep)),
        (&deepest, bytes(&deepest), Form::Unreadable, Form::Unreadable, bytes(&deepest)),
    ] {
        let second = SecondSource::read(text.as_bytes()).unwrap();
        for (profile, expected) in Profile::ALL.into_iter().zip([rfc8785, episode, sovereign, authority]) {
            let name = profile.name();
            assert_eq!(second.form(profile).unwrap(), Some(expected), "{name}: {}", text.get(..80).unwrap_or(text));
        }
    }
    // Where Python gives up, the profiles with a limit have passed theirs, and of the other it says nothing.
    let second = SecondSource::read(beyond.as_bytes()).unwrap();
    let forms = Profile::ALL.map(|profile| second.form(profile).unwrap());
    assert_eq!(forms, [None, Some(Form::Unreadable), Some(Form::Unreadable), Some(Form::Unreadable)]);
}

/// Mistakes that implementers make, given to the oracle as the verifier's answers.
#[test]
fn wrong_answers_are_refused() {
    let names = "{\"\u{1f600}\":1,\"\u{ff61}\":2}";
    for (profile, text, wrong) in [
        // UTF-16 order where code points count, and the other way round.
        (Profile::Sovereign, names, names),
        (Profile::Episode, names, "{\"\u{ff61}\":2,\"\u{1f600}\":1}"),
        // The last digit of a tie, the layout of an exponent, a float for an integer, a lost sign.
        (Profile::Authority, "562949953421312.25", "562949953421312.3"),
        (Profile::Authority, "1e-7", "1e-7"),
        (Profile::Rfc8785, "9007199254740993", "9007199254740993"),
        (Profile::Rfc8785, "18446744073709551616", "18446744073709551616"),
        (Profile::Episode, "1e21", "1e21"),
        (Profile::Authority, "100000000000000000000", "1e+20"),
        (Profile::Authority, "-0.0", "0.0"),
        // What has no form, printed all the same.
        (Profile::Sovereign, "-0", "0"),
        (Profile::Sovereign, r#"{"a":1,"a":1}"#, r#"{"a":1}"#),
        (Profile::Episode, "9007199254740993", "9007199254740992"),
        (Profile::Rfc8785, "1e400", "null"),
        (Profile::Rfc8785, r#"{"a":null,"a":1}"#, r#"{"a":1}"#),
        (Profile::Authority, r#""\ud800""#, "\"\u{fffd}\""),
        // The first of two names, an escape of the solidus.
        (Profile::Authority, r#"{"a":1,"a":2}"#, r#"{"a":1}"#),
        (Profile::Episode, r#""\/""#, r#""\/""#),
    ] {
        let second = SecondSource::read(text.as_bytes()).unwrap();
        second.judge(profile, &Form::of_verifier(profile, text.as_bytes())).unwrap();
        let told = second.judge(profile, &Form::Bytes(wrong.as_bytes().to_vec())).unwrap_err();
        assert!(told.contains(profile.name()), "{told}");
        assert!(second.judge(profile, &Form::Unreadable).is_err(), "{text}");
    }
    // The right verdict for the wrong reason.
    let second = SecondSource::read(b"[-0,1.5]").unwrap();
    assert!(second.judge(Profile::Sovereign, &Form::Refused(CanonRefusalKind::Float)).is_err());
}

#[test]
fn texts_reach_every_answer() {
    const TEXTS: u64 = 4_000;
    let mut tally: BTreeMap<String, u64> = BTreeMap::new();
    for seed in 0..TEXTS {
        let text = texts::text_of(&[&[1], assize_inputs::seed::noise(seed, 256).as_slice()].concat());
        let second = SecondSource::read(&text).unwrap();
        for profile in Profile::ALL {
            let what = match second.form(profile).unwrap() {
                None => "left open".to_owned(),
                Some(Form::Bytes(_)) => "bytes".to_owned(),
                Some(Form::Unreadable) => "unreadable".to_owned(),
                Some(Form::Refused(kind)) => format!("{kind:?}"),
            };
            *tally.entry(format!("{} {what}", profile.name())).or_default() += 1;
        }
    }
    println!("{tally:#?}");
    for (what, per_mille) in [
        ("sovereign bytes", 100),
        ("sovereign unreadable", 50),
        ("sovereign Float", 100),
        ("sovereign NonFinite", 5),
        ("sovereign NegativeZero", 2),
        ("sovereign LoneSurrogate", 5),
        ("sovereign Duplicate", 2),
        ("rfc8785 bytes", 200),
        ("rfc8785 unreadable", 50),
        ("rfc8785 NonFinite", 5),
        ("rfc8785 LoneSurrogate", 5),
        ("rfc8785 Duplicate", 2),
        ("episode bytes", 150),
        ("episode unreadable", 50),
        ("episode NonFinite", 5),
        ("episode UnsafeInteger", 50),
        ("episode LoneSurrogate", 5),
        ("episode Duplicate", 2),
        ("authority bytes", 300),
        ("authority unreadable", 50),
        ("authority NonFinite", 10),
        ("authority LoneSurrogate", 5),
    ] {
        let found = tally.get(what).copied().unwrap_or_default();
        assert!(found * 1_000 >= per_mille * TEXTS, "{what}: {found} of {TEXTS}");
    }
    let open = tally.get("authority left open").copied().unwrap_or_default();
    assert!(open * 100 < TEXTS, "{open} answers are left open");
}
