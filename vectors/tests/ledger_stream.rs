//! A million records that are made while they are read: the verdict, and the memory that it takes.
//!
//! A program of its own, since the peak of memory is that of the whole process.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "everything here is a test; helpers outside test functions are not recognised as such"
)]

use assize_verifier::{
    authority::{Chain, Layout, Reading, chain},
    threads::Threads,
};

#[path = "ledger/forge.rs"]
mod forge;
#[path = "ledger/stream.rs"]
mod stream;

use stream::Stream;

const RECORDS: u64 = 1_000_000;

fn judge(stream: &mut Stream, threads: Threads) -> Chain {
    chain(stream, &Reading { layout: None, threads }).unwrap()
}

/// The most memory that this process ever had, in KiB; none where the system does not tell.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

/// The ledger has about 400 MB.
#[test]
fn a_million_records_take_no_more_memory_than_a_few_thousand() {
    judge(&mut Stream::new(20_000, Layout::Lines, None), Threads::Pool);
    let before = peak();
    let mut stream = Stream::new(RECORDS, Layout::Lines, None);
    let found = judge(&mut stream, Threads::Pool);
    assert_eq!((found.records, &found.breach), (RECORDS, &None));
    assert_eq!(found.last_hash, stream.forge.last_hash());
    if let (Some(before), Some(after)) = (before, peak()) {
        assert!(after - before < 16 << 10, "{before} KiB became {after} KiB");
    }
}

#[test]
fn one_digit_in_a_million_records() {
    let altered = fastrand::Rng::with_seed(6).u64(..RECORDS);
    let found = judge(&mut Stream::new(RECORDS, Layout::Array, Some(altered)), Threads::Caller);
    let breach = found.breach.unwrap();
    assert_eq!((found.records, found.last_hash, breach.record), (RECORDS, None, altered));
    assert_eq!(breach.finding.law.slug(), "authority/ledger-integrity");
    assert_eq!(breach.finding.pointer.as_str(), format!("/{altered}/payload_hash"));
}
