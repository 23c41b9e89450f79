//! Contract 2: the registry maps each code to one of the ten stages and holds nothing else.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, B.2, error-codes-v1.json; ruling SV-7.

use crate::contracts;
use crate::json::NodeRef;
use crate::law::Law;
use crate::rejection::ShapeBreach;
use crate::sovereign::model::shape::Shape;

pub(crate) const LAW: Law = Law::named("sovereign/contract-error-codes");

static SCHEMA: Shape = Shape::stated_by(contracts::ERROR_CODES_SCHEMA);

/// The places at which a document breaks the contract, each named once.
pub(crate) fn breaches(document: NodeRef<'_>) -> Vec<ShapeBreach> {
    SCHEMA.breaches(document)
}
