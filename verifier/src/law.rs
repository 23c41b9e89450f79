//! The laws that this verifier judges by: one variant, one slug, one module, one vector folder.

use std::fmt;

/// A law. The manifest in `contracts/laws` gives each its statement and its place in the specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the manifest states each law; a second wording here could only drift")]
pub enum Law {
    CanonSovereign,
    CanonJcs,
    CanonAuthority,
    DenyPrecedence,
    SingleEmission,
    CanonicalParity,
    FloatBan,
    SafeBoundary,
    IssueDetailParity,
    RegistryLock,
    PathSelection,
    ReportOrdering,
    SurfaceList,
    Correspondence,
    ReportIdentity,
    IssueMultiplicity,
    ContractStageOrder,
    ContractErrorCodes,
    ContractDecisionRecord,
    ContractReplayBundle,
    ContractReplayReport,
    ContractTurnResult,
    ContractShape,
    IdentityView,
    EnvironmentFingerprint,
    ScriptGraph,
    StatusPropagation,
    ReceiptEnvelope,
    ReceiptChain,
    PackIntegrity,
    PathSafety,
    Completeness,
    DerivedHashes,
    ReplayComparison,
    VerdictPrecedence,
    ExitCodes,
    ReplayResult,
    Dispute,
}

impl Law {
    /// Every law, in the order of the manifest.
    pub const ALL: [Self; 38] = [
        Self::CanonSovereign,
        Self::CanonJcs,
        Self::CanonAuthority,
        Self::DenyPrecedence,
        Self::SingleEmission,
        Self::CanonicalParity,
        Self::FloatBan,
        Self::SafeBoundary,
        Self::IssueDetailParity,
        Self::RegistryLock,
        Self::PathSelection,
        Self::ReportOrdering,
        Self::SurfaceList,
        Self::Correspondence,
        Self::ReportIdentity,
        Self::IssueMultiplicity,
        Self::ContractStageOrder,
        Self::ContractErrorCodes,
        Self::ContractDecisionRecord,
        Self::ContractReplayBundle,
        Self::ContractReplayReport,
        Self::ContractTurnResult,
        Self::ContractShape,
        Self::IdentityView,
        Self::EnvironmentFingerprint,
        Self::ScriptGraph,
        Self::StatusPropagation,
        Self::ReceiptEnvelope,
        Self::ReceiptChain,
        Self::PackIntegrity,
        Self::PathSafety,
        Self::Completeness,
        Self::DerivedHashes,
        Self::ReplayComparison,
        Self::VerdictPrecedence,
        Self::ExitCodes,
        Self::ReplayResult,
        Self::Dispute,
    ];

    /// The stable name, with its system.
    #[must_use]
    pub fn slug(self) -> &'static str {
        match self {
            Self::CanonSovereign => "canon/sovereign",
            Self::CanonJcs => "canon/jcs",
            Self::CanonAuthority => "canon/authority",
            Self::DenyPrecedence => "sovereign/deny-precedence",
            Self::SingleEmission => "sovereign/single-emission",
            Self::CanonicalParity => "sovereign/canonical-parity",
            Self::FloatBan => "sovereign/float-ban",
            Self::SafeBoundary => "sovereign/safe-boundary",
            Self::IssueDetailParity => "sovereign/issue-detail-parity",
            Self::RegistryLock => "sovereign/registry-lock",
            Self::PathSelection => "sovereign/path-selection",
            Self::ReportOrdering => "sovereign/report-ordering",
            Self::SurfaceList => "sovereign/surface-list",
            Self::Correspondence => "sovereign/correspondence",
            Self::ReportIdentity => "sovereign/report-identity",
            Self::IssueMultiplicity => "sovereign/issue-multiplicity",
            Self::ContractStageOrder => "sovereign/contract-stage-order",
            Self::ContractErrorCodes => "sovereign/contract-error-codes",
            Self::ContractDecisionRecord => "sovereign/contract-decision-record",
            Self::ContractReplayBundle => "sovereign/contract-replay-bundle",
            Self::ContractReplayReport => "sovereign/contract-replay-report",
            Self::ContractTurnResult => "sovereign/contract-turn-result",
            Self::ContractShape => "episode/contract-shape",
            Self::IdentityView => "episode/identity-view",
            Self::EnvironmentFingerprint => "episode/environment-fingerprint",
            Self::ScriptGraph => "episode/script-graph",
            Self::StatusPropagation => "episode/status-propagation",
            Self::ReceiptEnvelope => "episode/receipt-envelope",
            Self::ReceiptChain => "episode/receipt-chain",
            Self::PackIntegrity => "episode/pack-integrity",
            Self::PathSafety => "episode/path-safety",
            Self::Completeness => "episode/completeness",
            Self::DerivedHashes => "episode/derived-hashes",
            Self::ReplayComparison => "episode/replay-comparison",
            Self::VerdictPrecedence => "episode/verdict-precedence",
            Self::ExitCodes => "episode/exit-codes",
            Self::ReplayResult => "episode/replay-result",
            Self::Dispute => "episode/dispute",
        }
    }
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.slug())
    }
}
