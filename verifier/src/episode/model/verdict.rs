//! What is said of an episode's proof pack.

use super::findings::PackFinding;
use super::payload::StepStatus;
use super::proof::Divergence;

/// The replay verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every replayed step reproduced its output.
    Match,
    /// Some step did not.
    Diverge,
    /// The pack does not hold together; nothing was compared.
    IntegrityFail,
}

impl Verdict {
    /// MATCH, DIVERGE or INTEGRITY_FAIL.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Match => "MATCH",
            Self::Diverge => "DIVERGE",
            Self::IntegrityFail => "INTEGRITY_FAIL",
        }
    }
}

/// A phase of verification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Phase 1.
    Script,
    /// Phase 2.
    Pack,
    /// Phase 3.
    Completeness,
    /// Phase 4.
    Replay,
}

impl Phase {
    /// Every phase, in order.
    pub const ALL: [Self; 4] = [Self::Script, Self::Pack, Self::Completeness, Self::Replay];

    /// 1 to 4.
    #[must_use]
    pub fn number(self) -> u8 {
        match self {
            Self::Script => 1,
            Self::Pack => 2,
            Self::Completeness => 3,
            Self::Replay => 4,
        }
    }

    /// What the phase is about, for people.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Script => "script validation",
            Self::Pack => "pack integrity",
            Self::Completeness => "completeness",
            Self::Replay => "replay comparison",
        }
    }
}

/// One step as the verification saw it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepState {
    /// The step's id.
    pub step_id: String,
    /// Its opcode.
    pub opcode: &'static str,
    /// The input that it names, if it loads one.
    pub loads: Option<String>,
    /// Ids of the steps that it depends on, as written.
    pub depends_on: Vec<String>,
    /// Its receipt's status, if phase 3 was passed.
    pub status: Option<StepStatus>,
    /// Whether the replay reproduced its output; none for skipped steps, and if phase 4 was not reached.
    pub matched: Option<bool>,
}

/// The judgement on an episode's proof pack.
#[derive(Clone, Debug)]
pub struct Verification {
    /// The replay verdict.
    pub verdict: Verdict,
    /// The phase that decided: the last one for MATCH and DIVERGE.
    pub phase: Phase,
    /// What the episode claims of itself (ruling EP-17): whether every step passed. None for INTEGRITY_FAIL.
    pub episode_claim: Option<bool>,
    /// Steps whose trace was compared.
    pub steps_replayed: usize,
    /// Those that matched.
    pub steps_matched: usize,
    /// Steps that diverged, in the order of the replay.
    pub divergences: Vec<Divergence>,
    /// Errors that decided, and warnings beside the verdict; sorted by file, pointer, law and code.
    pub findings: Vec<PackFinding>,
    /// The `rce.replay_result/v0` receipt: JCS text without a final line feed.
    pub replay_result: String,
    /// The document beside it (phase, errors, divergent steps, layout): JCS text without a final line feed.
    pub details: String,
    /// Steps in the order of the replay; empty if phase 1 failed.
    pub steps: Vec<StepState>,
    /// SHA-256 of the key that signed the pack, if phase 3 was passed.
    pub signer: Option<String>,
    /// `claim_check` as the pack attests it, if phase 3 was passed.
    pub attested_claim: Option<String>,
}

impl Verification {
    /// The episode's claim in a word: PASS or FAIL.
    #[must_use]
    pub fn claim_word(&self) -> Option<&'static str> {
        self.episode_claim.map(|passed| if passed { "PASS" } else { "FAIL" })
    }

    /// 0, 1 or 2.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        self.verdict.exit_code()
    }
}

/// What decides, and what was counted.
pub(crate) struct Outcome {
    pub(crate) verdict: Verdict,
    pub(crate) phase: Phase,
    pub(crate) replayed: usize,
    pub(crate) divergences: Vec<Divergence>,
}
