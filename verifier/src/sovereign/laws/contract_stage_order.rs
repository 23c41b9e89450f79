//! Contract 1: the stage order is the ten stages, each once, in one order.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, B.1, stage-order-v1.json; ruling OP.

use crate::contracts;
use crate::finding::Finding;
use crate::json::NodeRef;
use crate::law::Law;
use crate::rejection::Rejection;
use crate::rejection::ShapeBreach;
use crate::sovereign::model::breach::code_of_unusable;
use crate::sovereign::model::shape::Shape;

pub(crate) const LAW: Law = Law::named("sovereign/contract-stage-order");

static SCHEMA: Shape = Shape::stated_by(contracts::STAGE_ORDER_SCHEMA);

/// The places at which a document breaks the contract, each named once.
pub(crate) fn breaches(document: NodeRef<'_>) -> Vec<ShapeBreach> {
    SCHEMA.breaches(document)
}

/// A local stage order that cannot be used.
pub(crate) fn unusable(why: &Rejection) -> Finding {
    Finding { code: code_of_unusable(why), ..Finding::error(LAW, why.pointer(), why.to_string()) }
}
