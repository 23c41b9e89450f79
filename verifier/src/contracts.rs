//! The contracts that the verifier judges by, embedded when it is built.

/// Contract 1 of the sovereign spec: the stage order.
pub const STAGE_ORDER: &str = include_str!("../../contracts/sovereign/stage-order-v1.json");
/// Contract 2: the error-code registry, which is the local registry unless another one is handed in.
pub const ERROR_CODES: &str = include_str!("../../contracts/sovereign/error-codes-v1.json");
/// Contract 3: a capability decision record.
pub const DECISION_RECORD_SCHEMA: &str =
    include_str!("../../contracts/sovereign/capability-decision-record.schema.json");
/// Contract 4: a replay bundle.
pub const REPLAY_BUNDLE_SCHEMA: &str = include_str!("../../contracts/sovereign/replay-bundle.schema.json");
/// Contract 5: a replay report.
pub const REPLAY_REPORT_SCHEMA: &str = include_str!("../../contracts/sovereign/replay-report.schema.json");
/// Contract 6, of which the seed gives a patch alone: the published shape, and the definition of `StructuralDigest`.
pub const TURN_RESULT_SCHEMA: &str = include_str!("../../contracts/sovereign/turn-result.schema.json");
/// The published shape of an issue.
pub const KERNEL_ISSUE_SCHEMA: &str = include_str!("../../contracts/sovereign/kernel-issue.schema.json");
/// Contract 1 as a schema.
pub const STAGE_ORDER_SCHEMA: &str = include_str!("../../contracts/sovereign/stage-order.schema.json");
/// Contract 2 as a schema.
pub const ERROR_CODES_SCHEMA: &str = include_str!("../../contracts/sovereign/error-codes.schema.json");
