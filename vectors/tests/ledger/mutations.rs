//! Ledgers with random damage, and with every damage of one byte: noticed, or without effect on any record.

use assize_verifier::{
    authority::{Assumed, Chain, Layout, LedgerError, Reading, chain, replay},
    json::{Dialect, Document},
    threads::Threads,
};
use proptest::{prelude::*, sample::Index};
use serde_json::Value;

use super::forge::payload;
use super::tampering::{Ledger, judge};

/// A small ledger in a spelling of its own: white space, escapes, members in another order, numbers written otherwise.
/// Integers fit 64 bits, so that the values can be compared by a reader that is not the verifier's.
fn respelled(layout: Layout) -> Vec<u8> {
    let ledger = Ledger::new([r#"{"a":"é\n","b":[1.5,100.0,-7]}"#, "[true,{}]"], layout);
    let text = String::from_utf8(ledger.text).unwrap();
    let (before, after) = (r#"{"a":"é\n","b":[1.5,100.0,-7]}"#, r#"{"b":[ 15e-1,1E2 ,-7 ],"\u0061":"\u00e9\u000A"}"#);
    assert_eq!(text.matches(before).count(), 1);
    text.replace(before, after).replace(r#""kind":"note""#, "\"kind\" :\t\"not\\u0065\"").into_bytes()
}

/// The records as `serde_json` reads them; it takes the last of repeated members too.
fn values(text: &[u8], layout: Layout) -> Option<Vec<Value>> {
    match layout {
        Layout::Array => serde_json::from_slice(text).ok(),
        Layout::Lines => {
            let blank = |line: &&[u8]| line.iter().all(|byte| b" \t\r".contains(byte));
            let lines = text.split(|&byte| byte == b'\n').filter(|line| !blank(line));
            lines.map(|line| serde_json::from_slice(line).ok()).collect()
        }
    }
}

#[test]
fn every_change_of_one_byte() {
    for layout in [Layout::Array, Layout::Lines] {
        let text = respelled(layout);
        let whole = values(&text, layout);
        assert!(whole.as_ref().is_some_and(|records| records.len() == 2));
        assert_eq!(judge(&text, None).unwrap().breach, None);
        let (mut broken, mut unreadable, mut without_effect) = (0, 0, 0);
        let mut changed = text.clone();
        for at in 0..text.len() {
            for byte in (0..=u8::MAX).filter(|&byte| byte != text[at]) {
                changed[at] = byte;
                let same = values(&changed, layout) == whole;
                let reading = Reading { layout: Some(layout), threads: Threads::Caller };
                let found = chain(changed.as_slice(), &reading);
                let valid = found.as_ref().is_ok_and(|found| found.breach.is_none());
                assert_eq!(valid, same, "{at} {byte:#x}: {found:?}");
                match found {
                    Err(_) => unreadable += 1,
                    Ok(_) if valid => without_effect += 1,
                    Ok(_) => broken += 1,
                }
            }
            changed[at] = text[at];
        }
        println!("{layout:?}: {broken} broken, {unreadable} unreadable, {without_effect} without effect");
        assert!(broken > 10_000 && unreadable > 10_000 && without_effect > 10);
    }
}

/// One stroke of damage to a text. Indices pick among whatever is there.
#[derive(Debug, Clone)]
enum Damage {
    /// A byte becomes another.
    Byte(Index, u8),
    /// A stretch is lost.
    Cut(Index, u8),
    /// A stretch stands twice.
    Repeat(Index, u8),
    /// Something is put in.
    Insert(Index, &'static str),
}

/// What means something to a reader.
const PIECES: [&str; 16] = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "\n",
    "null",
    "NaN",
    "-",
    "1e400",
    "\"\\ud800\"",
    "\"v\":1,",
    "\u{FEFF}",
];

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        1 => (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| Damage::Byte(at, byte)),
        1 => (any::<Index>(), 0..60_u8).prop_map(|(at, length)| Damage::Cut(at, length)),
        1 => (any::<Index>(), 0..60_u8).prop_map(|(at, length)| Damage::Repeat(at, length)),
        3 => (any::<Index>(), prop::sample::select(&PIECES[..])).prop_map(|(at, piece)| Damage::Insert(at, piece)),
    ]
}

impl Damage {
    fn to(&self, text: &mut Vec<u8>) {
        let stretch = |at: &Index, length: u8| {
            let start = at.index(text.len() + 1);
            start..(start + usize::from(length)).min(text.len())
        };
        match self {
            Self::Byte(at, byte) => {
                let at = stretch(at, 1);
                text[at].fill(*byte);
            }
            Self::Cut(at, length) => drop(text.drain(stretch(at, *length))),
            Self::Repeat(at, length) => {
                let stretch = stretch(at, *length);
                let again = text[stretch.clone()].to_vec();
                text.splice(stretch.start..stretch.start, again);
            }
            Self::Insert(at, piece) => {
                let at = stretch(at, 0);
                text.splice(at, piece.bytes());
            }
        }
    }
}

/// Code and offset of an error, as the reader of one whole document tells them, and none if it can be read.
fn refused(text: &[u8]) -> Option<(&'static str, u64)> {
    let error = Document::parse(text, &Dialect::AUTHORITY).err()?;
    Some((if error.kind.is_limit() { "A_LIMIT" } else { "A_JSON" }, error.offset as u64))
}

fn place(error: &LedgerError) -> Option<(&'static str, u64)> {
    match error {
        LedgerError::Json { offset, .. } => Some((error.code()?, *offset)),
        _ => None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// An array is refused where a reader of the whole text would refuse it.
    #[test]
    fn damaged_arrays(strokes in prop::collection::vec(damage(), 1..4)) {
        let mut text = respelled(Layout::Array);
        strokes.iter().for_each(|stroke| stroke.to(&mut text));
        let found = judge(&text, Some(Layout::Array));
        let error = found.as_ref().err();
        if !matches!(error, Some(LedgerError::NoArray)) {
            // Bytes that are not text come first there; here, where they stand.
            if std::str::from_utf8(&text).is_ok() {
                prop_assert_eq!(error.map(place), refused(&text).map(Some), "{}", String::from_utf8_lossy(&text));
            } else {
                prop_assert_eq!(error.and_then(LedgerError::code), Some("A_JSON"));
            }
        }
        consistent(&text, &found);
    }

    /// Lines are refused at the first one that is refused by itself.
    #[test]
    fn damaged_lines(strokes in prop::collection::vec(damage(), 1..4)) {
        let mut text = respelled(Layout::Lines);
        strokes.iter().for_each(|stroke| stroke.to(&mut text));
        let found = judge(&text, Some(Layout::Lines));
        let mut offset = 0;
        let mut first = None;
        for line in text.split(|&byte| byte == b'\n') {
            if !line.iter().all(|byte| b" \t\r".contains(byte)) {
                first = first.or_else(|| refused(line).map(|(code, at)| (code, offset + at)));
            }
            offset += line.len() as u64 + 1;
        }
        let error = found.as_ref().err();
        if std::str::from_utf8(&text).is_ok() {
            prop_assert_eq!(error.map(place), first.map(Some));
        } else {
            // Bytes that are not text come first in a line that is read whole; here, where they stand.
            let (found, first) = (error.and_then(place), first);
            prop_assert_eq!(found.map(|(code, _)| code), first.map(|(code, _)| code));
            prop_assert!(found.map(|(_, at)| at) <= first.map(|(_, at)| at));
        }
        consistent(&text, &found);
    }

}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// The layout has no part in the verdict.
    #[test]
    fn both_layouts_have_one_verdict(
        count in 1..300_u64,
        altered in prop::option::of((any::<Index>(), 0..7_usize)),
        order in prop::option::of((any::<Index>(), any::<Index>())),
    ) {
        let verdict = |layout| {
            let Ledger { mut text, mut records, members, .. } = Ledger::new((0..count).map(payload), layout);
            if let Some((record, member)) = &altered {
                let value = &mut text[members[record.index(members.len())][*member].clone()];
                value.iter_mut().rfind(|byte| byte.is_ascii_hexdigit()).into_iter().for_each(|byte| *byte ^= 1);
            }
            if let Some((one, other)) = &order {
                let (one, other) = (one.index(records.len()), other.index(records.len()));
                records.swap(one, other);
            }
            let between = if layout == Layout::Array { "," } else { "\n" };
            let joined = records.iter().map(|record| std::str::from_utf8(&text[record.clone()]).unwrap());
            let joined = joined.collect::<Vec<_>>().join(between);
            let text = if layout == Layout::Array { format!("[{joined}]") } else { joined };
            let Chain { records, last_hash, breach, .. } = judge(text.as_bytes(), None).unwrap();
            (records, last_hash, breach.map(|breach| (breach.record, breach.finding, breach.stored, breach.expected)))
        };
        let (array, lines) = (verdict(Layout::Array), verdict(Layout::Lines));
        prop_assert_eq!(array, lines);
    }
}

/// Whatever is judged holds together, and its replay begins with the same chain.
fn consistent(text: &[u8], found: &Result<Chain, LedgerError>) {
    for layout in [None, Some(Layout::Array), Some(Layout::Lines)] {
        let _ = judge(text, layout);
    }
    let replayed = replay(text, &Assumed::default(), &Reading::default());
    let Ok(found) = found else { return };
    assert!(found.bytes <= text.len() as u64);
    assert_eq!(found.last_hash.is_some(), found.breach.is_none() && found.records > 0);
    let Ok(replayed) = replayed else { return };
    if replayed.chain == *found
        && let Some(breach) = &found.breach
    {
        assert_eq!(replayed.outcome.err().as_ref(), Some(breach));
        assert!(breach.record < found.records);
        let pointer = breach.finding.pointer.as_str();
        assert!(pointer == format!("/{}", breach.record) || pointer.starts_with(&format!("/{}/", breach.record)));
        assert!(!breach.finding.message.is_empty());
    }
}
