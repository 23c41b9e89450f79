//! A member of an object, and how it is ordered among others.

use std::cmp::Ordering;

use super::pieces::{Pieces, Place};
use super::{KeyOrder, key};

/// A member of an open object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    /// The first eight bytes of the name, which settle most comparisons.
    pub(super) prefix: u64,
    /// The place before the name; its offset is that of the name in the document.
    pub(super) start: Place,
    /// Bytes of the name without its quotes, and above them a bit for each of what follows.
    pub(super) name: u64,
    /// The place after the value, once that is complete.
    pub(super) end: Place,
}

/// The name is not written as it stands in the document.
pub(super) const ANEW: u64 = 1 << 32;
/// Bytes do not sort like the name, since it holds an escape.
pub(super) const INDIRECT: u64 = 1 << 33;
/// A later member has the same name.
pub(super) const REPEATED: u64 = 1 << 34;

impl Member {
    pub(super) fn length(&self) -> u32 {
        self.name as u32
    }

    pub(super) fn is_indirect(&self) -> bool {
        self.name & INDIRECT != 0
    }

    pub(super) fn is_repeated(&self) -> bool {
        self.name & REPEATED != 0
    }

    /// The name's bytes.
    #[inline]
    pub(super) fn name<'t>(&self, text: &'t [u8], pieces: &'t Pieces) -> &'t [u8] {
        if self.name & ANEW != 0 {
            return pieces.name_at(self.start);
        }
        let start = self.start.offset() as usize + 1;
        text.get(start..start + self.length() as usize).unwrap_or_default()
    }

    /// Orders two members of one object by their names.
    #[inline(always)]
    pub(super) fn compare(&self, other: &Self, order: KeyOrder, text: &[u8], pieces: &Pieces) -> Ordering {
        let told = compare_prefixes(order, (self.prefix, self.name), (other.prefix, other.name));
        told.unwrap_or_else(|| self.compare_names(other, order, text, pieces))
    }

    #[inline(never)]
    fn compare_names(&self, other: &Self, order: KeyOrder, text: &[u8], pieces: &Pieces) -> Ordering {
        let direct = (self.name | other.name) & INDIRECT == 0;
        let (name, other) = (self.name(text, pieces), other.name(text, pieces));
        if direct { key::compare_decoded(order, name, other) } else { key::compare(order, name, other) }
    }
}

/// Orders two members by `prefix` and `name`, if these tell.
#[inline(always)]
pub(super) fn compare_prefixes(order: KeyOrder, a: (u64, u64), b: (u64, u64)) -> Option<Ordering> {
    const HIGHS: u64 = 0x8080_8080_8080_8080;
    // UTF-16 has an order of its own only where both names hold a character beyond ASCII.
    let bytewise = order == KeyOrder::CodePoint || a.0 & b.0 & HIGHS == 0;
    if bytewise && a.0 != b.0 && (a.1 | b.1) & INDIRECT == 0 { Some(a.0.cmp(&b.0)) } else { None }
}

/// Whether the last of some members comes after the one before it.
#[inline(never)]
pub(super) fn ascend(members: &[Member], order: KeyOrder, text: &[u8], pieces: &Pieces) -> bool {
    let [.., before, last] = members else { return true };
    before.compare_names(last, order, text, pieces).is_lt()
}

/// The first eight bytes of a name as a number that sorts like them; shorter names are filled up with zeros, which stand in no name.
#[inline(always)]
pub(super) fn prefix(text: &[u8], start: usize, length: usize) -> u64 {
    if let Some(chunk) = text.get(start..).and_then(|rest| rest.first_chunk::<8>()) {
        let whole = u64::from_be_bytes(*chunk);
        return if length < 8 { whole & !(u64::MAX >> (8 * length)) } else { whole };
    }
    let name = text.get(start..start + length).unwrap_or_default();
    let shorter = name.iter().fold(0, |number, byte| number << 8 | u64::from(*byte));
    if name.is_empty() { 0 } else { shorter << (64 - 8 * name.len()) }
}
