//! authority/record-shape: an evidence record is exactly its seven members.
//!
//! Spec: Kernel Contract 0.1.0, 2.2; rulings AU-10, AU-13 and AU-15. That `v` is the integer 1 and that `ts` and
//! `kind` are strings is judged when a run is derived again; a chain holds with anything that was hashed.

use crate::canon::{Canonicalizer, Profile, Trouble};
use crate::finding::Finding;
use crate::json::{JsonErrorKind, JsonPointer, RawString, Reader, Skip};
use crate::law::Law;

/// A member of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Member {
    V,
    Ts,
    Kind,
    Parent,
    Payload,
    PayloadHash,
    RecordHash,
}

impl Member {
    const ALL: [Self; 7] =
        [Self::V, Self::Ts, Self::Kind, Self::Parent, Self::Payload, Self::PayloadHash, Self::RecordHash];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::V => "v",
            Self::Ts => "ts",
            Self::Kind => "kind",
            Self::Parent => "parent",
            Self::Payload => "payload",
            Self::PayloadHash => "payload_hash",
            Self::RecordHash => "record_hash",
        }
    }

    fn named(key: &RawString<'_>) -> Option<Self> {
        if key.escaped { Self::of(key.decode().as_bytes()) } else { Self::of(key.raw) }
    }

    fn of(name: &[u8]) -> Option<Self> {
        match name {
            b"v" => Some(Self::V),
            b"ts" => Some(Self::Ts),
            b"kind" => Some(Self::Kind),
            b"parent" => Some(Self::Parent),
            b"payload" => Some(Self::Payload),
            b"payload_hash" => Some(Self::PayloadHash),
            b"record_hash" => Some(Self::RecordHash),
            _ => None,
        }
    }
}

/// What is wrong with a record's shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Misshape {
    NoObject,
    Missing(Member),
    /// The name, with U+FFFD for what has no UTF-8 form.
    Unknown(String),
}

/// A member's value in canonical form.
#[derive(Clone, Copy, Debug)]
enum Value {
    /// It stands in the record's text as it is.
    Text(usize, usize),
    /// It was written.
    Written(usize, usize),
    /// There is none.
    Trouble(Trouble),
}

/// One record after the other, in canonical form, in memory that is used again.
#[derive(Debug)]
pub(super) struct RecordReader {
    canonicalizer: Canonicalizer,
    written: Vec<u8>,
    values: [Option<Value>; 7],
}

/// The canonical members of the record that was read last.
#[derive(Clone, Copy, Debug)]
pub(super) struct CanonicalRecord<'r> {
    text: &'r [u8],
    written: &'r [u8],
    values: &'r [Option<Value>; 7],
}

impl RecordReader {
    pub(super) fn new() -> Self {
        Self { canonicalizer: Canonicalizer::new(Profile::Authority.rules()), written: Vec::new(), values: [None; 7] }
    }

    /// Reads a record, on whose text the reader has just started; of repeated members the last counts.
    pub(super) fn read<'r>(
        &'r mut self,
        text: &'r [u8],
        reader: &mut Reader<'_>,
    ) -> Result<Result<CanonicalRecord<'r>, Misshape>, JsonErrorKind> {
        if let Some(misshape) = self.members(reader)? {
            return Ok(Err(misshape));
        }
        match Member::ALL.into_iter().zip(&self.values).find(|(_, value)| value.is_none()) {
            Some((member, _)) => Ok(Err(Misshape::Missing(member))),
            None => Ok(Ok(CanonicalRecord { text, written: &self.written, values: &self.values })),
        }
    }

    fn members(&mut self, reader: &mut Reader<'_>) -> Result<Option<Misshape>, JsonErrorKind> {
        self.written.clear();
        self.values = [None; 7];
        if reader.peek_value()? != b'{' {
            reader.drive(&mut Skip)?;
            reader.finish()?;
            return Ok(Some(Misshape::NoObject));
        }
        reader.enter_object()?;
        let (mut first, mut misshape) = (true, None);
        while let Some(key) = reader.next_key(first)? {
            first = false;
            let Some(member) = Member::named(&key) else {
                misshape = misshape.or_else(|| Some(Misshape::Unknown(key.decode().to_text_lossy().into_owned())));
                reader.drive(&mut Skip)?;
                continue;
            };
            let value = self.value(reader)?;
            if let Some(slot) = self.values.get_mut(member as usize) {
                *slot = Some(value);
            }
        }
        reader.finish()?;
        Ok(misshape)
    }

    fn value(&mut self, reader: &mut Reader<'_>) -> Result<Value, JsonErrorKind> {
        if let Some((start, end)) = reader.plain_string()? {
            return Ok(Value::Text(start, end));
        }
        let start = self.written.len();
        Ok(match self.canonicalizer.append(reader, &mut self.written)? {
            Some(trouble) => Value::Trouble(trouble),
            None => Value::Written(start, self.written.len()),
        })
    }
}

impl<'r> CanonicalRecord<'r> {
    /// Canonical bytes of a member.
    ///
    /// # Errors
    /// Why it has none; the offset is that of the record's text.
    pub(super) fn member(self, member: Member) -> Result<&'r [u8], Trouble> {
        let bytes = match self.values.get(member as usize).copied().flatten() {
            Some(Value::Text(start, end)) => self.text.get(start..end),
            Some(Value::Written(start, end)) => self.written.get(start..end),
            Some(Value::Trouble(trouble)) => return Err(trouble),
            None => None,
        };
        Ok(bytes.unwrap_or_default())
    }
}

/// A record of another shape.
pub(super) fn finding(record: &JsonPointer, misshape: &Misshape) -> Finding {
    let (place, message) = match misshape {
        Misshape::NoObject => (record.clone(), "a record is an object of seven members".to_owned()),
        Misshape::Missing(member) => {
            (record.member(member.name()), format!("the member `{}` is missing", member.name()))
        }
        Misshape::Unknown(name) => (record.member(name), "a record has no such member".to_owned()),
    };
    Finding::error(Law::RecordShape, place, message)
}
