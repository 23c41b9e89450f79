//! Ledgers that are broken off, odd, hostile or empty: each has a verdict, or an error with its place.

use std::io::{self, Read};

use assize_verifier::{
    authority::{Layout, LedgerError, Reading, chain},
    json::{JsonErrorKind, JsonPointer},
    threads::Threads,
};

use super::forge::payload;
use super::tampering::{Ledger, judge, valid};

const LAYOUTS: [Layout; 2] = [Layout::Array, Layout::Lines];

fn three(layout: Layout) -> Ledger {
    Ledger::new((0..3).map(payload), layout)
}

/// The ledger has no verdict; where that shows: record, line, offset.
#[track_caller]
fn unreadable(text: &[u8], layout: Option<Layout>) -> (&'static str, (u64, u64, u64), JsonErrorKind, JsonPointer) {
    let error = judge(text, layout).unwrap_err();
    let code = error.code().unwrap();
    match error {
        LedgerError::Json { record, line, offset, pointer, kind } => (code, (record, line, offset), kind, pointer),
        other => panic!("{other:?}"),
    }
}

/// An integer of 4,000 digits, 900 levels and a text of 8 MiB are read like anything else.
#[test]
fn large_values_are_read_normally() {
    let integer = "7".repeat(4_000);
    let deep = "[".repeat(900) + &"]".repeat(900);
    let long = format!("\"{}\"", "é".repeat(4 << 20));
    for layout in LAYOUTS {
        for payload in [&integer, &format!("-{integer}"), &deep, &long] {
            let ledger = Ledger::new(["1", payload, "2"], layout);
            valid(&ledger.text, 3, ledger.last_hash.as_deref());
        }
        // A digit in the middle counts.
        let ledger = Ledger::new([&integer], layout);
        let mut text = ledger.text;
        text[ledger.members[0][super::forge::PAYLOAD].start + 2_000] = b'8';
        let breach = judge(&text, None).unwrap().breach.unwrap();
        assert_eq!(breach.finding.pointer.as_str(), "/0/payload_hash");
    }
}

