//! Records are the same wherever the text is cut: by blocks of 1 MiB, and by a source that gives a few bytes at a time.

use std::io::{self, Read};

use assize_verifier::authority::{Layout, Records};
use proptest::prelude::*;

use super::forge::payload;
use super::tampering::{Ledger, valid};

/// Bytes that are read at a time.
const BLOCK: usize = 1 << 20;

/// A source that gives at most so many bytes at a time, and is interrupted now and then.
struct Drops<'t> {
    text: &'t [u8],
    most: usize,
    reads: usize,
}

impl Read for Drops<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.reads += 1;
        if self.reads.is_multiple_of(1000) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let most = self.most.min(into.len());
        self.text.read(&mut into[..most])
    }
}

/// Index, line, offset and text of a record.
type Found = (u64, u64, u64, Vec<u8>);

fn records(source: impl Read) -> Vec<Found> {
    let mut records = Records::new(source, None);
    let mut found = Vec::new();
    while let Some(record) = records.next().unwrap() {
        found.push((record.index, record.line, record.offset, record.text.to_vec()));
    }
    found
}

/// A text of values, none of which holds a line break, with this between them; and the records that it has.
fn lay_out(values: &[Vec<u8>], layout: Layout, between: &str) -> (Vec<u8>, Vec<Found>) {
    let (open, close) = if layout == Layout::Array { ("[ ", "\n]\r\n") } else { ("", "") };
    let mut text = open.as_bytes().to_vec();
    let (mut found, mut line) = (Vec::new(), 1);
    for (index, value) in values.iter().enumerate() {
        if index > 0 {
            text.extend_from_slice(between.as_bytes());
            line += between.matches('\n').count() as u64;
        }
        found.push((index as u64, line, text.len() as u64, value.clone()));
        text.extend_from_slice(value);
    }
    text.extend_from_slice(close.as_bytes());
    (text, found)
}

/// Values of every kind, with all that could be taken for their end.
const VALUES: [&str; 8] = [
    r#"{"a]}\"":[{},"}\\"],"b":-1.5e3}"#,
    r#"[[],["\\","\\\""],{"é":"日本語"}]"#,
    r#""\u0022\"]},\\""#,
    "-Infinity",
    "12345678",
    r#"{"v":1}"#,
    "null",
    "[]",
];

/// Every byte of the values, and of what stands between them, once begins a block.
#[test]
fn a_block_may_end_anywhere() {
    let values: Vec<Vec<u8>> = VALUES.iter().map(|value| value.as_bytes().to_vec()).collect();
    let length: usize = VALUES.iter().map(|value| value.len() + 4).sum();
    for (layout, between) in [(Layout::Array, " ,\n\n"), (Layout::Lines, "\n \r\n")] {
        for behind in 0..length + 4 {
            let long = [b"\"", "x".repeat(BLOCK - behind).as_bytes(), b"\""].concat();
            let (text, expected) = lay_out(&[&[long], values.as_slice()].concat(), layout, between);
            let found = records(text.as_slice());
            let same = found.len() == expected.len()
                && found.iter().zip(&expected).all(|(found, expected)| {
                    // Of a line the white space after it belongs to its text.
                    (found.0, found.1, found.2) == (expected.0, expected.1, expected.2)
                        && found.3.trim_ascii_end() == expected.3
                });
            assert!(same, "{layout:?}, {behind} bytes before the border");
        }
    }
}

/// Names a list of values by where it first differs from another: the values are too long to print.
fn assert_same(found: &[Found], expected: &[Found]) {
    let places = |list: &[Found]| list.iter().map(|f| (f.0, f.1, f.2, f.3.len())).collect::<Vec<_>>();
    assert_eq!(places(found), places(expected));
    assert!(found == expected, "the same places, but other texts");
}

#[test]
fn a_source_may_give_a_byte_at_a_time() {
    let long = |length: usize| [b"\"", "\\\\é".repeat(length / 4).as_bytes(), b"\""].concat();
    let lengths = [BLOCK / 2, BLOCK - 3, 40, BLOCK / 3, 2 * BLOCK];
    let values: Vec<Vec<u8>> =
        lengths.into_iter().map(long).chain(VALUES.map(|value| value.as_bytes().to_vec())).collect();
    for (layout, between) in [(Layout::Array, ",\n"), (Layout::Lines, "\n")] {
        let (text, expected) = lay_out(&values, layout, between);
        for most in [1, 7, 4096, usize::MAX] {
            assert_same(&records(Drops { text: &text, most, reads: 0 }), &expected);
        }
    }
}

#[test]
fn valid_ledgers_of_records_around_a_block() {
    let long = |length: usize| format!("\"{}\"", "y".repeat(length)).into_bytes();
    for length in (BLOCK - 480..BLOCK + 40).step_by(37) {
        let payloads = [long(length), payload(1), long(3 * length), payload(3)];
        for layout in [Layout::Array, Layout::Lines] {
            let ledger = Ledger::new(&payloads, layout);
            valid(&ledger.text, payloads.len(), ledger.last_hash.as_deref());
        }
    }
}

/// White space fills whole blocks, before the records and between them.
#[test]
fn white_space_of_more_than_a_block() {
    let ledger = Ledger::new((0..3).map(payload), Layout::Array);
    let space = " ".repeat(2 * BLOCK + 1);
    let text = String::from_utf8(ledger.text).unwrap();
    for text in [format!("{space}{text}"), text.replace(",\n", &format!(",{space}"))] {
        valid(text.as_bytes(), 3, ledger.last_hash.as_deref());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_values_are_cut_alike(
        picks in prop::collection::vec((0..VALUES.len(), prop_oneof![8 => 0..200_usize, 1 => 0..3 * BLOCK]), 1..60),
        lines in any::<bool>(),
        most in prop_oneof![Just(4096), Just(65_537), Just(usize::MAX)],
    ) {
        let padded = |&(pick, length): &(usize, usize)| {
            [b"[", VALUES[pick].as_bytes(), b",\"", "z".repeat(length).as_bytes(), b"\"]"].concat()
        };
        let values: Vec<Vec<u8>> = picks.iter().map(padded).collect();
        let (layout, between) = if lines { (Layout::Lines, "\n") } else { (Layout::Array, ",") };
        // A first line that begins like an array would be taken for one.
        let values = [vec![b"0".to_vec()], values].concat();
        let (text, expected) = lay_out(&values, layout, between);
        assert_same(&records(Drops { text: &text, most, reads: 0 }), &expected);
    }
}
