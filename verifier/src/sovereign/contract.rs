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

use super::laws::{
    contract_decision_record, contract_error_codes, contract_replay_bundle, contract_replay_report,
    contract_stage_order, contract_turn_result, float_ban,
};
use super::model::banned::Found;
use super::{Rejection, scan};
use crate::json::{Dialect, Document, JsonPointer, NodeRef};
use crate::law::Law;
use crate::rejection::ShapeBreach;

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
            Self::StageOrder => contract_stage_order::LAW,
            Self::ErrorCodes => contract_error_codes::LAW,
            Self::DecisionRecord => contract_decision_record::LAW,
            Self::ReplayBundle => contract_replay_bundle::LAW,
            Self::ReplayReport => contract_replay_report::LAW,
            Self::TurnResult | Self::KernelIssue => contract_turn_result::LAW,
        }
    }

    /// The places at which a value breaks the contract, each named once.
    fn breaches(self, root: NodeRef<'_>) -> Vec<ShapeBreach> {
        match self {
            Self::StageOrder => contract_stage_order::breaches(root),
            Self::ErrorCodes => contract_error_codes::breaches(root),
            Self::DecisionRecord => contract_decision_record::breaches(root),
            Self::ReplayBundle => contract_replay_bundle::breaches(root),
            Self::ReplayReport => contract_replay_report::breaches(root),
            Self::TurnResult => contract_turn_result::breaches(root),
            Self::KernelIssue => contract_turn_result::issue_breaches(root),
        }
    }

    /// The decision records in a document of this contract.
    fn records<'d>(self, root: NodeRef<'d>) -> Vec<(JsonPointer, NodeRef<'d>)> {
        match self {
            Self::DecisionRecord => contract_decision_record::records(root),
            Self::TurnResult => contract_turn_result::records(root),
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
    let mut found = contract.breaches(document.root());
    for (pointer, record) in contract.records(document.root()) {
        let mut floats = Found::where_it(|banned| float_ban::is_broken_by(banned.kind));
        scan::scan(record, &pointer, &mut floats);
        found.extend(floats.list.into_iter().map(float_ban::in_contract));
    }
    if found.is_empty() { Ok(()) } else { Err(Rejection::Schema(found)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_contract_knows_its_name() {
        for contract in Contract::ALL {
            assert_eq!(Contract::from_name(contract.name()), Some(contract));
        }
    }

    #[test]
    fn every_schema_compiles() {
        let document = Document::parse(b"null", &Dialect::STRICT).expect("JSON");
        for contract in Contract::ALL {
            let messages: Vec<_> =
                contract.breaches(document.root()).into_iter().map(|breach| breach.message.to_string()).collect();
            assert_eq!(messages, ["null is not of type \"object\""], "{}", contract.name());
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