#[test]
fn a_hundred_thousand_levels_are_beyond_the_limit() {
    const LEVELS: usize = 100_000;
    let abyss = [
        "[".repeat(LEVELS),
        "[".repeat(LEVELS) + &"]".repeat(LEVELS),
        r#"{"a":"#.repeat(LEVELS),
        r#"{"a":"#.repeat(LEVELS) + "1" + &"}".repeat(LEVELS),
    ];
    for payload in &abyss {
        let record = format!(r#"{{"v":1,"payload":{payload}"#);
        for (text, layout) in [(format!("[{record}"), Layout::Array), (record.clone(), Layout::Lines)] {
            let (code, (record, line, _), kind, _) = unreadable(text.as_bytes(), None);
            assert_eq!((code, record, line), ("A_LIMIT", 0, 1), "{layout:?} {kind:?}");
        }
    }
}

/// A ledger that breaks off is read up to there: whole lines are a shorter ledger, and nothing else is one.
#[test]
fn broken_off_at_every_byte() {
    for layout in LAYOUTS {
        let Ledger { text, records, .. } = three(layout);
        for end in 0..text.len() {
            let cut = &text[..end];
            let whole = records.iter().filter(|record| record.end <= end).count();
            let between = records.iter().all(|record| end <= record.start || record.end <= end);
            if layout == Layout::Lines && between || end == 0 {
                let found = judge(cut, None).unwrap();
                assert_eq!((found.records, found.breach), (whole as u64, None), "{end}");
                continue;
            }
            if end == text.len() - 1 {
                // All that is missing is the line break after the array.
                valid(cut, 3, judge(&text, None).unwrap().last_hash.as_deref());
                continue;
            }
            let (code, place, kind, _) = unreadable(cut, Some(layout));
            assert_eq!((code, place.0), ("A_JSON", whole as u64), "{layout:?}, {end} bytes");
            match kind {
                JsonErrorKind::UnexpectedEnd => assert_eq!(place.2, end as u64),
                // A character, or an escape, that breaks off in itself.
                JsonErrorKind::Encoding => assert!(std::str::from_utf8(cut).is_err()),
                JsonErrorKind::BadEscape => assert_eq!(text[end - 1], b'\\'),
                other => panic!("{other:?}, {end} bytes"),
            }
        }
    }
}

#[test]
fn something_behind_or_between_the_records() {
    let array = three(Layout::Array);
    let end = array.text.len() as u64;
    for more in ["x", "[]", "null", "]", ",", "\0", "\u{FEFF}"] {
        let text = [array.text.as_slice(), more.as_bytes()].concat();
        let (code, place, kind, _) = unreadable(&text, None);
        assert_eq!((code, place, kind), ("A_JSON", (3, 4, end), JsonErrorKind::TrailingData), "{more:?}");
    }
    // Two whole arrays.
    let text = [array.text.as_slice(), &array.text].concat();
    assert_eq!(unreadable(&text, None).1, (3, 4, end));
    for (text, offset) in [
        ("[,]", 1),
        ("[1,]", 3),
        ("[1,,2]", 3),
        ("[1 2]", 3),
        ("[1}", 2),
        ("[}", 1),
        ("[1]]", 3),
        ("[", 1),
        ("[1", 2),
        ("[1,", 3),
        (" \n[1,\n", 6),
    ] {
        let (code, place, ..) = unreadable(text.as_bytes(), None);
        assert_eq!((code, place.2), ("A_JSON", offset), "{text}");
    }
    // A comma is not a record that ends at once.
    for (text, byte) in [("[,]", b','), ("[1,,2]", b','), ("[}", b'}')] {
        assert_eq!(unreadable(text.as_bytes(), None).2, JsonErrorKind::Unexpected(byte), "{text}");
    }
    // The comma stands in the third line.
    assert_eq!(unreadable(b"\n[\n,]", None).1, (0, 3, 3));
    let lines = three(Layout::Lines);
    for more in ["x", "1", "{}", ",", "]", "\0", "\u{b}"] {
        let mut text = lines.text.clone();
        text.splice(lines.records[1].end..lines.records[1].end, more.bytes());
        let (code, place, kind, _) = unreadable(&text, None);
        let offset = lines.records[1].end as u64;
        assert_eq!((code, place, kind), ("A_JSON", (1, 2, offset), JsonErrorKind::TrailingData), "{more:?}");
    }
}

#[test]
fn a_byte_order_mark_is_no_white_space() {
    for layout in LAYOUTS {
        let ledger = three(layout);
        let text = [b"\xEF\xBB\xBF", ledger.text.as_slice()].concat();
        for told in [None, Some(layout)] {
            let (code, place, kind, _) = unreadable(&text, told);
            assert_eq!((code, place, kind), ("A_JSON", (0, 1, 0), JsonErrorKind::ByteOrderMark));
        }
    }
}

/// The place is that of the first bad byte, whatever is wrong with the records before.
#[test]
fn bytes_that_are_no_text() {
    for layout in LAYOUTS {
        let ledger = three(layout);
        for broken in [false, true] {
            for byte in [0x80, 0xC0, 0xED, 0xFF] {
                let mut text = ledger.text.clone();
                if broken {
                    text[ledger.members[0][0].start] = b'7';
                }
                // Inside `naïve`, the last text of the payload.
                let at = ledger.members[1][super::forge::PAYLOAD].end - 6;
                text[at] = byte;
                let (code, place, kind, _) = unreadable(&text, None);
                assert_eq!((code, place, kind), ("A_JSON", (1, 2, at as u64), JsonErrorKind::Encoding));
            }
        }
    }
}

/// A control character is refused where it stands, and what looks like the end of the value after it is not an end.
#[test]
fn a_control_character_in_a_text() {
    for (text, offset) in [("[\"a\n]\", 1]", 3), ("[{\"k\": \"\t\"}, 2]", 8), ("[1, \"\0", 5)] {
        let (code, place, kind, _) = unreadable(text.as_bytes(), Some(Layout::Array));
        let byte = text.as_bytes()[offset as usize];
        assert_eq!((code, place.2, kind), ("A_JSON", offset, JsonErrorKind::ControlCharacter(byte)), "{text:?}");
    }
}

#[test]
fn line_ends_and_blank_lines() {
    let ledger = three(Layout::Lines);
    let last = ledger.last_hash.as_deref();
    let text = std::str::from_utf8(&ledger.text).unwrap();
    for sound in [
        text.trim_end().to_owned(),
        text.replace('\n', "\r\n"),
        text.replace('\n', "\n\n \t\r\n"),
        format!("\n\r\n  {text}\n\n"),
        format!("{text}\r"),
        format!("{text}  \t"),
    ] {
        valid(sound.as_bytes(), 3, last);
    }
    // A carriage return alone ends no line.
    let joined = text.replacen('\n', "\r", 1);
    let (code, place, kind, _) = unreadable(joined.as_bytes(), None);
    let second = ledger.records[1].start as u64;
    assert_eq!((code, place, kind), ("A_JSON", (0, 1, second), JsonErrorKind::TrailingData));
    let array = three(Layout::Array);
    let text = std::str::from_utf8(&array.text).unwrap();
    for sound in [text.replace('\n', "\r"), text.replace('\n', ""), format!(" \r\n\t{text}\r")] {
        valid(sound.as_bytes(), 3, last);
    }
}

#[test]
fn nothing_at_all() {
    for text in ["", "\n", "\r", " \t\r\n", "[]", " [ ] \n"] {
        valid(text.as_bytes(), 0, None);
    }
    for text in ["", " ", "\n\r"] {
        let (code, place, kind, _) = unreadable(text.as_bytes(), Some(Layout::Array));
        assert_eq!((code, place.2, kind), ("A_JSON", text.len() as u64, JsonErrorKind::UnexpectedEnd));
    }
}

/// Told to read an array, anything else is refused: as JSON without records, or as no JSON.
#[test]
fn no_array_of_records() {
    for text in ["{}", "1", "null", " \"[]\" ", "NaN", "{\"a\":[]}\n"] {
        let error = judge(text.as_bytes(), Some(Layout::Array)).unwrap_err();
        assert_eq!((error.code(), matches!(error, LedgerError::NoArray)), (Some("A_INPUT"), true), "{text}");
    }
    for (text, offset) in [("{}\n{}", 3), ("nul", 3), ("{]", 1), ("x", 0)] {
        let (code, place, ..) = unreadable(text.as_bytes(), Some(Layout::Array));
        assert_eq!((code, place.2), ("A_JSON", offset), "{text}");
    }
    let long = format!("{{\"a\":\"{}\"}}", "x".repeat(3 << 20));
    let error = judge(long.as_bytes(), Some(Layout::Array)).unwrap_err();
    assert_eq!(error.code(), Some("A_INPUT"));
}

/// A ledger that breaks in the middle of its source.
struct Failing<'t>(&'t [u8]);

