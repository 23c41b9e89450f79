//! One byte changed in a large ledger: exactly that record is named, in every layout and with any number of threads.

use std::ops::Range;

use assize_verifier::{
    authority::{Chain, Layout, LedgerError, Level, Reading, chain},
    threads::Threads,
};

use super::forge::{Forge, payload};

/// Law and member under which a change shows, by the member that was changed, in the order of the record.
const SHOWS: [(&str, &str); 7] = [
    ("authority/ledger-integrity", "record_hash"),
    ("authority/ledger-integrity", "record_hash"),
    ("authority/ledger-integrity", "record_hash"),
    ("authority/parent-linkage", "parent"),
    ("authority/ledger-integrity", "payload_hash"),
    ("authority/ledger-integrity", "payload_hash"),
    ("authority/ledger-integrity", "record_hash"),
];

/// A whole ledger, and where its records and the values of their members stand.
pub(crate) struct Ledger {
    pub(crate) text: Vec<u8>,
    pub(crate) records: Vec<Range<usize>>,
    pub(crate) members: Vec<[Range<usize>; 7]>,
    pub(crate) last_hash: Option<String>,
}

impl Ledger {
    pub(crate) fn new<P: AsRef<[u8]>>(payloads: impl IntoIterator<Item = P>, layout: Layout) -> Self {
        let (open, comma, close) = match layout {
            Layout::Array => ("[", ",\n", "]\n"),
            Layout::Lines => ("", "\n", "\n"),
        };
        let mut forge = Forge::default();
        let (mut text, mut records, mut members) = (open.as_bytes().to_vec(), Vec::new(), Vec::new());
        for (number, payload) in payloads.into_iter().enumerate() {
            text.extend_from_slice(if number == 0 { b"" } else { comma.as_bytes() });
            let start = text.len();
            members.push(forge.append(payload.as_ref(), &mut text));
            records.push(start..text.len());
        }
        text.extend_from_slice(close.as_bytes());
        Self { text, records, members, last_hash: forge.last_hash() }
    }
}

/// The verdict, which any number of threads find alike.
#[track_caller]
pub(crate) fn judge(text: &[u8], layout: Option<Layout>) -> Result<Chain, LedgerError> {
    let [alone, shared] = [Threads::Caller, Threads::Pool].map(|threads| chain(text, &Reading { layout, threads }));
    match (&alone, &shared) {
        (Ok(alone), Ok(shared)) => assert_eq!(alone, shared),
        (Err(alone), Err(shared)) => assert_eq!(alone.to_string(), shared.to_string()),
        _ => panic!("{alone:?} and {shared:?}"),
    }
    alone
}

/// The ledger is valid, and ends so.
#[track_caller]
pub(crate) fn valid(text: &[u8], records: usize, last_hash: Option<&str>) {
    let found = judge(text, None).unwrap();
    assert_eq!(found.breach, None);
    assert_eq!((found.records, found.bytes), (records as u64, text.len() as u64));
    assert_eq!(found.last_hash.as_deref(), last_hash);
}

#[test]
fn the_record_that_was_changed_is_named() {
    const RECORDS: usize = 6_000;
    let mut draw = fastrand::Rng::with_seed(2);
    for layout in [Layout::Lines, Layout::Array] {
        let ledger = Ledger::new((0..RECORDS as u64).map(payload), layout);
        valid(&ledger.text, RECORDS, ledger.last_hash.as_deref());
        for (member, (law, shows)) in SHOWS.into_iter().enumerate() {
            // Those at the edges of a share of the work too, and the last one.
            for record in [draw.usize(1..RECORDS), 127, 128, RECORDS - 1] {
                let mut text = ledger.text.clone();
                let digit =
                    text[ledger.members[record][member].clone()].iter_mut().rfind(|b| b.is_ascii_alphanumeric());
                let digit = digit.unwrap();
                *digit = if *digit == b'1' { b'2' } else { b'1' };
                let found = judge(&text, None).unwrap();
                let breach = found.breach.unwrap();
                assert_eq!((breach.level, breach.record), (Level::Chain, record as u64), "{layout:?} {member}");
                assert_eq!(breach.offset, ledger.records[record].start as u64);
                assert_eq!(breach.finding.law.slug(), law);
                assert_eq!(breach.finding.pointer.as_str(), format!("/{record}/{shows}"));
                assert_eq!((found.records, found.last_hash), (RECORDS as u64, None));
            }
        }
    }
}

/// Of two changes the first counts, whatever the second would show under.
#[test]
fn the_first_of_two_changes_is_named() {
    let ledger = Ledger::new((0..300).map(payload), Layout::Lines);
    for (first, second) in [(126, 127), (127, 128), (128, 129), (5, 299), (200, 201)] {
        for (member, (_, shows)) in SHOWS.into_iter().enumerate() {
            for other in 0..SHOWS.len() {
                let mut text = ledger.text.clone();
                for (record, member) in [(second, other), (first, member)] {
                    let value = &mut text[ledger.members[record][member].clone()];
                    let digit = value.iter_mut().rfind(|b| b.is_ascii_alphanumeric()).unwrap();
                    *digit = if *digit == b'1' { b'2' } else { b'1' };
                }
                let breach = judge(&text, None).unwrap().breach.unwrap();
                assert_eq!(breach.finding.pointer.as_str(), format!("/{first}/{shows}"), "{second} {other}");
            }
        }
    }
}

/// Whole records removed, repeated, swapped or put in front: the place is the first whose parent is another.
#[test]
fn records_removed_repeated_or_swapped() {
    const RECORDS: usize = 400;
    let ledger = Ledger::new((0..RECORDS as u64).map(payload), Layout::Lines);
    let broken = |order: &[usize], at: usize| {
        let text: Vec<u8> =
            order.iter().flat_map(|&record| [&ledger.text[ledger.records[record].clone()], b"\n"].concat()).collect();
        let found = judge(&text, None).unwrap();
        let breach = found.breach.unwrap();
        assert_eq!(breach.finding.law.slug(), "authority/parent-linkage");
        assert_eq!(breach.finding.pointer.as_str(), format!("/{at}/parent"));
        assert_eq!(found.records, order.len() as u64);
    };
    let whole: Vec<usize> = (0..RECORDS).collect();
    for at in [1, 127, 128, 129, 255, 256, 398] {
        let mut order = whole.clone();
        order.remove(at);
        broken(&order, at);
        let mut order = whole.clone();
        order.insert(at, at);
        broken(&order, at + 1);
        let mut order = whole.clone();
        order.swap(at, at + 1);
        broken(&order, at);
    }
    broken(&whole[1..], 0);
    broken(&[&[0], whole.as_slice()].concat(), 1);
}
