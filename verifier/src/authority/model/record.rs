//! The canonical members of a record, read without a tree.

use crate::canon::{CanonRefusal, Canonicalizer, Profile};
use crate::json::{JsonErrorKind, RawString, Reader, Skip};

authority_evidence_record_member! {
    /// A member of a record: `contracts/authority/tables/evidence-record.json`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub(crate) enum Member
}

/// How many there are.
const MEMBERS: usize = Member::ALL.len();

impl Member {
    pub(crate) fn name(self) -> &'static str {
        self.row().member
    }

    fn named(key: &RawString<'_>) -> Option<Self> {
        if key.escaped { Self::of_spelling(key.decode().as_bytes()) } else { Self::of_spelling(key.raw) }
    }
}

/// A member's value in canonical form.
#[derive(Clone, Copy, Debug)]
enum Value {
    /// It stands in the record's text as it is.
    Text(usize, usize),
    /// It was written.
    Written(usize, usize),
    /// There is none.
    Refused(CanonRefusal),
}

/// One record after the other, in canonical form, in memory that is used again.
#[derive(Debug)]
pub(crate) struct RecordReader {
    canonicalizer: Canonicalizer,
    written: Vec<u8>,
    values: [Option<Value>; MEMBERS],
    object: bool,
    unknown: Option<String>,
}

/// The canonical members of the record that was read last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CanonicalRecord<'r> {
    text: &'r [u8],
    written: &'r [u8],
    values: &'r [Option<Value>; MEMBERS],
    object: bool,
    unknown: Option<&'r str>,
}

impl RecordReader {
    pub(crate) fn new() -> Self {
        Self {
            canonicalizer: Canonicalizer::new(Profile::Authority.rules()),
            written: Vec::new(),
            values: [None; MEMBERS],
            object: false,
            unknown: None,
        }
    }

    /// Reads a record, on whose text the reader has just started; of repeated members the last counts.
    pub(crate) fn read<'r>(
        &'r mut self,
        text: &'r [u8],
        reader: &mut Reader<'_>,
    ) -> Result<CanonicalRecord<'r>, JsonErrorKind> {
        self.members(reader)?;
        let Self { written, values, object, unknown, .. } = self;
        Ok(CanonicalRecord { text, written, values, object: *object, unknown: unknown.as_deref() })
    }

    fn members(&mut self, reader: &mut Reader<'_>) -> Result<(), JsonErrorKind> {
        self.written.clear();
        self.values = [None; MEMBERS];
        self.unknown = None;
        self.object = reader.peek_value()? == b'{';
        if !self.object {
            reader.parse(&mut Skip)?;
            return reader.finish();
        }
        reader.enter_object()?;
        let mut first = true;
        while let Some(key) = reader.next_key(first)? {
            first = false;
            let Some(member) = Member::named(&key) else {
                self.unknown.get_or_insert_with(|| key.decode().to_text_lossy().into_owned());
                reader.parse(&mut Skip)?;
                continue;
            };
            let value = self.value(reader)?;
            if let Some(slot) = self.values.get_mut(member as usize) {
                *slot = Some(value);
            }
        }
        reader.finish()
    }

    fn value(&mut self, reader: &mut Reader<'_>) -> Result<Value, JsonErrorKind> {
        if let Some((start, end)) = reader.plain_string()? {
            return Ok(Value::Text(start, end));
        }
        let start = self.written.len();
        Ok(match self.canonicalizer.append(reader, &mut self.written)? {
            Some(refusal) => Value::Refused(refusal),
            None => Value::Written(start, self.written.len()),
        })
    }
}

impl<'r> CanonicalRecord<'r> {
    /// The text that was read.
    pub(crate) fn text(self) -> &'r [u8] {
        self.text
    }

    /// Whether it is an object at all.
    pub(crate) fn is_object(self) -> bool {
        self.object
    }

    /// The first name that a record does not have, with U+FFFD for what has no UTF-8 form.
    pub(crate) fn unknown(self) -> Option<&'r str> {
        self.unknown
    }

    /// Whether a member is there.
    pub(crate) fn has(self, member: Member) -> bool {
        self.values.get(member as usize).is_some_and(Option::is_some)
    }

    /// Canonical bytes of a member.
    ///
    /// # Errors
    /// Why it has none; the offset is that of the record's text.
    pub(crate) fn member(self, member: Member) -> Result<&'r [u8], CanonRefusal> {
        let bytes = match self.values.get(member as usize).copied().flatten() {
            Some(Value::Text(start, end)) => self.text.get(start..end),
            Some(Value::Written(start, end)) => self.written.get(start..end),
            Some(Value::Refused(refusal)) => return Err(refusal),
            None => None,
        };
        Ok(bytes.unwrap_or_default())
    }
}
