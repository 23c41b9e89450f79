//! Contract 5: a replay report and its mismatches have their members and no others.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, B.5, replay-report.schema.json.

use crate::contracts;
use crate::json::NodeRef;
use crate::law::Law;
use crate::rejection::ShapeBreach;
use crate::sovereign::model::shape::Shape;

pub(crate) const LAW: Law = Law::named("sovereign/contract-replay-report");

static SCHEMA: Shape = Shape::stated_by(contracts::REPLAY_REPORT_SCHEMA);

/// The places at which a document breaks the contract, each named once.
pub(crate) fn breaches(document: NodeRef<'_>) -> Vec<ShapeBreach> {
    SCHEMA.breaches(document)
}
