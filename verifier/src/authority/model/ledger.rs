//! A ledger as text: a JSON array of records, or JSON Lines, cut into records block by block.
//!
//! The public kernel has no reader for ledgers, so the layouts are Assize's. Memory is bounded by one
//! block, or by the largest record.

use std::fmt;
use std::io::{self, Read};
use std::ops::Range;

use crate::json::{Dialect, JsonError, JsonErrorKind, JsonPointer, Reader, Skip, extent};

use super::limits;

/// What counts as the text of a record.
pub(crate) const RECORD: Dialect = Dialect { bytes: limits::RECORD_BYTES, ..Dialect::AUTHORITY };

/// How records are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// One JSON array of records.
    Array,
    /// JSON Lines: a record a line; lines of white space do not count.
    Lines,
}

/// A ledger that cannot be judged: none of it has a verdict.
#[derive(Debug)]
#[non_exhaustive]
pub enum LedgerError {
    /// The source broke.
    Io(io::Error),
    /// The text is not JSON as Python reads it, or exceeds a limit.
    Json {
        /// Index of the record.
        record: u64,
        /// Line of the record's first byte, from 1.
        line: u64,
        /// Byte offset in the whole ledger.
        offset: u64,
        /// Place inside the record.
        pointer: JsonPointer,
        /// What is wrong.
        kind: JsonErrorKind,
    },
    /// JSON, but no array of records.
    NoArray,
}

impl LedgerError {
    /// The code by which operations name it; none where the source itself broke.
    #[must_use]
    pub fn code(&self) -> Option<&'static str> {
        match self {
            Self::Io(_) => None,
            Self::Json { kind, .. } if kind.is_limit() => Some("A_LIMIT"),
            Self::Json { .. } => Some("A_JSON"),
            Self::NoArray => Some("A_INPUT"),
        }
    }

    /// What can be done about it.
    #[must_use]
    pub fn help(&self) -> &'static str {
        match self {
            Self::Io(_) => "check that the ledger can be read to its end",
            Self::Json { kind: JsonErrorKind::UnexpectedEnd, .. } => {
                "it looks truncated: check that it was written completely, one whole record a line or one whole array"
            }
            Self::Json { kind, .. } => kind.help(),
            Self::NoArray => "write the records as one JSON array",
        }
    }
}

impl fmt::Display for LedgerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "cannot be read: {error}"),
            Self::Json { record, line, offset, pointer, kind } => {
                write!(f, "byte {offset}, line {line}, record {record}")?;
                if !pointer.is_root() {
                    write!(f, ", at {pointer}")?;
                }
                write!(f, ": {kind}")
            }
            Self::NoArray => write!(f, "JSON, but no array of records"),
        }
    }
}

impl std::error::Error for LedgerError {}

/// A record as it stands in the ledger.
#[derive(Clone, Copy, Debug)]
pub struct RecordText<'a> {
    /// Its index, from 0.
    pub index: u64,
    /// Line of its first byte, from 1.
    pub line: u64,
    /// Byte offset in the ledger.
    pub offset: u64,
    /// The text; not known to be JSON.
    pub text: &'a [u8],
}

impl RecordText<'_> {
    /// An error inside the record, located in the ledger.
    #[must_use]
    pub fn locate(&self, error: JsonError) -> LedgerError {
        LedgerError::Json {
            record: self.index,
            line: self.line,
            offset: self.offset + error.offset as u64,
            pointer: error.pointer,
            kind: error.kind,
        }
    }
}

/// A record that is kept for whoever derives the run again.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    index: u64,
    line: u64,
    pub(crate) offset: u64,
    pub(crate) text: Vec<u8>,
}

impl Kept {
    pub(crate) fn of(record: &RecordText<'_>) -> Self {
        Self { index: record.index, line: record.line, offset: record.offset, text: record.text.to_vec() }
    }

    /// An error inside the record, located in the ledger.
    pub(crate) fn locate(&self, error: JsonError) -> LedgerError {
        let Self { index, line, offset, text } = self;
        RecordText { index: *index, line: *line, offset: *offset, text }.locate(error)
    }
}

/// How long a ledger is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    /// Its records.
    pub(crate) records: u64,
    /// Its bytes.
    pub(crate) bytes: u64,
}

/// Records one after the other, whatever the layout.
#[derive(Debug)]
pub struct Records<R> {
    blocks: Blocks<R>,
    block: Block,
    next: usize,
    /// How far lines have been counted, and the line there.
    counted: (usize, u64),
}

impl<R: Read> Records<R> {
    /// Records of a layout; without one the first byte tells: `[` begins an array.
    pub fn new(source: R, layout: Option<Layout>) -> Self {
        Self { blocks: Blocks::new(source, layout), block: Block::default(), next: 0, counted: (0, 1) }
    }

