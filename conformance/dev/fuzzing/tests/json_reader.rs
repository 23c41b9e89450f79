//! The oracle of the JSON reader refuses wrong answers, and the texts reach both verdicts of every dialect.
use assize_fuzzing::oracles::json_reader::{ALL, PYTHON, STRICT, SecondSource, Transcript, Way, check};
use assize_inputs::texts;
use assize_verifier::json::JsonErrorKind;

/// A text, a name for the wrong reader, and what it reads instead.
const MISREAD: &[(&str, &str, &str)] = &[
    ("1e2", "one that takes an integral float for an integer", "100"),
    ("-0", "one that loses the sign of zero", "0"),
    ("0.1", "one that rounds to single precision", "0.10000000149011612"),
    ("9007199254740993", "one that reads integers as doubles", "9007199254740992"),
    (r#""\ud83d\ude00""#, "one that leaves pairs apart", r#""\ude00\ud83d""#),
    (r#""\ud800""#, "one that replaces lone surrogates", "\"\u{fffd}\""),
    (r#""\u0000""#, "one that ends strings at NUL", r#""""#),
    (r#"{"a":1,"a":2}"#, "one that keeps the first of two names", r#"{"a":1}"#),
    (r#"{"a":1,"b":2}"#, "one that orders members", r#"{"b":2,"a":1}"#),
    ("[[],{}]", "one that takes empty objects for arrays", "[[],[]]"),
    ("null", "one that takes null for false", "false"),
];

#[test]
fn misreadings_are_refused() {
    for (text, reader, instead) in MISREAD {
        let second = SecondSource::read(text.as_bytes()).unwrap();
        second.is_consistent().unwrap();
        for rules in [&PYTHON, &STRICT] {
            let transcript = |text: &str| Transcript::by_verifier(Way::Tree, text.as_bytes(), &rules.dialect);
            let (right, wrong) = (transcript(text), transcript(instead));
            second.judge(rules, &right).unwrap();
            let by_spelling = Transcript { value: None, ..wrong.clone() };
            assert!(second.judge(rules, &by_spelling).is_err(), "{reader}");
        }
    }
    // A value alone that is wrong: the last of two names lost, a float off by one bit.
    for (text, instead) in [(r#"{"a":1,"a":2}"#, r#"{"a":1}"#), ("5e-324", "1e-323"), ("-0", "-1")] {
        let second = SecondSource::read(text.as_bytes()).unwrap();
        let transcript = |text: &str| Transcript::by_verifier(Way::Tree, text.as_bytes(), &PYTHON.dialect);
        let wrong = Transcript { value: transcript(instead).value, ..transcript(text) };
        assert!(second.judge(&PYTHON, &wrong).is_err(), "{text}");
    }
}

#[test]
fn wrong_verdicts_are_refused() {
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    for (text, rules, taken) in [
        ("[NaN]", &PYTHON, true),
        ("[NaN]", &STRICT, false),
        ("[1,]", &PYTHON, false),
        ("01", &STRICT, false),
        ("\u{feff}1", &PYTHON, false),
        ("\"\u{1f}\"", &STRICT, false),
        ("\"\u{7f}\"", &STRICT, true),
        (&nested(200), &STRICT, true),
        (&nested(257), &STRICT, false),
        (&nested(257), &PYTHON, true),
        (&nested(2_000), &PYTHON, false),
        (&"1".repeat(4_300), &PYTHON, true),
        (&"1".repeat(4_301), &PYTHON, false),
        (&"1".repeat(4_301), &STRICT, true),
    ] {
        let second = SecondSource::read(text.as_bytes()).unwrap();
        assert_eq!(second.takes(rules), Some(taken), "{}", text.get(..80).unwrap_or(text));
        for way in Way::ALL {
            let right = Transcript::by_verifier(way, text.as_bytes(), &rules.dialect);
            second.judge(rules, &right).unwrap();
            let spelling = match &right.spelling {
                Ok(_) => Err(JsonErrorKind::UnexpectedEnd),
                Err(_) => Ok("null".to_owned()),
            };
            assert!(second.judge(rules, &Transcript { spelling, ..right }).is_err(), "{way}");
        }
    }
}

#[test]
fn texts_reach_both_verdicts_in_every_dialect() {
    const TEXTS: u64 = 4_000;
    let mut taken = [0_u64; ALL.len()];
    let (mut open, mut repeats, mut lone, mut floats) = (0, 0, 0, 0);
    for seed in 0..TEXTS {
        let text = texts::text_of(&[&[1], assize_inputs::seed::noise(seed, 256).as_slice()].concat());
        check(&text).unwrap_or_else(|disagreement| panic!("{disagreement}"));
        let second = SecondSource::read(&text).unwrap();
        for (rules, count) in ALL.iter().zip(&mut taken) {
            match second.takes(rules) {
                Some(true) => *count += 1,
                Some(false) => {}
                None => open += 1,
            }
        }
        let transcript = Transcript::by_verifier(Way::Tree, &text, &PYTHON.dialect);
        if let (Ok(spelling), Some(value)) = (&transcript.spelling, &transcript.value) {
            repeats += u64::from(spelling.lines().count() != value.lines().count());
            lone += u64::from(spelling.lines().any(has_surrogate));
            floats += u64::from(spelling.lines().any(|line| line.starts_with('f') && line != "false"));
        }
    }
    println!("taken {taken:?}, left open {open}, repeats {repeats}, lone {lone}, floats {floats}");
    for (rules, count) in ALL.iter().zip(taken) {
        let percent = count * 100 / TEXTS;
        assert!((50..=95).contains(&percent), "{}: takes {percent} %", rules.dialect.name);
    }
    assert!(taken.windows(2).any(|two| two.first() != two.last()), "no text tells the dialects apart");
    assert!(open * 100 < TEXTS, "{open} verdicts are left open");
    for (what, count, per_mille) in [("repeats", repeats, 10), ("lone surrogates", lone, 10), ("floats", floats, 200)] {
        assert!(count * 1_000 >= per_mille * TEXTS, "{what}: {count} of {TEXTS}");
    }
}

/// Whether a line is a string with the bytes of a surrogate, which begin with ED A0 to ED BF.
fn has_surrogate(line: &str) -> bool {
    let octets: Vec<_> = line.get(1..).unwrap_or_default().as_bytes().chunks(2).collect();
    let begins = |two: &[&[u8]]| matches!(two, [b"ed", [b'a' | b'b', _]]);
    line.starts_with(['n', 's']) && octets.windows(2).any(begins)
}
