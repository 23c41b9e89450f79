//! What is said of an episode's proof pack.

use super::findings::PackFinding;
use super::payload::StepStatus;
use super::proof::Divergence;
use crate::tables::small;

episode_verdicts_name! {
    /// The replay verdict: `contracts/episode/tables/verdicts.json`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Verdict
}

impl Verdict {
    /// MATCH, DIVERGE or INTEGRITY_FAIL.
    #[must_use]
    #[expect(clippy::misnamed_getters, reason = "the column `name` is for programs")]
    pub fn name(self) -> &'static str {
        self.row().verdict
    }

    /// The exit code, as the table has it.
    pub(crate) fn exit(self) -> u8 {
        small(self.row().exit_code)
    }

    /// The axes of the receipts and of the claim, as the table has them.
    pub(crate) fn axes(self) -> (&'static str, Option<&'static str>) {
        (self.row().receipt_integrity, self.row().claim_check)
    }
}

episode_phases_phase! {
    /// A phase of verification: `contracts/episode/tables/phases.json`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Phase
}

impl Phase {
    /// Its number, from 1.
    #[must_use]
    pub fn number(self) -> u8 {
        small(self.row().number)
    }

    /// What the phase is about, for people.
    #[must_use]
    pub fn title(self) -> &'static str {
        self.row().title
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
