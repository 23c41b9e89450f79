//! The replay report: its rows, and its canonical text.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, B.5, replay-report.schema.json, and C, build_replay_report.
//!
//! One model serves both modes. In law mode every cell is of the type that the contract asks for; in reference mode a
//! cell may hold whatever the comparator copied out of a bundle or a turn file ([`Cell::Foreign`]). A finished report
//! comes from the law of its identity alone.

use super::python;
use crate::canon::{CanonRefusal, Canonicalizer, Rules};
use crate::digest::Digest;
use crate::json::{Reader, append_json_string};
use crate::tables::small;

/// Reason codes that the comparison itself gives.
pub mod reason {
    /// A value has no canonical form.
    pub const CANONICALIZATION: &str = "E_CANONICALIZATION_ERROR";
    /// Something could not be loaded.
    pub const INPUT_MISSING: &str = "E_REPLAY_INPUT_MISSING";
    /// Policy, profile, snapshot or contract version differ.
    pub const VERSION: &str = "E_REPLAY_VERSION_MISMATCH";
    /// Two surfaces differ.
    pub const EQUIVALENCE: &str = "E_REPLAY_EQUIVALENCE_FAILED";
    /// A bundle was recorded under another registry.
    pub const REGISTRY: &str = "E_REGISTRY_DIGEST_MISMATCH";
}

sovereign_verdicts_status! {
    /// The outcome of a comparison: `contracts/sovereign/tables/verdicts.json`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Status
}

impl Status {
    /// The spelling in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().status
    }

    /// The report's `exit_code` member.
    #[must_use]
    pub fn exit_code(self) -> u8 {
        small(self.row().exit_code)
    }
}

/// What kind of evidence a row is about; declared in the order of the names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Surface {
    /// A digest that stands in the bundle.
    BundleDigest,
    /// A decision record.
    DecisionRecord,
    /// An issue.
    Issue,
    /// Shape or presence.
    Schema,
    /// A digest in the transition evidence.
    Transition,
}

impl Surface {
    /// The spelling in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::BundleDigest => "bundle_digest",
            Self::DecisionRecord => "decision_record",
            Self::Issue => "issue",
            Self::Schema => "schema",
            Self::Transition => "transition",
        }
    }
}

/// One member of a row.
#[derive(Clone, Debug)]
pub enum Cell {
    /// `null`.
    Null,
    /// A string.
    Text(Box<str>),
    /// A string known when the verifier was built.
    Name(&'static str),
    /// A small integer.
    Number(u64),
    /// An integer of any size, as its canonical token.
    Integer(Box<str>),
    /// A digest.
    Digest(Digest),
    /// A value copied from the input in reference mode.
    Foreign(Box<Foreign>),
}

/// A value of any type, with its source text.
#[derive(Clone, Debug)]
pub struct Foreign {
    /// The value as Python holds it, for sorting.
    pub value: python::Value,
    /// Its text in the document that it was copied from.
    pub source: Box<[u8]>,
}

/// One mismatch.
#[derive(Clone, Debug)]
pub struct Row {
    /// The turn, or "" for the bundle.
    pub turn_id: Cell,
    /// The stage that noticed it.
    pub stage_name: Cell,
    /// The decision's ordinal, else 0.
    pub ordinal: Cell,
    /// What kind of evidence differs.
    pub surface: Surface,
    /// Where.
    pub path: Cell,
    /// Side A's digest.
    pub expected: Cell,
    /// Side B's digest.
    pub actual: Cell,
    /// The registered code.
    pub reason: Option<&'static str>,
    /// Text for people, which never matters.
    pub diagnostic: Option<Box<Diagnostic>>,
}

impl Row {
    /// A mismatch that stage `replay` notices.
    pub(crate) fn replay(
        turn_id: Cell,
        surface: Surface,
        path: Cell,
        expected: Cell,
        actual: Cell,
        reason: &'static str,
    ) -> Self {
        Self {
            turn_id,
            stage_name: Cell::Name("replay"),
            ordinal: Cell::Number(0),
            surface,
            path,
            expected,
            actual,
            reason: Some(reason),
            diagnostic: None,
        }
    }
}

/// Explains a row; left out of the report's identity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Slug of the law.
    pub law: &'static str,
    /// The registered code, if there is one.
    pub code: Option<&'static str>,
    /// The side at fault: `a`, `b`, `both`, or the name of another input.
    pub side: &'static str,
    /// What is wrong and what to do.
    pub message: String,
}

