//! The laws that this verifier judges by, as `contracts/laws` declares them.
//!
//! The build makes the table from the declarations: a law that is not declared cannot be named, and no list of laws is
//! kept by hand.

use std::fmt;

include!(concat!(env!("OUT_DIR"), "/law_table.rs"));

/// What the table holds of each law.
struct Declared {
    slug: &'static str,
    system: &'static str,
}

/// A law: its number in the published order, first of systems and then of the laws in each.
///
/// Its declaration, `contracts/laws/<slug>.json`, gives its statement and its place in the specification.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Law(
    // INVARIANT (number): below the length of LAWS; every constructor takes it from there.
    u16,
);

impl Law {
    /// Every law, in the published order.
    pub const ALL: [Self; LAWS.len()] = {
        let mut all = [Self(0); LAWS.len()];
        let mut rest = all.as_mut_slice();
        let mut number = 0;
        while let Some((first, others)) = rest.split_first_mut() {
            *first = Self(number);
            number += 1;
            rest = others;
        }
        all
    };

    /// The systems that have laws, in the published order.
    pub const SYSTEMS: [&'static str; SYSTEMS.len()] = SYSTEMS;

    /// The law with this slug, for constants: of a slug that nothing declares none can be made, and the build ends.
    ///
    /// ```
    /// use assize_verifier::law::Law;
    ///
    /// const FLOAT_BAN: Law = Law::named("sovereign/float-ban");
    /// assert_eq!(FLOAT_BAN.system(), "sovereign");
    /// ```
    ///
    /// ```compile_fail
    /// const NONE: assize_verifier::law::Law = assize_verifier::law::Law::named("sovereign/no-such-law");
    /// ```
    ///
    /// # Panics
    /// Outside of a constant, where the slug is not declared; [`Law::find`] answers there.
    #[must_use]
    pub const fn named(slug: &'static str) -> Self {
        let mut rest = LAWS.as_slice();
        let mut number = 0;
        while let Some((first, others)) = rest.split_first() {
            if same(first.slug.as_bytes(), slug.as_bytes()) {
                return Self(number);
            }
            number += 1;
            rest = others;
        }
        #[expect(clippy::panic, reason = "in a constant this ends the build, as it has to")]
        {
            panic!("no file of contracts/laws declares this law")
        }
    }

    /// The law with this slug, if one is declared.
    #[must_use]
    pub fn find(slug: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|law| law.slug() == slug)
    }

    /// The stable name, with its system.
    #[must_use]
    pub const fn slug(self) -> &'static str {
        self.declared().slug
    }

    /// The system that the law is of.
    #[must_use]
    pub const fn system(self) -> &'static str {
        self.declared().system
    }

    #[expect(clippy::indexing_slicing, reason = "INVARIANT (number)")]
    const fn declared(self) -> &'static Declared {
        const TABLE: &[Declared] = &LAWS;
        &TABLE[self.0 as usize]
    }
}

/// Whether two texts are equal, in a constant.
const fn same(mut a: &[u8], mut b: &[u8]) -> bool {
    loop {
        match (a.split_first(), b.split_first()) {
            (Some((one, rest_a)), Some((other, rest_b))) if *one == *other => (a, b) = (rest_a, rest_b),
            (None, None) => return true,
            _ => return false,
        }
    }
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.slug())
    }
}

impl fmt::Debug for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.slug())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_found_and_systems_are_theirs() {
        for law in Law::ALL {
            assert_eq!((Law::find(law.slug()), Law::named(law.slug())), (Some(law), law));
            assert_eq!(law.slug().split('/').next(), Some(law.system()));
            assert_eq!(format!("{law} {law:?}"), format!("{0} {0}", law.slug()));
        }
        for none in ["", "sovereign", "sovereign/", "sovereign/float-bans", "sovereign/float-ba"] {
            assert_eq!(Law::find(none), None, "{none}");
        }
    }

    #[test]
    fn the_order_is_published() {
        assert!(Law::ALL.is_sorted());
        let mut systems: Vec<_> = Law::ALL.map(Law::system).to_vec();
        systems.dedup();
        assert_eq!(systems, Law::SYSTEMS);
    }
}