impl Read for Failing<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.0.is_empty() {
            return Err(io::Error::other("the disk is gone"));
        }
        self.0.read(into)
    }
}

#[test]
fn a_source_that_fails_has_no_verdict() {
    for layout in LAYOUTS {
        let ledger = Ledger::new((0..9_000).map(payload), layout);
        for end in [0, 1, 100, 1 << 20, (1 << 20) + 1, 3 << 20] {
            for threads in [Threads::Caller, Threads::Pool] {
                let failing = Failing(&ledger.text[..end]);
                let error = chain(failing, &Reading { layout: None, threads }).unwrap_err();
                assert!(matches!(&error, LedgerError::Io(why) if why.to_string() == "the disk is gone"), "{error:?}");
                assert_eq!(error.code(), None);
            }
        }
    }
}

/// What stands after a broken record is still read: no verdict on a text that is not JSON.
#[test]
fn an_error_behind_a_breach() {
    for layout in LAYOUTS {
        let ledger = Ledger::new((0..6_000).map(payload), layout);
        for at in [1, 127, 128, 5_999] {
            let mut text = ledger.text.clone();
            text[ledger.members[0][1].start + 1] = b'T';
            assert_eq!(judge(&text, None).unwrap().breach.unwrap().record, 0);
            text[ledger.records[at].start + 1] = b'\'';
            let (code, place, ..) = unreadable(&text, None);
            assert_eq!((code, place.0, place.2), ("A_JSON", at as u64, ledger.records[at].start as u64 + 1));
        }
    }
}
