//! The contracts: does a document have the shape that the sealed schemas demand?
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, B.1 to B.6; rulings OP, SCH-01 to SCH-19, SV-7, SV-28.
//!
//! Schemas are compiled once, offline, with references between files resolved from memory and ECMA-262 patterns (a `$`
//! does not match before a final line feed). Shape is all that is judged: that a digest is the right one is not.
//!
//! ```
//! use assize_verifier::sovereign::contract::{Contract, check};
//!
//! let order = assize_verifier::contracts::STAGE_ORDER;
//! assert!(check(Contract::StageOrder, order.as_bytes()).is_ok());
//! assert!(check(Contract::ErrorCodes, order.as_bytes()).is_err());
//! ```

use std::sync::LazyLock;

use super::Rejection;
use super::float_ban::{self, Found};
use crate::contracts;
use crate::json::{Dialect, Document, JsonPointer, NodeRef};
use crate::law::Law;
use crate::schema::{Schema, ShapeBreach};

/// A contract of the sovereign spec.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contract {
    /// Contract 1.
    StageOrder,
    /// Contract 2.
    ErrorCodes,
    /// Contract 3.
    DecisionRecord,
    /// Contract 4.
    ReplayBundle,
    /// Contract 5.
    ReplayReport,
    /// Contract 6, in its published shape.
    TurnResult,
    /// The issues inside contract 6.
    KernelIssue,
}

impl Contract {
    /// Every contract.
    pub const ALL: [Self; 7] = [
        Self::StageOrder,
        Self::ErrorCodes,
        Self::DecisionRecord,
        Self::ReplayBundle,
        Self::ReplayReport,
        Self::TurnResult,
        Self::KernelIssue,
    ];