    /// The next record.
    ///
    /// # Errors
    /// If the source breaks, or what stands between the records is out of place.
    #[expect(clippy::should_implement_trait, reason = "a record borrows from the block, which an iterator cannot give")]
    pub fn next(&mut self) -> Result<Option<RecordText<'_>>, LedgerError> {
        while self.next >= self.block.spans.len() {
            if !self.blocks.fill(&mut self.block)? {
                return Ok(None);
            }
            self.next = 0;
            self.counted = (0, self.block.line);
        }
        self.next += 1;
        let record = self.block.record_behind(self.next - 1, self.counted);
        if let (Some(record), Some((start, _))) = (&record, self.block.spans.get(self.next - 1)) {
            self.counted = (*start, record.line);
        }
        Ok(record)
    }
}

/// Some whole records, and the text that holds them.
#[derive(Debug, Default)]
pub(crate) struct Block {
    text: Vec<u8>,
    /// Begin and end of each record in the text.
    pub(crate) spans: Vec<(usize, usize)>,
    /// Byte offset of the text in the ledger.
    offset: u64,
    /// Index of the first record.
    first: u64,
    /// Line of the first byte, from 1.
    line: u64,
}

impl Block {
    /// A record of the block.
    pub(crate) fn record(&self, index: usize) -> Option<RecordText<'_>> {
        self.record_behind(index, (0, self.line))
    }

    /// A record of the block, after an offset in the text whose line is known.
    fn record_behind(&self, index: usize, (from, line): (usize, u64)) -> Option<RecordText<'_>> {
        let &(start, _) = self.spans.get(index)?;
        let before = self.text.get(from..start).unwrap_or_default();
        Some(RecordText {
            index: self.first + index as u64,
            line: line + memchr::memchr_iter(b'\n', before).count() as u64,
            offset: self.offset + start as u64,
            text: self.text(index),
        })
    }

    /// Text of a record.
    pub(crate) fn text(&self, index: usize) -> &[u8] {
        self.spans.get(index).and_then(|&(start, end)| self.text.get(start..end)).unwrap_or_default()
    }

    /// Text of some records and of what stands between them, if it is UTF-8.
    pub(crate) fn checked(&self, records: &Range<usize>) -> Option<&str> {
        let (first, last) = (self.spans.get(records.start)?, self.spans.get(records.end.checked_sub(1)?)?);
        simdutf8::basic::from_utf8(self.text.get(first.0..last.1)?).ok()
    }

    /// Text of one of these records, unless it is too large for one.
    pub(crate) fn within<'t>(&self, checked: &'t str, records: &Range<usize>, index: usize) -> Option<&'t str> {
        let (base, span) = (self.spans.get(records.start)?.0, self.spans.get(index)?);
        checked.get(span.0 - base..span.1 - base).filter(|text| text.len() <= limits::RECORD_BYTES as usize)
    }

    /// An error inside a record, located in the ledger.
    pub(crate) fn locate(&self, index: usize, error: JsonError) -> LedgerError {
        match self.record(index) {
            Some(record) => record.locate(error),
            None => self.misplaced(self.spans.len(), self.text.len(), error.kind),
        }
    }

    /// An error between records: `at` is an offset in the text, `index` the record that was due.
    fn misplaced(&self, index: usize, at: usize, kind: JsonErrorKind) -> LedgerError {
        let before = self.text.get(..at).unwrap_or_default();
        LedgerError::Json {
            record: self.first + index as u64,
            line: self.line + memchr::memchr_iter(b'\n', before).count() as u64,
            offset: self.offset + at as u64,
            pointer: JsonPointer::root(),
            kind,
        }
    }
}

/// Bytes that are read at a time: a few thousand records, and no more than a processor's own memory.
const BLOCK: usize = 1 << 20;

/// What may come next in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Due {
    /// The first byte, which tells the layout.
    Layout,
    /// The array's opening bracket.
    Open,
    /// The array's first record, or its end.
    First,
    /// A comma, or the array's end.
    Comma,
    /// A record of the array.
    Record,
    /// White space to the end.
    End,
    /// A line.
    Line,
}

/// Cuts a source into blocks of whole records.
#[derive(Debug)]
pub(crate) struct Blocks<R> {
    source: R,
    due: Due,
    /// What has been read of a record that is not complete yet.
    carry: Vec<u8>,
    ended: bool,
    /// Offset, record index and line of the next block.
    offset: u64,
    first: u64,
    line: u64,
}

impl<R: Read> Blocks<R> {
    pub(crate) fn new(source: R, layout: Option<Layout>) -> Self {
        let due = match layout {
            None => Due::Layout,
            Some(Layout::Array) => Due::Open,
            Some(Layout::Lines) => Due::Line,
        };
        Self { source, due, carry: Vec::new(), ended: false, offset: 0, first: 0, line: 1 }
    }

