//! A ledger as a chain of records: the kernel's `validate_chain`, streaming and in parallel.
//!
//! Spec: Kernel Contract 0.1.0, 2.2 and 4.2; rulings AU-10 to AU-13. The first failure is the verdict; what
//! stands after it is read for its syntax alone, since a text that is not JSON has no verdict.

use std::io::Read;
use std::mem;
use std::ops::Range;

use crate::json::{JsonError, JsonErrorKind, Reader};
use crate::threads::Threads;

use super::breach::{Breach, Flaw};
use super::laws::parent_linkage::{self, Link};
use super::laws::{canonical_form, ledger_integrity, record_shape};
use super::model::canonical::text;
use super::model::ledger::{Block, Blocks, Kept, Layout, LedgerError, RECORD};
use super::model::record::{CanonicalRecord, Member, RecordReader};

/// How a ledger is read.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// How records are laid out; none: the first byte tells.
    pub layout: Option<Layout>,
    /// Whether records may be judged in parallel.
    pub threads: Threads,
}

impl Default for Reading {
    fn default() -> Self {
        Self { layout: None, threads: Threads::Caller }
    }
}

/// What a ledger is as a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// Records, those after a breach included.
    pub records: u64,
    /// Bytes of the ledger.
    pub bytes: u64,
    /// `record_hash` of the last record of a valid chain; none for the empty one.
    pub last_hash: Option<String>,
    /// The first failure; none if the chain is valid.
    pub breach: Option<Breach>,
}

/// Judges a ledger as a chain of records.
///
/// # Errors
/// If the source breaks, or any of it is not JSON as Python reads it.
pub fn chain(source: impl Read + Send, reading: &Reading) -> Result<Chain, LedgerError> {
    follow(source, reading, 0).map(|(chain, _)| chain)
}

/// [`chain`], keeping the text of the first records.
pub(super) fn follow(
    source: impl Read + Send,
    reading: &Reading,
    keep: usize,
) -> Result<(Chain, Vec<Kept>), LedgerError> {
    let mut blocks = Blocks::new(source, reading.layout);
    let (mut block, mut ahead) = (Block::default(), Block::default());
    let mut joint = Joint { link: Link::start(), records: 0, breach: None };
    let mut kept = Vec::new();
    let mut more = blocks.fill(&mut block)?;
    while more {
        for index in 0..block.spans.len().min(keep - kept.len()) {
            kept.extend(block.record(index).as_ref().map(Kept::of));
        }
        // The next block is read while this one is judged.
        let (filled, parts) = reading.threads.both(|| blocks.fill(&mut ahead), || parts(&block, reading.threads));
        for part in parts {
            joint.add(&block, part)?;
        }
        more = filled?;
        mem::swap(&mut block, &mut ahead);
    }
    let valid = joint.breach.is_none() && joint.records > 0;
    let last_hash = valid.then(|| text(joint.link.due()).trim_matches('"').to_owned());
    Ok((Chain { records: joint.records, bytes: blocks.offset(), last_hash, breach: joint.breach }, kept))
}

/// Records that one thread judges at a time.
const PART: usize = 128;

/// A stretch of records, linked in itself.
struct Part {
    records: Range<usize>,
    /// `parent` of the first record, unless that fails before its parent is looked at.
    head: Option<Vec<u8>>,
    /// The first failure, but for the head's parent.
    flaw: Option<(usize, Box<Flaw>)>,
    /// The chain after the last record.
    link: Link,
    /// The first record that cannot be read.
    error: Option<(usize, JsonError)>,
}

fn parts(block: &Block, threads: Threads) -> Vec<Part> {
    let count = block.spans.len();
    let ranges: Vec<_> = (0..count).step_by(PART).map(|start| start..(start + PART).min(count)).collect();
    threads.map(&ranges, 1, Judge::new, |judge, range| judge.part(block, range))
}

struct Judge {
    reader: RecordReader,
    metadata: Vec<u8>,
}

impl Judge {
    fn new() -> Self {
        Self { reader: RecordReader::new(), metadata: Vec::new() }
    }

    fn part(&mut self, block: &Block, records: &Range<usize>) -> Part {
        let mut part = Part { records: records.clone(), head: None, flaw: None, link: Link::start(), error: None };
        let mut reader = Reader::blank(&RECORD);
        // One check of the encoding for all of them, unless it fails.
        let all = block.checked(records);
        for index in records.clone() {
            let text = block.text(index);
            let started = match all.and_then(|all| block.within(all, records, index)) {
                Some(checked) => {
                    reader.restart(checked);
                    Ok(())
                }
                None => Reader::new(text, &RECORD).map(|new| reader = new).map_err(whole),
            };
            let read = started.and_then(|()| self.reader.read(text, &mut reader).map_err(|kind| reader.locate(kind)));
            match read {
                Err(error) => {
                    part.error = Some((index, error));
                    return part;
                }
                Ok(_) if part.flaw.is_some() => {}
                Ok(record) => {
                    let first = index == records.start;
                    part.flaw = judge(record, first, &mut part, &mut self.metadata).err().map(|flaw| (index, flaw));
                }
            }
        }
        part
    }
}

/// A record that is too large is at fault from its first byte on.
fn whole(error: JsonError) -> JsonError {
    if let JsonErrorKind::Size(_) = error.kind { JsonError { offset: 0, ..error } } else { error }
}

/// The record's shape and the kernel's three comparisons, in its order.
fn judge(record: CanonicalRecord<'_>, first: bool, part: &mut Part, metadata: &mut Vec<u8>) -> Result<(), Box<Flaw>> {
    record_shape::check(record)?;
    let payload = canonical_form::member(record, Member::Payload)?;
    ledger_integrity::payload_hash(record, payload)?;
    let parent = parent_linkage::parent(record);
    if first {
        part.head = Some(parent.to_vec());
    } else {
        part.link.admits(parent)?;
    }
    let values = canonical_form::members(record, ledger_integrity::covered())?;
    ledger_integrity::record_hash(record, values, metadata)?;
    part.link.follow(record);
    Ok(())
}

/// The parts that have been judged, put together in order.
struct Joint {
    link: Link,
    records: u64,
    breach: Option<Breach>,
}

impl Joint {
    fn add(&mut self, block: &Block, part: Part) -> Result<(), LedgerError> {
        if let Some((index, error)) = part.error {
            return Err(block.locate(index, error));
        }
        self.records += part.records.len() as u64;
        if self.breach.is_some() {
            return Ok(());
        }
        let head = part.head.and_then(|parent| self.link.admits(&parent).err());
        let flaw = match head {
            Some(flaw) => Some((part.records.start, flaw)),
            None => part.flaw,
        };
        self.breach = flaw.and_then(|(index, flaw)| Some(flaw.breach(&block.record(index)?)));
        self.link = part.link;
        Ok(())
    }
}