/// A finished report.
#[derive(Clone, Debug)]
pub struct Report {
    /// The outcome.
    pub status: Status,
    /// The rows in the order of the report.
    pub rows: Vec<Row>,
    /// The identity.
    pub report_id: Digest,
    /// The canonical text, `report_id` included, without a final line feed.
    pub text: String,
}

/// Writes a report's canonical text in two parts, before and after the value of `report_id`.
pub(crate) struct Writer {
    pub(crate) out: Vec<u8>,
    /// The worst of what has no canonical form.
    pub(crate) worst: Option<CanonRefusal>,
}

impl Writer {
    pub(crate) fn with_capacity(capacity: usize) -> Self {
        Self { out: Vec::with_capacity(capacity), worst: None }
    }

    fn raw(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    fn string(&mut self, text: &str) {
        append_json_string(text.as_bytes(), &mut self.out);
    }

    /// Everything before the value of `report_id`.
    pub(crate) fn head(&mut self, status: Status, rows: &[Row], diagnostics: bool) {
        self.raw("{\"contract_version\":\"kernel_api/v1\",\"exit_code\":");
        self.raw(&status.exit_code().to_string());
        self.raw(",\"mismatches\":[");
        for (index, row) in rows.iter().enumerate() {
            if index > 0 {
                self.raw(",");
            }
            self.row(row, diagnostics);
        }
        self.raw("],\"report_id\":");
    }

    /// Everything after it.
    pub(crate) fn tail(&mut self, run_id: &Cell, status: Status) {
        self.raw(",\"run_id\":");
        self.cell(run_id);
        self.raw(",\"status\":");
        self.string(status.name());
        self.raw("}");
    }

    fn row(&mut self, row: &Row, diagnostics: bool) {
        self.raw("{\"actual_digest\":");
        self.cell(&row.actual);
        self.raw(",\"diagnostic\":");
        match &row.diagnostic {
            Some(diagnostic) if diagnostics => self.diagnostic(diagnostic),
            _ => self.raw("null"),
        }
        self.raw(",\"expected_digest\":");
        self.cell(&row.expected);
        self.raw(",\"ordinal\":");
        self.cell(&row.ordinal);
        self.raw(",\"path\":");
        self.cell(&row.path);
        self.raw(",\"reason_code\":");
        self.cell(&row.reason.map_or(Cell::Null, Cell::Name));
        self.raw(",\"stage_name\":");
        self.cell(&row.stage_name);
        self.raw(",\"surface\":");
        self.string(row.surface.name());
        self.raw(",\"turn_id\":");
        self.cell(&row.turn_id);
        self.raw("}");
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic) {
        self.raw("{\"code\":");
        self.cell(&diagnostic.code.map_or(Cell::Null, Cell::Name));
        self.raw(",\"law\":");
        self.string(diagnostic.law);
        self.raw(",\"message\":");
        self.string(&diagnostic.message);
        self.raw(",\"side\":");
        self.string(diagnostic.side);
        self.raw("}");
    }

    fn cell(&mut self, cell: &Cell) {
        match cell {
            Cell::Null => self.raw("null"),
            Cell::Text(text) => self.string(text),
            Cell::Name(text) => self.string(text),
            Cell::Number(number) => self.raw(&number.to_string()),
            Cell::Integer(token) => self.raw(token),
            Cell::Digest(digest) => {
                self.out.push(b'"');
                digest.append_hex(&mut self.out);
                self.out.push(b'"');
            }
            Cell::Foreign(foreign) => self.foreign(foreign),
        }
    }

    /// Canonicalizes a copied value as the comparator does when it hashes the report.
    fn foreign(&mut self, foreign: &Foreign) {
        let before = self.out.len();
        let refusal = match Reader::new(&foreign.source, &Rules::PARITY.dialect) {
            Ok(mut reader) => Canonicalizer::new(Rules::PARITY).append(&mut reader, &mut self.out).unwrap_or_default(),
            // The source was cut out of a document that has been read.
            Err(_) => None,
        };
        // Offsets only rank troubles here, and those of one report rank by where they are written.
        let refusal = refusal.map(|refusal| CanonRefusal { offset: before + refusal.offset, ..refusal });
        self.worst = CanonRefusal::worst(self.worst, refusal);
    }
}
