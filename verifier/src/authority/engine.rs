//! The reference engine: from inputs to a ledger, a graph and artefacts, or to a refusal.
//!
//! Spec: Kernel Contract 0.1.0, 2.6 and 3; rulings AU-17 and AU-24. Byte for byte the 0.1.0 profile, for inputs whose
//! policy is lawful. The proposer is asked once (AU-49): its answer stands in the inputs.

use crate::canon::compose;
use crate::digest::Digest;
use crate::finding::Finding;
use crate::json::JsonPointer;

use super::inputs::Inputs;
use super::laws::artifact_hashes::{self, BLUEPRINT, VERIFICATION};
use super::laws::commit_source::commit_hash;
use super::laws::cost_and_collapse::{Candidate, Holders, Ranked, candidates, ranking};
use super::laws::dag_invariants::Dag;
use super::laws::goldens::{Golden, Hashes, graph};
use super::laws::ledger_integrity::{Sealed, seal};
use super::laws::proposal_boundary::{self, Interpretation, canonical_list};
use super::laws::refusal::{self, REFUSAL, Reason};
use super::laws::run_records::{self, token};
use super::laws::summary_hash;
use super::model::outcome::Outcome;

/// A run and everything that it leaves.
#[derive(Clone, Debug)]
pub struct Run {
    records: Vec<Sealed>,
    last_hash: Digest,
    dag: Dag,
    artifacts: Vec<(&'static str, Vec<u8>)>,
    candidates: Vec<Candidate>,
    golden: Option<Golden>,
    reasons: Vec<Reason>,
    advisories: Vec<Finding>,
}

impl Run {
    /// How the run ended.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        if self.golden.is_some() { Outcome::Success } else { Outcome::Refusal }
    }

    /// The values that a golden fixture locks; none for a refusal.
    #[must_use]
    pub fn golden(&self) -> Option<&Golden> {
        self.golden.as_ref()
    }

    /// Codes of a refusal, in order.
    pub fn reason_codes(&self) -> impl Iterator<Item = &str> {
        self.reasons.iter().map(|reason| reason.code.as_str())
    }

    /// What the caller of a refused run may do.
    pub fn policy_suggestions(&self) -> impl Iterator<Item = &'static str> {
        self.reasons.iter().map(|reason| reason.suggestion)
    }

    /// The interpretations from the cheapest on; none for a refusal.
    #[must_use]
    pub fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// `record_hash` of the final record.
    #[must_use]
    pub fn last_hash(&self) -> Digest {
        self.last_hash
    }

    /// Canonical bytes of each record, in order.
    pub fn records(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.records.iter().map(|record| record.bytes.as_slice())
    }

    /// Canonical bytes of the array of records.
    #[must_use]
    pub fn ledger(&self) -> Vec<u8> {
        compose::array(self.records())
    }

    /// The graph; empty for a refusal.
    #[must_use]
    pub fn dag(&self) -> &Dag {
        &self.dag
    }

    /// Names and canonical bytes of the artefacts.
    #[must_use]
    pub fn artifacts(&self) -> &[(&'static str, Vec<u8>)] {
        &self.artifacts
    }

    /// Canonical bytes of an object of the artefacts, by name.
    #[must_use]
    pub fn artifacts_document(&self) -> Vec<u8> {
        compose::object(&self.artifacts)
    }

    /// Warnings about inputs that the kernel accepts (AU-22, AU-23 and AU-33); pointers lie in the inputs.
    #[must_use]
    pub fn advisories(&self) -> &[Finding] {
        &self.advisories
    }
}

