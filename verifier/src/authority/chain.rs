//! A ledger as a chain of records: the kernel's `validate_chain`, streaming and in parallel.
//!
//! Spec: Kernel Contract 0.1.0, 2.2 and 4.2; rulings AU-10 to AU-13. The first failure is the verdict; what
//! stands behind it is read for its syntax alone, since a text that is no JSON has no verdict.

use std::fmt;
use std::io::Read;
use std::mem;
use std::ops::Range;

use crate::canon::Trouble;
use crate::digest::Digest;
use crate::finding::Finding;
use crate::json::{JsonError, JsonErrorKind, JsonPointer, Reader};
use crate::threads::Threads;

use super::canonical_form::{self, text};
use super::ledger::{Block, Blocks, Layout, LedgerError, RECORD, RecordText};
use super::ledger_integrity::{self, METADATA, quoted, write_metadata};
use super::parent_linkage::{self, Link};
use super::record_shape::{self, CanonicalRecord, Member, Misshape, RecordReader};

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

/// The level on which a ledger is broken (AU-8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// The records do not make a chain: what the kernel's own check sees.
    Chain,
    /// The chain holds, but no run makes these records.
    Derivation,
}

impl Level {
    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Chain => "chain",
            Self::Derivation => "derivation",
        }
    }
}

/// The first thing that is wrong with a ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// Where it shows.
    pub level: Level,
    /// Index of the record, from 0; of a record that is missing, the one it would have.
    pub record: u64,
    /// Byte offset of that record in the ledger.
    pub offset: u64,
    /// The law, the place below the array of records, and what to do.
    pub finding: Finding,
    /// What stands there, as canonical text.
    pub stored: Option<String>,
    /// What would have to stand there.
    pub expected: Option<String>,
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.finding.law, self.finding.pointer, self.finding.message)
    }
}

/// What a ledger is as a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// Records, those behind a breach included.
    pub records: u64,
    /// Bytes of the ledger.
    pub bytes: u64,
    /// `record_hash` of the last record of a valid chain; none for the empty one.
    pub last_hash: Option<String>,
    /// The first failure; none if the chain is valid.
    pub breach: Option<Breach>,
}

/// A record that is kept for whoever derives the run again.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    index: u64,
    line: u64,
    pub(super) offset: u64,
    pub(super) text: Vec<u8>,
}

impl Kept {
    fn of(record: &RecordText<'_>) -> Self {
        Self { index: record.index, line: record.line, offset: record.offset, text: record.text.to_vec() }
    }

    /// An error inside the record, located in the ledger.
    pub(super) fn locate(&self, error: JsonError) -> LedgerError {
        let Self { index, line, offset, text } = self;
        RecordText { index: *index, line: *line, offset: *offset, text }.locate(error)
    }
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
    fault: Option<(usize, Fault)>,
    /// The chain behind the last record.
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
        let mut part = Part { records: records.clone(), head: None, fault: None, link: Link::start(), error: None };
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
                Ok(_) if part.fault.is_some() => {}
                Ok(Err(misshape)) => part.fault = Some((index, Fault::Shape(misshape))),
                Ok(Ok(record)) => {
                    let first = index == records.start;
                    part.fault = judge(record, first, &mut part, &mut self.metadata).map(|fault| (index, fault));
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

/// The kernel's three comparisons, in its order.
fn judge(record: CanonicalRecord<'_>, first: bool, part: &mut Part, metadata: &mut Vec<u8>) -> Option<Fault> {
    let payload = match record.member(Member::Payload) {
        Ok(payload) => Digest::of(payload),
        Err(trouble) => return Some(Fault::Uncanonical(trouble)),
    };
    // A stored hash or parent without canonical form is one that differs from the right one.
    let stored = record.member(Member::PayloadHash).unwrap_or_default();
    if stored != quoted(payload) {
        return Some(Fault::Hash(Member::PayloadHash, stored.to_vec(), payload));
    }
    let parent = record.member(Member::Parent).unwrap_or_default();
    if first {
        part.head = Some(parent.to_vec());
    } else if !part.link.admits(parent) {
        return Some(Fault::Parent(parent.to_vec(), part.link.clone()));
    }
    let mut values: [&[u8]; 5] = Default::default();
    for (slot, (member, _)) in values.iter_mut().zip(METADATA) {
        *slot = match record.member(member) {
            Ok(value) => value,
            Err(trouble) => return Some(Fault::Uncanonical(trouble)),
        };
    }
    write_metadata(values, metadata);
    let computed = Digest::of(metadata);
    let stored = record.member(Member::RecordHash).unwrap_or_default();
    if stored != quoted(computed) {
        return Some(Fault::Hash(Member::RecordHash, stored.to_vec(), computed));
    }
    part.link.follow(stored);
    None
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
        let head = part.head.filter(|parent| !self.link.admits(parent));
        let fault = match head {
            Some(parent) => Some((part.records.start, Fault::Parent(parent, self.link.clone()))),
            None => part.fault,
        };
        self.breach = fault.and_then(|(index, fault)| Some(fault.breach(&block.record(index)?)));
        self.link = part.link;
        Ok(())
    }
}

/// Why a record breaks the chain.
enum Fault {
    Shape(Misshape),
    Uncanonical(Trouble),
    /// The member, what is stored in it, and the hash that was computed.
    Hash(Member, Vec<u8>, Digest),
    /// What is stored, and the chain that it should continue.
    Parent(Vec<u8>, Link),
}

impl Fault {
    fn breach(self, record: &RecordText<'_>) -> Breach {
        let place = JsonPointer::root().index(usize::try_from(record.index).unwrap_or(usize::MAX));
        let (finding, stored, expected) = match self {
            Self::Shape(misshape) => (record_shape::finding(&place, &misshape), None, None),
            Self::Uncanonical(trouble) => (canonical_form::finding(&place, record.text, trouble), None, None),
            Self::Hash(member, stored, computed) => (
                ledger_integrity::finding(&place, member, &stored, computed),
                Some(text(&stored)),
                Some(text(&quoted(computed))),
            ),
            Self::Parent(stored, link) => {
                (parent_linkage::finding(&place, &stored, &link), Some(text(&stored)), Some(text(link.due())))
            }
        };
        Breach { level: Level::Chain, record: record.index, offset: record.offset, finding, stored, expected }
    }
}