    /// The name used in operations.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::StageOrder => "stage-order",
            Self::ErrorCodes => "error-codes",
            Self::DecisionRecord => "capability-decision-record",
            Self::ReplayBundle => "replay-bundle",
            Self::ReplayReport => "replay-report",
            Self::TurnResult => "turn-result",
            Self::KernelIssue => "kernel-issue",
        }
    }

    /// The contract of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|contract| contract.name() == name)
    }

    /// The law that the contract states.
    #[must_use]
    pub fn law(self) -> Law {
        match self {
            Self::StageOrder => Law::ContractStageOrder,
            Self::ErrorCodes => Law::ContractErrorCodes,
            Self::DecisionRecord => Law::ContractDecisionRecord,
            Self::ReplayBundle => Law::ContractReplayBundle,
            Self::ReplayReport => Law::ContractReplayReport,
            Self::TurnResult | Self::KernelIssue => Law::ContractTurnResult,
        }
    }

    fn schema(self) -> &'static str {
        match self {
            Self::StageOrder => contracts::STAGE_ORDER_SCHEMA,
            Self::ErrorCodes => contracts::ERROR_CODES_SCHEMA,
            Self::DecisionRecord => contracts::DECISION_RECORD_SCHEMA,
            Self::ReplayBundle => contracts::REPLAY_BUNDLE_SCHEMA,
            Self::ReplayReport => contracts::REPLAY_REPORT_SCHEMA,
            Self::TurnResult => contracts::TURN_RESULT_SCHEMA,
            Self::KernelIssue => contracts::KERNEL_ISSUE_SCHEMA,
        }
    }

    /// The decision records in a document of this contract: there the float ban wins over the schema's `integer`, which
    /// admits `1.0` (SCH-11).
    fn records<'d>(self, root: NodeRef<'d>) -> Vec<(JsonPointer, NodeRef<'d>)> {
        match self {
            Self::DecisionRecord => vec![(JsonPointer::root(), root)],
            Self::TurnResult => {
                let place = JsonPointer::from_text("/capabilities/decisions");
                let decisions = root.get("capabilities").and_then(|capabilities| capabilities.get("decisions"));
                let records = decisions.into_iter().flat_map(NodeRef::elements).enumerate();
                records.map(|(index, record)| (place.index(index), record)).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// Judges a document.
///
/// # Errors
/// [`Rejection::Json`] if it cannot be read, [`Rejection::Schema`] if it breaks the contract.
pub fn check(contract: Contract, document: &[u8]) -> Result<(), Rejection> {
    let document = Document::parse(document, &Dialect::STRICT)?;
    let mut found = breaches(contract, document.root());
    for (pointer, record) in contract.records(document.root()) {
        let mut floats = Found::where_it(|banned| banned.law() == Law::FloatBan);
        float_ban::scan(record, &pointer, &mut floats);
        found.extend(
            floats
                .list
                .into_iter()
                .map(|banned| ShapeBreach { pointer: banned.pointer, message: banned.kind.to_string() }),
        );
    }
    if found.is_empty() { Ok(()) } else { Err(Rejection::Schema(found)) }
}

/// The places at which a value breaks a contract, each named once.
pub(super) fn breaches(contract: Contract, node: NodeRef<'_>) -> Vec<ShapeBreach> {
    // Without an outcome all four conditional blocks hold at once and contradict each other (SCH-08).
    let vacuous = contract == Contract::DecisionRecord && node.get("outcome").is_none();
    let schema = SCHEMAS.iter().find(|(of, _)| *of == contract);
    schema.map(|(_, schema)| schema.breaches_unless(node, |at| vacuous && at.starts_with("/allOf"))).unwrap_or_default()
}

static SCHEMAS: LazyLock<[(Contract, Schema); 7]> = LazyLock::new(|| {
    let shared = [Contract::DecisionRecord, Contract::TurnResult, Contract::KernelIssue].map(Contract::schema);
    Contract::ALL.map(|contract| (contract, Schema::compile(contract.schema(), &shared)))
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_contract_compiles_and_knows_its_name() {
        for contract in Contract::ALL {
            assert!(SCHEMAS.iter().any(|(of, schema)| *of == contract && schema.is_usable()), "{contract:?}");
            assert_eq!(Contract::from_name(contract.name()), Some(contract));
        }
    }

    fn pointers(contract: Contract, text: &str) -> Vec<String> {
        match check(contract, text.as_bytes()) {
            Ok(()) => Vec::new(),
            Err(Rejection::Schema(found)) => found.into_iter().map(|breach| breach.pointer.to_string()).collect(),
            Err(other) => panic!("{other:?}"),
        }
    }

    const DENIED: &str = r#"{"contract_version":"kernel_api/v1","decision_id":"0000000000000000000000000000000000000000000000000000000000000000","run_id":"r","turn_id":"t","tool_name":"","action":"","ordinal":0,"stage":"capability","outcome":"denied","deny_code":"E_X","info_code":null,"reason":null,"provenance":null}"#;

    #[test]
    fn breaches_are_located_and_named_once() {
        assert_eq!(pointers(Contract::DecisionRecord, DENIED), Vec::<String>::new());
        let cases = [
            (r#""ordinal":0"#, r#""ordinal":true"#, "/ordinal"),
            (r#""ordinal":0"#, r#""ordinal":1.0"#, "/ordinal"),
            (r#""ordinal":0,"#, "", "/ordinal"),
            (r#""deny_code":"E_X""#, r#""deny_code":"E_X\n""#, "/deny_code"),
            (r#""deny_code":"E_X""#, r#""deny_code":null"#, "/deny_code"),
            (r#""outcome":"denied","#, "", "/outcome"),
            (r#""run_id":"r""#, r#""run_id":"r","x/y":1"#, "/x~1y"),
        ];
        for (from, to, pointer) in cases {
            assert_eq!(pointers(Contract::DecisionRecord, &DENIED.replace(from, to)), [pointer], "{to}");
        }
        assert_eq!(pointers(Contract::DecisionRecord, "[]"), [""]);
    }
}