/// Runs the engine.
#[must_use]
pub fn run(inputs: &Inputs) -> Run {
    let holders = Holders::of(&inputs.interpretations);
    let mut ledger = Ledger { base: &inputs.ts_base, records: Vec::new() };
    let seedpack =
        ledger.append(Outcome::Success, &run_records::seedpack(&inputs.seed_text, &inputs.pin, &inputs.policy));
    let proposal = ledger.append(Outcome::Success, &run_records::proposal(&inputs.interpretations));
    let reasons = refusal::reasons(&inputs.interpretations, &holders, &inputs.policy);
    let ranking = ranking(&inputs.interpretations, &holders);
    match ranking.first() {
        Some(winner) if reasons.is_empty() => succeed(inputs, ledger, winner.interpretation, &ranking),
        _ => refuse(inputs, ledger, reasons, &[seedpack, proposal]),
    }
}

/// Records as they are appended.
struct Ledger<'i> {
    base: &'i str,
    records: Vec<Sealed>,
}

impl Ledger<'_> {
    /// Appends the next record of a run that ends so, as far as is known.
    fn append(&mut self, outcome: Outcome, payload: &[u8]) -> Digest {
        let step = self.records.len();
        let parent = self.records.last().map(|record| record.record_hash);
        let record = seal(&token(self.base, step), run_records::kind(outcome, step), parent, payload);
        let hash = record.record_hash;
        self.records.push(record);
        hash
    }
}

fn refuse(inputs: &Inputs, mut ledger: Ledger<'_>, reasons: Vec<Reason>, evidence: &[Digest]) -> Run {
    let seed_hash = run_records::seed_hash(&inputs.seed_text);
    let report = refusal::report(&inputs.run_id, seed_hash, &reasons, evidence);
    let artifacts = vec![(REFUSAL, compose::object(&report))];
    let last_hash = ledger.append(Outcome::Refusal, &compose::object(&artifacts));
    Run {
        records: ledger.records,
        last_hash,
        dag: Dag::new(&inputs.run_id),
        artifacts,
        candidates: Vec::new(),
        golden: None,
        reasons,
        advisories: Vec::new(),
    }
}

fn succeed(inputs: &Inputs, mut ledger: Ledger<'_>, winner: &Interpretation, ranking: &[Ranked<'_>]) -> Run {
    let committed = winner.canonical();
    let accepted_from = inputs.proposal.proposal_hash(&canonical_list(&inputs.interpretations));
    ledger.append(Outcome::Success, &run_records::commit(&committed, commit_hash(&committed, accepted_from)));
    let seed_hash = run_records::seed_hash(&inputs.seed_text);
    let (dag, intent_root) = graph(&inputs.run_id, &inputs.seed_text, seed_hash, winner);
    let sealed = ledger.append(Outcome::Success, &run_records::graph(&dag));

    let blueprint = compose::object(&artifact_hashes::blueprint(&inputs.run_id, seed_hash, intent_root, &inputs.pin));
    let (blueprint_hash, root) = (Digest::of(&blueprint), dag.root_hash());
    let hashes = artifact_hashes::artifact_hashes(blueprint_hash);
    let summary = summary_hash::summary_hash(sealed, root, &hashes);
    let seals = summary_hash::seals(sealed, root, summary);
    let verification = compose::object(&artifact_hashes::verification(hashes, seals));
    let artifacts = vec![(BLUEPRINT, blueprint), (VERIFICATION, verification)];
    let last_hash = ledger.append(Outcome::Success, &compose::object(&artifacts));

    let hashes = Hashes { summary, root, blueprint: blueprint_hash, sealed, final_record: last_hash };
    let golden = Some(Golden::of(&dag, &winner.name, &hashes));
    let policy = &inputs.policy;
    let mut advisories = policy.advisories(
        dag.nodes().len(),
        run_records::count(Outcome::Success),
        &JsonPointer::root().member("policy"),
    );
    let source = JsonPointer::root().member("proposal_source");
    advisories.extend(proposal_boundary::advisory(&inputs.proposal.source, source));
    let candidates = candidates(policy, ranking);
    let records = ledger.records;
    Run { records, last_hash, dag, artifacts, candidates, golden, reasons: Vec::new(), advisories }
}