    /// Bytes of the ledger up to the next block.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Fills a block with the next records, at least one; false at the end of the ledger.
    pub(crate) fn fill(&mut self, block: &mut Block) -> Result<bool, LedgerError> {
        loop {
            block.text.clear();
            block.text.append(&mut self.carry);
            block.spans.clear();
            (block.offset, block.first, block.line) = (self.offset, self.first, self.line);
            self.read(&mut block.text)?;
            let taken = self.cut(block)?;
            if taken == 0 && !self.ended && block.text.len() > limits::RECORD_BYTES as usize {
                return Err(block.misplaced(0, 0, JsonErrorKind::Size(limits::RECORD_BYTES)));
            }
            let (done, rest) = block.text.split_at_checked(taken).unwrap_or_default();
            self.carry.extend_from_slice(rest);
            self.offset += taken as u64;
            self.first += block.spans.len() as u64;
            self.line += memchr::memchr_iter(b'\n', done).count() as u64;
            if !block.spans.is_empty() {
                return Ok(true);
            }
            if self.ended {
                return Ok(false);
            }
        }
    }

    /// Reads a block, or as much again as is there already, so that a large record is looked through a few times only.
    fn read(&mut self, text: &mut Vec<u8>) -> Result<(), LedgerError> {
        if self.ended {
            return Ok(());
        }
        let wanted = BLOCK.max(text.len());
        text.reserve(wanted);
        let read = (&mut self.source).take(wanted as u64).read_to_end(text).map_err(LedgerError::Io)?;
        self.ended = read < wanted;
        Ok(())
    }

    /// Finds the records of a block, and returns how much of the text is done with: up to what is out of place, which
    /// begins the next block, so that the records before it are read first.
    fn cut(&mut self, block: &mut Block) -> Result<usize, LedgerError> {
        if block.offset == 0 && block.text.starts_with(b"\xEF\xBB\xBF") {
            return Err(block.misplaced(0, 0, JsonErrorKind::ByteOrderMark));
        }
        if self.due == Due::Layout || self.due == Due::Open {
            let first = block.text.get(skip_space(&block.text, 0));
            match first {
                None if !self.ended => return Ok(0),
                None if self.due == Due::Open => {
                    return Err(block.misplaced(0, block.text.len(), JsonErrorKind::UnexpectedEnd));
                }
                Some(b'[') => self.due = Due::Open,
                _ if self.due == Due::Open => return self.no_array(block),
                _ => self.due = Due::Line,
            }
        }
        match self.due {
            Due::Line => Ok(self.lines(block)),
            _ => self.elements(block),
        }
    }

    /// What stands at `at` is out of place, unless records before it have to be read first.
    fn out_of_place(block: &Block, at: usize, kind: JsonErrorKind) -> Result<usize, LedgerError> {
        if block.spans.is_empty() { Err(block.misplaced(0, at, kind)) } else { Ok(at) }
    }

    fn lines(&self, block: &mut Block) -> usize {
        let mut start = 0;
        loop {
            let rest = block.text.get(start..).unwrap_or_default();
            let end = match memchr::memchr(b'\n', rest) {
                Some(length) => start + length,
                None if self.ended => block.text.len(),
                // White space before a record is not part of it.
                None => return skip_space(&block.text, start),
            };
            let line = block.text.get(..end).unwrap_or_default();
            let from = skip_space(line, start);
            if from < end {
                block.spans.push((from, end));
            }
            if end == block.text.len() {
                return end;
            }
            start = end + 1;
        }
    }

    fn elements(&mut self, block: &mut Block) -> Result<usize, LedgerError> {
        let mut at = 0;
        loop {
            at = skip_space(&block.text, at);
            let Some(&byte) = block.text.get(at) else {
                return match self.due {
                    Due::End => Ok(at),
                    _ if !self.ended => Ok(at),
                    _ => Self::out_of_place(block, at, JsonErrorKind::UnexpectedEnd),
                };
            };
            self.due = match (self.due, byte) {
                (Due::Open, b'[') => Due::First,
                (Due::Comma, b',') => Due::Record,
                (Due::First | Due::Comma, b']') => Due::End,
                (Due::End, _) => return Self::out_of_place(block, at, JsonErrorKind::TrailingData),
                (Due::First | Due::Record, byte) if !matches!(byte, b',' | b']' | b'}') => {
                    let end = match extent(&block.text, at) {
                        Some(end) => end,
                        // The record's own reader says where it breaks off.
                        None if self.ended => block.text.len(),
                        None => return Ok(at),
                    };
                    block.spans.push((at, end));
                    at = end;
                    self.due = Due::Comma;
                    continue;
                }
                (_, byte) => return Self::out_of_place(block, at, JsonErrorKind::Unexpected(byte)),
            };
            at += 1;
        }
    }

    /// A text that begins like no array: JSON all the same, or not even that.
    fn no_array(&mut self, block: &mut Block) -> Result<usize, LedgerError> {
        let room = (limits::RECORD_BYTES as usize + 1).saturating_sub(block.text.len());
        (&mut self.source).take(room as u64).read_to_end(&mut block.text).map_err(LedgerError::Io)?;
        let read = Reader::new(&block.text, &RECORD).and_then(|mut reader| reader.document(&mut Skip));
        match read {
            Ok(()) => Err(LedgerError::NoArray),
            Err(error) => Err(block.misplaced(0, error.offset, error.kind)),
        }
    }
}

fn skip_space(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')).count()
}
