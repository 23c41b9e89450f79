//! A record of a valid chain, and how it differs from what a run would have recorded.

use crate::canon::{Canonicalizer, Profile};
use crate::json::{JsonPointer, NodeRef};

use super::canonical::text;
use super::member::{self, Misfit};

/// Names and canonical values of an object's members.
pub(crate) type Members<const N: usize> = [(&'static str, Vec<u8>); N];

/// A record that some run is said to have left.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recorded<'d> {
    pub(crate) index: usize,
    pub(crate) offset: u64,
    pub(crate) root: NodeRef<'d>,
}

/// A value in a record, and its place below the array of records.
#[derive(Clone, Debug)]
pub(crate) struct Placed<'d> {
    record: Recorded<'d>,
    pub(crate) node: NodeRef<'d>,
    pub(crate) place: JsonPointer,
}

/// Where a ledger first differs from that of its run. Which law that breaks is for the law's module to say.
#[derive(Clone, Debug)]
pub(crate) struct Difference {
    /// Index of the record, from 0.
    pub(crate) record: u64,
    /// Byte offset of the record in the ledger.
    pub(crate) offset: u64,
    /// The place below the array of records, and what is wrong there.
    pub(crate) misfit: Misfit,
    /// What stands there, as canonical text.
    pub(crate) stored: Option<String>,
    /// What would have to stand there.
    pub(crate) expected: Option<String>,
}

impl<'d> Recorded<'d> {
    /// The record as a value.
    pub(crate) fn whole(self) -> Placed<'d> {
        Placed { record: self, node: self.root, place: JsonPointer::root().index(self.index) }
    }
}

impl<'d> Placed<'d> {
    /// A member of this value.
    pub(crate) fn member(&self, name: &str) -> Result<Self, Difference> {
        let found = member::member(self.node, &self.place, name);
        let (node, place) = found.map_err(|misfit| self.misfit(misfit))?;
        Ok(Self { record: self.record, node, place })
    }

    /// The value itself, if it is an object of just these members.
    pub(crate) fn closed(self, members: &[&str]) -> Result<Self, Difference> {
        match member::closed(self.node, &self.place, members, &[]) {
            Ok(()) => Ok(self),
            Err(misfit) => Err(self.misfit(misfit)),
        }
    }

    /// The text of a member that is a string.
    pub(crate) fn text(&self, name: &str) -> Result<String, Difference> {
        member::text(self.node, &self.place, name).map_err(|misfit| self.misfit(misfit))
    }

    /// Elements of the value, if it is an array.
    pub(crate) fn array(&self) -> Result<Vec<Self>, Difference> {
        let found = member::elements(self.node, &self.place).map_err(|misfit| self.misfit(misfit))?;
        Ok(found.map(|(node, place)| Self { record: self.record, node, place }).collect())
    }

    /// Holds an object against the members that a run would have recorded, and no others.
    pub(crate) fn members<const N: usize>(&self, expected: &Members<N>) -> Result<(), Difference> {
        let object = self.clone().closed(&expected.each_ref().map(|(name, _)| *name))?;
        expected
            .iter()
            .try_for_each(|(name, value)| object.member(name)?.expect(value, "not what this run leaves here"))
    }

    /// Canonical bytes; a valid chain has made sure that there are some.
    pub(crate) fn canonical(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let mut canonicalizer = Canonicalizer::new(Profile::Authority.rules());
        match canonicalizer.append_node(self.node, &mut out) {
            Ok(None) => out,
            Ok(Some(_)) | Err(_) => Vec::new(),
        }
    }

    /// Holds the value against the one that a run would have recorded.
    pub(crate) fn expect(&self, expected: &[u8], message: impl Into<String>) -> Result<(), Difference> {
        if self.canonical() == expected { Ok(()) } else { Err(self.differs(expected, message)) }
    }

    /// The value is not the one that a run would have recorded.
    pub(crate) fn differs(&self, expected: &[u8], message: impl Into<String>) -> Difference {
        let mut difference = self.wrong(message);
        difference.stored = Some(text(&self.canonical()));
        difference.expected = Some(text(expected));
        difference
    }

    /// Something is wrong with the value.
    pub(crate) fn wrong(&self, message: impl Into<String>) -> Difference {
        self.misfit(Misfit::new(self.place.clone(), message))
    }

    /// A misfit in this value or below it.
    pub(crate) fn misfit(&self, misfit: Misfit) -> Difference {
        let Recorded { index, offset, .. } = self.record;
        Difference { record: index as u64, offset, misfit, stored: None, expected: None }
    }
}
