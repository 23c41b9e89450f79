//! Where a ledger breaks a law: one record by itself, or a run that is derived again.

use std::fmt;

use crate::finding::Finding;
use crate::json::JsonPointer;
use crate::law::Law;

use super::model::canonical::text;
use super::model::ledger::RecordText;
use super::model::recorded::Difference;

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

impl Breach {
    /// The breach of a law by a record that differs from the one of its run.
    pub(crate) fn of(law: Law) -> impl Fn(Difference) -> Box<Self> {
        move |difference| {
            let Difference { record, offset, misfit, stored, expected } = difference;
            let finding = Finding::error(law, misfit.pointer, misfit.message);
            Box::new(Self { level: Level::Derivation, record, offset, finding, stored, expected })
        }
    }
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.finding.law, self.finding.pointer, self.finding.message)
    }
}

/// What is wrong with a record as part of a chain, wherever in the ledger it stands.
#[derive(Debug)]
pub(crate) struct Flaw {
    /// Its place lies below the record.
    finding: Finding,
    stored: Option<String>,
    expected: Option<String>,
}

impl Flaw {
    /// A flaw with nothing to compare.
    pub(crate) fn new(finding: Finding) -> Box<Self> {
        Box::new(Self { finding, stored: None, expected: None })
    }

    /// What is stored is not what is due; both are canonical.
    pub(crate) fn differs(finding: Finding, stored: &[u8], expected: &[u8]) -> Box<Self> {
        Box::new(Self { finding, stored: Some(text(stored)), expected: Some(text(expected)) })
    }

    /// The breach, now that the record is known.
    pub(crate) fn breach(self, record: &RecordText<'_>) -> Breach {
        let place = JsonPointer::root().index(usize::try_from(record.index).unwrap_or(usize::MAX));
        let finding = Finding { pointer: place.below(&self.finding.pointer), ..self.finding };
        let Self { stored, expected, .. } = self;
        Breach { level: Level::Chain, record: record.index, offset: record.offset, finding, stored, expected }
    }
}
