//! A record of a valid chain, and the first difference from what a run would have recorded.

use crate::canon::{Canonicalizer, Profile};
use crate::digest::Digest;
use crate::finding::Finding;
use crate::json::{JsonPointer, NodeRef};
use crate::law::Law;

use super::super::artifact_hashes::Members;
use super::super::canonical_form::text;
use super::super::chain::{Breach, Level};
use super::super::member::{self, Misfit};

/// A record that some run is said to have left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recorded<'d> {
    pub(super) index: usize,
    pub(super) offset: u64,
    pub(super) root: NodeRef<'d>,
}

/// A value in a record, and its place below the array of records.
#[derive(Clone, Debug)]
pub(super) struct Placed<'d> {
    record: Recorded<'d>,
    pub(super) node: NodeRef<'d>,
    pub(super) place: JsonPointer,
}

/// Where a ledger first differs from that of its run.
pub(super) type Difference = Box<Breach>;

impl<'d> Recorded<'d> {
    fn place(self) -> JsonPointer {
        JsonPointer::root().index(self.index)
    }

    /// A member of the record itself.
    pub(super) fn member(self, name: &str) -> Result<Placed<'d>, Difference> {
        self.whole().member(name, Law::RecordShape)
    }

    /// The record as a value.
    pub(super) fn whole(self) -> Placed<'d> {
        Placed { record: self, node: self.root, place: self.place() }
    }

    /// The payload, which has just these members.
    pub(super) fn payload(self, members: &[&str]) -> Result<Placed<'d>, Difference> {
        self.member("payload")?.closed(members, Law::RunRecords)
    }

    /// The stored `record_hash`.
    pub(super) fn record_hash(self) -> Result<Digest, Difference> {
        let stored = self.member("record_hash")?;
        let text = stored.canonical();
        let hex = text.strip_prefix(b"\"").and_then(|text| text.strip_suffix(b"\""));
        // The chain is valid, so there is one.
        hex.and_then(Digest::from_hex).ok_or_else(|| stored.wrong(Law::LedgerIntegrity, "no hash"))
    }
}

impl<'d> Placed<'d> {
    /// A member of this value.
    pub(super) fn member(&self, name: &str, law: Law) -> Result<Self, Difference> {
        let found = member::member(self.node, &self.place, name);
        let (node, place) = found.map_err(|misfit| self.misfit(law, misfit))?;
        Ok(Self { record: self.record, node, place })
    }

    /// The value itself, if it is an object of just these members.
    pub(super) fn closed(self, members: &[&str], law: Law) -> Result<Self, Difference> {
        match member::closed(self.node, &self.place, members, &[]) {
            Ok(()) => Ok(self),
            Err(misfit) => Err(self.misfit(law, misfit)),
        }
    }

    /// The text of a member that is a string.
    pub(super) fn text(&self, name: &str, law: Law) -> Result<String, Difference> {
        member::text(self.node, &self.place, name).map_err(|misfit| self.misfit(law, misfit))
    }

    /// Elements of the value, if it is an array.
    pub(super) fn array(&self, law: Law) -> Result<Vec<Self>, Difference> {
        let found = member::elements(self.node, &self.place).map_err(|misfit| self.misfit(law, misfit))?;
        Ok(found.map(|(node, place)| Self { record: self.record, node, place }).collect())
    }

    /// Holds an object against the members that a run would have recorded, and no others.
    pub(super) fn members<const N: usize>(&self, expected: &Members<N>, law: Law) -> Result<(), Difference> {
        let object = self.clone().closed(&expected.each_ref().map(|(name, _)| *name), law)?;
        expected
            .iter()
            .try_for_each(|(name, value)| object.member(name, law)?.expect(value, law, "not what this run leaves here"))
    }

    /// Canonical bytes; a valid chain has made sure that there are some.
    pub(super) fn canonical(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let mut canonicalizer = Canonicalizer::new(Profile::Authority.rules());
        match canonicalizer.append_node(self.node, &mut out) {
            Ok(None) => out,
            Ok(Some(_)) | Err(_) => Vec::new(),
        }
    }

    /// Holds the value against the one that a run would have recorded.
    pub(super) fn expect(&self, expected: &[u8], law: Law, message: impl Into<String>) -> Result<(), Difference> {
        if self.canonical() == expected { Ok(()) } else { Err(self.differs(expected, law, message)) }
    }

    /// The value is not the one that a run would have recorded.
    pub(super) fn differs(&self, expected: &[u8], law: Law, message: impl Into<String>) -> Difference {
        let mut difference = self.wrong(law, message);
        difference.stored = Some(text(&self.canonical()));
        difference.expected = Some(text(expected));
        difference
    }

    /// Something is wrong with the value.
    pub(super) fn wrong(&self, law: Law, message: impl Into<String>) -> Difference {
        self.misfit(law, Misfit::new(self.place.clone(), message))
    }

    /// A misfit in this value or below it.
    pub(super) fn misfit(&self, law: Law, misfit: Misfit) -> Difference {
        Box::new(Breach {
            level: Level::Derivation,
            record: self.record.index as u64,
            offset: self.record.offset,
            finding: Finding::error(law, misfit.pointer, misfit.message),
            stored: None,
            expected: None,
        })
    }
}