// MERGE: the block below keeps the old names until each law's module names its own slug.
#[allow(non_upper_case_globals, missing_docs, reason = "the names of laws before they had a declaration each")]
impl Law {
    pub const CanonSovereign: Self = Self::named("canon/sovereign");
    pub const CanonJcs: Self = Self::named("canon/jcs");
    pub const CanonAuthority: Self = Self::named("canon/authority");
    pub const DenyPrecedence: Self = Self::named("sovereign/deny-precedence");
    pub const SingleEmission: Self = Self::named("sovereign/single-emission");
    pub const CanonicalParity: Self = Self::named("sovereign/canonical-parity");
    pub const FloatBan: Self = Self::named("sovereign/float-ban");
    pub const SafeBoundary: Self = Self::named("sovereign/safe-boundary");
    pub const IssueDetailParity: Self = Self::named("sovereign/issue-detail-parity");
    pub const RegistryLock: Self = Self::named("sovereign/registry-lock");
    pub const PathSelection: Self = Self::named("sovereign/path-selection");
    pub const ReportOrdering: Self = Self::named("sovereign/report-ordering");
    pub const SurfaceList: Self = Self::named("sovereign/surface-list");
    pub const Correspondence: Self = Self::named("sovereign/correspondence");
    pub const ReportIdentity: Self = Self::named("sovereign/report-identity");
    pub const IssueMultiplicity: Self = Self::named("sovereign/issue-multiplicity");
    pub const ContractStageOrder: Self = Self::named("sovereign/contract-stage-order");
    pub const ContractErrorCodes: Self = Self::named("sovereign/contract-error-codes");
    pub const ContractDecisionRecord: Self = Self::named("sovereign/contract-decision-record");
    pub const ContractReplayBundle: Self = Self::named("sovereign/contract-replay-bundle");
    pub const ContractReplayReport: Self = Self::named("sovereign/contract-replay-report");
    pub const ContractTurnResult: Self = Self::named("sovereign/contract-turn-result");
    pub const ContractShape: Self = Self::named("episode/contract-shape");
    pub const IdentityView: Self = Self::named("episode/identity-view");
    pub const EnvironmentFingerprint: Self = Self::named("episode/environment-fingerprint");
    pub const ScriptGraph: Self = Self::named("episode/script-graph");
    pub const StatusPropagation: Self = Self::named("episode/status-propagation");
    pub const ReceiptEnvelope: Self = Self::named("episode/receipt-envelope");
    pub const ReceiptChain: Self = Self::named("episode/receipt-chain");
    pub const PackIntegrity: Self = Self::named("episode/pack-integrity");
    pub const PathSafety: Self = Self::named("episode/path-safety");
    pub const Completeness: Self = Self::named("episode/completeness");
    pub const DerivedHashes: Self = Self::named("episode/derived-hashes");
    pub const ReplayComparison: Self = Self::named("episode/replay-comparison");
    pub const VerdictPrecedence: Self = Self::named("episode/verdict-precedence");
    pub const ExitCodes: Self = Self::named("episode/exit-codes");
    pub const ReplayResult: Self = Self::named("episode/replay-result");
    pub const Dispute: Self = Self::named("episode/dispute");
    pub const CanonicalForm: Self = Self::named("authority/canonical-form");
    pub const LedgerIntegrity: Self = Self::named("authority/ledger-integrity");
    pub const ParentLinkage: Self = Self::named("authority/parent-linkage");
    pub const RecordShape: Self = Self::named("authority/record-shape");
    pub const PolicyBounds: Self = Self::named("authority/policy-bounds");
    pub const ProposalBoundary: Self = Self::named("authority/proposal-boundary");
    pub const CommitSource: Self = Self::named("authority/commit-source");
    pub const CostAndCollapse: Self = Self::named("authority/cost-and-collapse");
    pub const DagIds: Self = Self::named("authority/dag-ids");
    pub const DagInvariants: Self = Self::named("authority/dag-invariants");
    pub const RunRecords: Self = Self::named("authority/run-records");
    pub const Refusal: Self = Self::named("authority/refusal");
    pub const ArtifactHashes: Self = Self::named("authority/artifact-hashes");
    pub const SummaryHash: Self = Self::named("authority/summary-hash");
    pub const Replay: Self = Self::named("authority/replay");
    pub const Goldens: Self = Self::named("authority/goldens");
    pub const KernelCanonicalForm: Self = Self::named("kernel/canonical-form");
    pub const KernelPathSafety: Self = Self::named("kernel/path-safety");
    pub const KernelRecordShape: Self = Self::named("kernel/record-shape");
    pub const KernelSortOrder: Self = Self::named("kernel/sort-order");
    pub const KernelObjectDigest: Self = Self::named("kernel/object-digest");
    pub const KernelStaging: Self = Self::named("kernel/staging");
    pub const KernelLinkVisibility: Self = Self::named("kernel/link-visibility");
    pub const KernelShadowing: Self = Self::named("kernel/shadowing");
    pub const KernelStagePipeline: Self = Self::named("kernel/stage-pipeline");
    pub const KernelPromotion: Self = Self::named("kernel/promotion");
    pub const KernelPromotionSequence: Self = Self::named("kernel/promotion-sequence");
    pub const KernelPromotionAtomicity: Self = Self::named("kernel/promotion-atomicity");
    pub const KernelCrashRecovery: Self = Self::named("kernel/crash-recovery");
    pub const KernelPruning: Self = Self::named("kernel/pruning");
    pub const KernelMultisource: Self = Self::named("kernel/multisource");
    pub const KernelDeletion: Self = Self::named("kernel/deletion");
    pub const KernelLedger: Self = Self::named("kernel/ledger");
    pub const KernelFortress: Self = Self::named("kernel/fortress");
    pub const KernelEventFormat: Self = Self::named("kernel/event-format");
    pub const KernelIssueOrder: Self = Self::named("kernel/issue-order");
    pub const KernelCapability: Self = Self::named("kernel/capability");
    pub const KernelRunComparison: Self = Self::named("kernel/run-comparison");
    pub const KernelCodeRegistry: Self = Self::named("kernel/code-registry");
    pub const KernelSourceOfRecord: Self = Self::named("kernel/source-of-record");
    pub const KernelLinkOfRecord: Self = Self::named("kernel/link-of-record");
    pub const ReplyOneOutcome: Self = Self::named("reply/one-outcome");
    pub const ReplyTypeClosed: Self = Self::named("reply/type-closed");
    pub const ReplyNoAuxiliaryOutcome: Self = Self::named("reply/no-auxiliary-outcome");
    pub const ReplyInvalidXorError: Self = Self::named("reply/invalid-xor-error");
    pub const ReplyCodeShape: Self = Self::named("reply/code-shape");
    pub const ReplyLayerClosed: Self = Self::named("reply/layer-closed");
    pub const ReplyLayerTypeMatrix: Self = Self::named("reply/layer-type-matrix");
    pub const ReplyAreaRegistered: Self = Self::named("reply/area-registered");
    pub const ReplyAreaNotToolName: Self = Self::named("reply/area-not-tool-name");
    pub const ReplyContractAreaGate: Self = Self::named("reply/contract-area-gate");
    pub const ReplyNumberFromOne: Self = Self::named("reply/number-from-one");
    pub const ReplyBranchOnCode: Self = Self::named("reply/branch-on-code");
    pub const ReplyMessageDerived: Self = Self::named("reply/message-derived");
    pub const ReplyCodeUnique: Self = Self::named("reply/code-unique");
    pub const ReplyCodeNeverReused: Self = Self::named("reply/code-never-reused");
    pub const ReplySingleRegistry: Self = Self::named("reply/single-registry");
    pub const ReplyCodeRegistered: Self = Self::named("reply/code-registered");
    pub const ReplyLegacyRetired: Self = Self::named("reply/legacy-retired");
    pub const ReplyShape: Self = Self::named("reply/reply-shape");
    pub const ReplyTypeAgrees: Self = Self::named("reply/type-agrees");
    pub const ReplyTransportFree: Self = Self::named("reply/reply-transport-free");
    pub const ReplyEnvelopeMembers: Self = Self::named("reply/envelope-members");
    pub const ReplyStatusAgrees: Self = Self::named("reply/status-agrees");
    pub const ReplyErrorAgrees: Self = Self::named("reply/error-agrees");
    pub const ReplyEnvelopeSeparation: Self = Self::named("reply/envelope-separation");
    pub const ReplyGapNotSemantic: Self = Self::named("reply/gap-not-semantic");
    pub const ReplySingleBuilder: Self = Self::named("reply/single-builder");
    pub const ReplyBuilderApi: Self = Self::named("reply/builder-api");
    pub const ReplyNoForbiddenMethods: Self = Self::named("reply/no-forbidden-methods");
    pub const ReplyTerminalFreeze: Self = Self::named("reply/terminal-freeze");
    pub const ReplyTerminalReturn: Self = Self::named("reply/terminal-return");
    pub const ReplyWrapperTraceId: Self = Self::named("reply/wrapper-trace-id");
    pub const ReplyWrapperDuration: Self = Self::named("reply/wrapper-duration");
    pub const ReplyWrapperPure: Self = Self::named("reply/wrapper-pure");
    pub const ReplyCrashIsError: Self = Self::named("reply/crash-is-error");
    pub const ReplyNoRawReturn: Self = Self::named("reply/no-raw-return");
    pub const ReplyAxesDistinct: Self = Self::named("reply/axes-distinct");
    pub const ReplyEnforced: Self = Self::named("reply/enforced");
    pub const ReplyResultSound: Self = Self::named("reply/result-sound");
    pub const ReplyEnvelopeCarried: Self = Self::named("reply/envelope-carried");
    pub const ReplyFlagAgrees: Self = Self::named("reply/flag-agrees");
    pub const ReplyContentPresent: Self = Self::named("reply/content-present");
    pub const ReplySchemaCoversEnvelope: Self = Self::named("reply/schema-covers-envelope");
    pub const ReplyTraceDistinct: Self = Self::named("reply/trace-distinct");
    pub const ReplyNoProtocolError: Self = Self::named("reply/no-protocol-error");
}
