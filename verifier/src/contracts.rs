//! The contracts that the verifier judges by, embedded when it is built.

/// A schema, with the rows of the tables that it repeats.
#[cfg(any(feature = "sovereign", feature = "episode"))]
macro_rules! schema {
    ($path:literal) => {
        include_str!(concat!(env!("OUT_DIR"), "/schemas/", $path))
    };
}

#[cfg(feature = "sovereign")]
pub use sovereign::*;

#[cfg(feature = "episode")]
pub use episode::*;

#[cfg(feature = "kernel")]
pub use kernel::*;

#[cfg(feature = "sovereign")]
mod sovereign {
    /// Contract 1 of the sovereign spec: the stage order.
    pub const STAGE_ORDER: &str = include_str!("../contracts/sovereign/stage-order-v1.json");
    /// Contract 2: the error-code registry, which is the local registry unless another one is handed in.
    pub const ERROR_CODES: &str = include_str!("../contracts/sovereign/error-codes-v1.json");
    /// Contract 3: a capability decision record.
    pub const DECISION_RECORD_SCHEMA: &str = schema!("sovereign/capability-decision-record.schema.json");
    /// Contract 4: a replay bundle.
    pub const REPLAY_BUNDLE_SCHEMA: &str = schema!("sovereign/replay-bundle.schema.json");
    /// Contract 5: a replay report.
    pub const REPLAY_REPORT_SCHEMA: &str = schema!("sovereign/replay-report.schema.json");
    /// Contract 6, of which the specification prints a patch alone: the published shape, and the definition of
    /// `StructuralDigest`.
    pub const TURN_RESULT_SCHEMA: &str = schema!("sovereign/turn-result.schema.json");
    /// The published shape of an issue.
    pub const KERNEL_ISSUE_SCHEMA: &str = schema!("sovereign/kernel-issue.schema.json");
    /// Contract 1 as a schema.
    pub const STAGE_ORDER_SCHEMA: &str = schema!("sovereign/stage-order.schema.json");
    /// Contract 2 as a schema.
    pub const ERROR_CODES_SCHEMA: &str = schema!("sovereign/error-codes.schema.json");
}

#[cfg(feature = "episode")]
mod episode {
    /// An episode contract as a schema.
    pub const EPISODE_CONTRACT_SCHEMA: &str = schema!("episode/episode-contract.schema.json");
    /// The manifest of a proof pack; what it attests has a schema of its own.
    pub const PACK_MANIFEST_SCHEMA: &str = schema!("episode/pack-manifest.schema.json");
    /// The attestation in a manifest.
    pub const PACK_ATTESTATION_SCHEMA: &str = schema!("episode/pack-attestation.schema.json");
    /// Payload of the receipt that opens an episode.
    pub const RECEIPT_OPEN_SCHEMA: &str = schema!("episode/receipt-open.schema.json");
    /// Payload of the receipt of a step.
    pub const RECEIPT_STEP_SCHEMA: &str = schema!("episode/receipt-step.schema.json");
    /// Payload of the receipt that closes an episode.
    pub const RECEIPT_CLOSE_SCHEMA: &str = schema!("episode/receipt-close.schema.json");
    /// The receipt that a verifier writes.
    pub const REPLAY_RESULT_SCHEMA: &str = schema!("episode/replay-result.schema.json");
    /// What stands beside it.
    pub const REPLAY_DETAILS_SCHEMA: &str = schema!("episode/replay-details.schema.json");
}

#[cfg(feature = "kernel")]
mod kernel {
    /// The union registry of the kernel system: every code with the documents that register it.
    pub const KERNEL_CODES: &str = include_str!("../contracts/kernel/error-codes-v1.json");
}
