//! Verdict precedence: four phases in a fixed order, and INTEGRITY_FAIL before everything.
//!
//! Spec: RCE Profile v0.1, Verification, order of the phases, Verdicts; rulings EP-12, EP-13, EP-17, EP-23, EP-40,
//! EP-41.
//!
//! A phase takes the proof of the one before by value, so that none can be skipped: [`Script`] of phase 1, `Sealed` of
//! phase 2, `Complete` of phase 3.

use super::contract_shape::{Operation, Parsed, Step};
use super::dispute::Divergence;
use super::identity_view::Identity;
use super::inquiry::{CONTRACT, Failed, Inquiry, PackFinding};
use super::pack_integrity::{self, Manifest};
use super::replay_comparison::{self, Replayed};
use super::replay_result::{self, Facts};
use super::script_graph::Script;
use super::status_propagation::StepStatus;
use super::{Options, Rejection, completeness, limits};
use crate::files::PackFiles;
use crate::json::JsonPointer;
use crate::law::Law;

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

    /// The axis of the receipts: PASS or FAIL.
    #[must_use]
    pub fn receipt_integrity(self) -> &'static str {
        match self {
            Self::Match | Self::Diverge => "PASS",
            Self::IntegrityFail => "FAIL",
        }
    }

    /// The axis of the claim: PASS or FAIL; none where nothing was compared.
    #[must_use]
    pub fn claim_check(self) -> Option<&'static str> {
        match self {
            Self::Match => Some("PASS"),
            Self::Diverge => Some("FAIL"),
            Self::IntegrityFail => None,
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
pub(super) struct Outcome {
    pub(super) verdict: Verdict,
    pub(super) phase: Phase,
    pub(super) replayed: usize,
    pub(super) divergences: Vec<Divergence>,
}

/// Replays a proof pack.
///
/// # Errors
/// If an option is outside its domain. A pack that cannot be judged is an INTEGRITY_FAIL, not an error.
pub fn verify(pack: &dyn PackFiles, options: &Options<'_>) -> Result<Verification, Rejection> {
    options.check()?;
    let mut inquiry = Inquiry::new(pack, options);
    let mut seen = Seen { identity: None, steps: Vec::new() };
    let run = phases(&mut inquiry, &mut seen);
    let (phase, replayed) = match run {
        Ok(replayed) => (Phase::Replay, Some(replayed)),
        Err(phase) => (phase, None),
    };
    Ok(conclude(inquiry, seen, phase, replayed))
}

/// What stays known when a later phase fails.
struct Seen {
    /// None if the contract gives none.
    identity: Option<Identity>,
    /// In the order of the replay.
    steps: Vec<StepState>,
}

/// The four phases; the one that failed.
fn phases(inquiry: &mut Inquiry<'_>, seen: &mut Seen) -> Result<Replayed, Phase> {
    let script = validate(inquiry, &mut seen.identity).map_err(|Failed| Phase::Script)?;
    seen.steps = states(&script);
    let manifest = Manifest::read(inquiry).map_err(|Failed| Phase::Pack)?;
    let sealed = pack_integrity::check(inquiry, script, manifest).map_err(|Failed| Phase::Pack)?;
    let complete = completeness::check(inquiry, sealed).map_err(|Failed| Phase::Completeness)?;
    Ok(replay_comparison::replay(inquiry, complete))
}

/// Phase 1: the contract by itself.
fn validate(inquiry: &mut Inquiry<'_>, identity: &mut Option<Identity>) -> Result<Script, Failed> {
    let mut text = Vec::new();
    if let Err(why) = inquiry.pack.read(CONTRACT, limits::CONTRACT_BYTES, &mut text) {
        inquiry.findings.unread(Law::ContractShape, CONTRACT, &why);
        return Err(Failed);
    }
    let parsed = Parsed::read(&text, inquiry.options.numbers);
    *identity = parsed.as_ref().ok().and_then(|parsed| parsed.identity.clone());
    parsed.and_then(|parsed| parsed.script()).map_err(|why| {
        inquiry.findings.rejected(Law::ContractShape, CONTRACT, &JsonPointer::root(), &why);
        Failed
    })
}

fn states(script: &Script) -> Vec<StepState> {
    let step = |&index: &usize| script.contract.steps.get(index);
    let state = |step: &Step| StepState {
        step_id: step.step_id.clone(),
        opcode: step.operation.opcode(),
        loads: match &step.operation {
            Operation::LoadInput { reference } => Some(reference.clone()),
            _ => None,
        },
        depends_on: step.depends_on.clone(),
        status: None,
        matched: None,
    };
    script.order.iter().filter_map(step).map(state).collect()
}

fn conclude(inquiry: Inquiry<'_>, mut seen: Seen, phase: Phase, replayed: Option<Replayed>) -> Verification {
    let verdict = match &replayed {
        None => Verdict::IntegrityFail,
        Some(replayed) if replayed.divergences.is_empty() => Verdict::Match,
        Some(_) => Verdict::Diverge,
    };
    let mut outcome = Outcome { verdict, phase, replayed: 0, divergences: Vec::new() };
    let mut complete = None;
    if let Some(replayed) = replayed {
        outcome.replayed = replayed.matched.iter().flatten().count();
        outcome.divergences = replayed.divergences;
        for (state, &index) in seen.steps.iter_mut().zip(&replayed.complete.script.order) {
            state.status = replayed.complete.steps.get(index).map(|receipt| receipt.status);
            state.matched = replayed.matched.get(index).copied().flatten();
        }
        complete = Some(replayed.complete);
    }
    let options = inquiry.options;
    let facts = Facts {
        identity: &seen.identity.unwrap_or_else(Identity::stand_in),
        pack_root: inquiry.pack_root.as_deref(),
        close: inquiry.close.as_ref(),
        outcome: &outcome,
    };
    let replay_result = replay_result::receipt(&facts, options);
    let findings = inquiry.findings.finish();
    Verification {
        verdict,
        phase,
        episode_claim: complete.as_ref().map(|complete| complete.all_passed),
        steps_replayed: outcome.replayed,
        steps_matched: outcome.replayed - outcome.divergences.len(),
        details: replay_result::details(&outcome, &findings),
        divergences: outcome.divergences,
        findings,
        replay_result,
        steps: seen.steps,
        signer: complete.as_ref().map(|complete| complete.signer.clone()),
        attested_claim: complete.map(|complete| complete.attested_claim),
    }
}
