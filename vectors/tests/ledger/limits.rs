//! Stated limits of the authority system, at their edges: one record, and the inputs of a run.

use std::io::{self, Read};

use assize_verifier::{
    authority::{Inputs, Layout, LedgerError, Reading, Records, chain, limits},
    json::JsonErrorKind,
};

/// Bytes that a record may have.
const RECORD: u64 = limits::RECORD_BYTES as u64;

/// A text of one byte over and over, between a begin and an end.
fn long(begin: &'static str, byte: u8, count: u64, end: &'static str) -> impl Read {
    begin.as_bytes().chain(io::repeat(byte).take(count)).chain(end.as_bytes())
}

/// Counts what is read.
struct Counted<R> {
    source: R,
    given: u64,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let length = self.source.read(into)?;
        self.given += length as u64;
        Ok(length)
    }
}

/// Record and offset of the one that is too large.
#[track_caller]
fn too_large(error: &LedgerError) -> (u64, u64) {
    assert_eq!(error.code(), Some("A_LIMIT"));
    let LedgerError::Json { record, offset, kind: JsonErrorKind::Size(limit), .. } = error else {
        panic!("{error:?}");
    };
    assert_eq!(*limit, limits::RECORD_BYTES);
    (*record, *offset)
}

/// One test, so that no more than one of these texts is held at a time.
#[test]
fn one_record() {
    // The quotes of a text that is a record count.
    let judge = |count| chain(long("[\"", b'x', count, "\"]"), &Reading::default());
    assert!(judge(RECORD - 2).unwrap().breach.is_some(), "read, and no record");
    assert_eq!(too_large(&judge(RECORD - 1).unwrap_err()), (0, 1));

    let mut records = Records::new(long("", b'1', RECORD, "\n2"), Some(Layout::Lines));
    assert_eq!(records.next().unwrap().unwrap().text.len() as u64, RECORD);
    assert_eq!(records.next().unwrap().unwrap().offset, RECORD + 1);

    // What goes on and on is not read to its end.
    let mut endless = Counted { source: long("[\"", b'x', 3 * RECORD, ""), given: 0 };
    let first = Records::new(&mut endless, None).next().map(|_| "a record");
    assert_eq!(too_large(&first.unwrap_err()), (0, 1));
    assert!(endless.given < 5 * RECORD / 2, "{} bytes were read", endless.given);

    // Nor is what is not an array of records.
    let judge =
        |count| chain(long("1", b' ', count, ""), &Reading { layout: Some(Layout::Array), ..Reading::default() });
    assert_eq!(judge(RECORD - 1).unwrap_err().code(), Some("A_INPUT"));
    assert_eq!(judge(RECORD).unwrap_err().code(), Some("A_LIMIT"));
}

#[test]
fn the_inputs_of_a_run() {
    let codes = |text: &[u8]| Inputs::parse(text).map(|_| ()).map_err(|why| why.codes());
    let size = limits::INPUT_BYTES as usize;
    assert_eq!(codes(&vec![0; size + 1]), Err(vec!["A_LIMIT"]));
    let nested = |levels: usize| {
        let pin = "[".repeat(levels - 1) + &"]".repeat(levels - 1);
        let policy = r#"{"max_interpretations":1,"max_nodes":9,"max_depth":3,"contradiction_budget":0,"max_steps":9}"#;
        format!(r#"{{"run_id":"r","seed_text":"s","pin":{pin},"policy":{policy},"interpretations":[],"ts_base":"T"}}"#)
    };
    let depth = limits::INPUT_DEPTH as usize;
    assert_eq!(codes(nested(depth).as_bytes()), Ok(()));
    assert_eq!(codes(nested(depth + 1).as_bytes()), Err(vec!["A_LIMIT"]));
}
