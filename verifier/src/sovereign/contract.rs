//! The contracts: does a document have the shape that the sealed schemas demand?
//!
//! Spec: `000_2d13fa6304d8a0d4.txt` section B, contracts 1 to 6; behaviour table SCH-01 to SCH-19.
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

mod instance;

use std::sync::LazyLock;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{PatternOptions, Registry, Validator};

use super::Rejection;
use super::float_ban::{self, Found};
use crate::contracts;
use crate::json::{Dialect, Document, JsonPointer, NodeRef};
use crate::law::Law;
use instance::{ArenaJson, Instance};

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

/// A place at which a document breaks its contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShapeBreach {
    /// An absent member is named as if it were there.
    pub pointer: JsonPointer,
    /// What is wrong.
    pub message: String,
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
    let Some(validator) = validator(contract) else {
        // Fail closed. A test proves that every contract compiles.
        return vec![ShapeBreach {
            pointer: JsonPointer::root(),
            message: "the contract's schema does not compile".into(),
        }];
    };
    let instance = Instance::Node(node);
    if validator.is_valid(instance.clone()) {
        return Vec::new();
    }
    let mut found: Vec<ShapeBreach> = Vec::new();
    // Without an outcome all four conditional blocks hold at once and contradict each other (SCH-08).
    let vacuous = contract == Contract::DecisionRecord && node.get("outcome").is_none();
    for error in validator.iter_errors(instance) {
        if vacuous && error.schema_path().as_str().starts_with("/allOf") {
            continue;
        }
        let place = JsonPointer::from_text(error.instance_path().as_str());
        let pointers = match error.kind() {
            ValidationErrorKind::Required { property } => vec![place.member(property.as_str().unwrap_or_default())],
            ValidationErrorKind::AdditionalProperties { unexpected } => {
                unexpected.iter().map(|name| place.member(name)).collect()
            }
            _ => vec![place],
        };
        let message = error.to_string();
        found.extend(pointers.into_iter().map(|pointer| ShapeBreach { pointer, message: shorten(&message) }));
    }
    found.sort_by(|a, b| a.pointer.cmp(&b.pointer));
    found.dedup_by(|a, b| a.pointer == b.pointer);
    found
}

/// Messages quote the instance, which may be large.
fn shorten(message: &str) -> String {
    const LONGEST: usize = 200;
    if message.chars().count() <= LONGEST {
        return message.to_owned();
    }
    let mut short: String = message.chars().take(LONGEST).collect();
    short.push('…');
    short
}

static VALIDATORS: LazyLock<Vec<(Contract, Option<Validator<ArenaJson>>)>> =
    LazyLock::new(|| Contract::ALL.into_iter().map(|contract| (contract, compile(contract))).collect());

fn validator(contract: Contract) -> Option<&'static Validator<ArenaJson>> {
    VALIDATORS.iter().find(|(of, _)| *of == contract).and_then(|(_, validator)| validator.as_ref())
}

fn compile(contract: Contract) -> Option<Validator<ArenaJson>> {
    let parse = |text: &str| serde_json::from_str::<serde_json::Value>(text).ok();
    let mut registry = Registry::new();
    for other in [Contract::DecisionRecord, Contract::TurnResult, Contract::KernelIssue] {
        let schema = parse(other.schema())?;
        let uri = schema.get("$id")?.as_str()?.to_owned();
        registry = registry.add(uri, schema).ok()?;
    }
    let registry = registry.prepare().ok()?;
    jsonschema::options_for::<ArenaJson>()
        .with_registry(&registry)
        .with_pattern_options(PatternOptions::regex())
        .offline()
        .build(&parse(contract.schema())?)
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_contract_compiles_and_knows_its_name() {
        for contract in Contract::ALL {
            assert!(validator(contract).is_some(), "{contract:?}");
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
