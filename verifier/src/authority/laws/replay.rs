//! authority/replay: a whole run follows from its records, and has to leave the same ones.
//!
//! Spec: Kernel Contract 0.1.0, 2.7 and 4.5; rulings AU-1, AU-2, AU-7, AU-13 and AU-15. The first difference is the
//! verdict, under the law of what differs; but `commit_hash`, which rests on an assumption, counts only if all else agrees.

use crate::authority::breach::Breach;
use crate::authority::model::ledger::{Extent, Kept, LedgerError};
use crate::authority::model::outcome::Outcome;
use crate::authority::model::recorded::Recorded;
use crate::digest::Digest;
use crate::finding::Finding;
use crate::json::{Dialect, Document, JsonPointer};
use crate::law::Law;

use super::artifact_hashes::{self, BLUEPRINT, VERIFICATION};
use super::commit_source::{self, Assumed};
use super::cost_and_collapse::{self, Holders, ranking};
use super::dag_ids;
use super::dag_invariants::Dag;
use super::goldens::{Golden, Hashes, graph};
use super::ledger_integrity::stored_hash;
use super::policy_bounds::Policy;
use super::proposal_boundary::{self, Interpretation, canonical_list};
use super::record_shape;
use super::refusal::{self, REFUSAL};
use super::run_records::{self, Course, Tokens};
use super::summary_hash;

pub(crate) const LAW: Law = Law::named("authority/replay");

/// A run, derived again from its ledger.
#[derive(Clone, Debug)]
pub struct Derivation {
    /// How the run ended.
    pub outcome: Outcome,
    /// The run that the final record names.
    pub run_id: String,
    /// The summary hash; none for a refusal.
    pub summary_hash: Option<Digest>,
    /// The hash over all ids of the graph; none for a refusal.
    pub dag_root_hash: Option<Digest>,
    /// Hashes of the artefacts that have one.
    pub artifact_hashes: Vec<(&'static str, Digest)>,
    /// What a golden fixture locks; none for a refusal.
    pub golden: Option<Golden>,
    /// Codes of a refusal, in order.
    pub reason_codes: Vec<String>,
    /// The graph, payloads included; empty for a refusal.
    pub dag: Dag,
    /// Warnings about what the kernel accepts (AU-22, AU-23 and AU-33).
    pub advisories: Vec<Finding>,
}

/// Derives the run that left a valid chain, whose first records these are.
pub(crate) fn derive(
    extent: Extent,
    records: &[Kept],
    assumed: &Assumed,
) -> Result<Result<Derivation, Box<Breach>>, LedgerError> {
    let mut documents = Vec::new();
    for record in records {
        // The chain has read the same text.
        documents.push(Document::parse(&record.text, &Dialect::AUTHORITY).map_err(|error| record.locate(error))?);
    }
    let recorded = records.iter().zip(&documents).enumerate();
    let recorded = recorded.map(|(index, (kept, text))| Recorded { index, offset: kept.offset, root: text.root() });
    Ok(run(&recorded.collect::<Vec<_>>(), extent, assumed))
}

fn run(records: &[Recorded<'_>], extent: Extent, assumed: &Assumed) -> Result<Derivation, Box<Breach>> {
    let course = Course::of(records, extent)?;
    let mut tokens = Tokens::default();
    for (record, kind) in course.steps() {
        let ts = record_shape::typed(record)?;
        course.check_kind(record, kind)?;
        tokens.check(record, &ts)?;
    }
    match course {
        Course::Success(records) => success(records, assumed),
        Course::Refusal(records) => refused(records),
    }
}

/// What records 0 and 1 say.
struct Opening {
    seed_text: String,
    seed_hash: Digest,
    pin: Vec<u8>,
    policy: Policy,
    policy_place: JsonPointer,
    proposed: Vec<Interpretation>,
}

impl Opening {
    fn of(seedpack: Recorded<'_>, proposal: Recorded<'_>) -> Result<Self, Box<Breach>> {
        let payload = run_records::payload(seedpack, Outcome::Success)?;
        let seed_text = run_records::text(&payload, "seed_text")?;
        run_records::check_seed(&payload, &seed_text)?;
        let summary = run_records::member(&payload, "policy_summary")?;
        let policy = Policy::recorded(&summary)?;
        let pin = run_records::member(&payload, "pin")?.canonical();

        let payload = run_records::payload(proposal, Outcome::Success)?;
        let proposed = proposal_boundary::recorded(&run_records::array(&payload, "interpretations")?)?;
        let seed_hash = run_records::seed_hash(&seed_text);
        Ok(Self { seed_text, seed_hash, pin, policy, policy_place: summary.place, proposed })
    }
}

/// Holds the last record of a refused run against what follows from the others.
fn refused([seedpack, proposal, artifact]: [Recorded<'_>; 3]) -> Result<Derivation, Box<Breach>> {
    let run = Opening::of(seedpack, proposal)?;
    let reasons = refusal::reasons(&run.proposed, &Holders::of(&run.proposed), &run.policy);
    refusal::check_refusal(&reasons, artifact)?;
    let report = run_records::member(&run_records::payload(artifact, Outcome::Refusal)?, REFUSAL)?;
    let run_id = refusal::run_id(&report)?;
    let evidence = [stored_hash(seedpack)?, stored_hash(proposal)?];
    refusal::check_report(&report, &refusal::report(&run_id, run.seed_hash, &reasons, &evidence))?;
    Ok(Derivation {
        outcome: Outcome::Refusal,
        dag: Dag::new(&run_id),
        run_id,
        summary_hash: None,
        dag_root_hash: None,
        artifact_hashes: Vec::new(),
        golden: None,
        reason_codes: reasons.into_iter().map(|reason| reason.code).collect(),
        advisories: Vec::new(),
    })
}

/// Holds records 2 to 4 of a successful run against what follows from the others.
fn success(records: [Recorded<'_>; 5], assumed: &Assumed) -> Result<Derivation, Box<Breach>> {
    let [seedpack, proposal, commit, graph_record, artifact] = records;
    let run = Opening::of(seedpack, proposal)?;
    let holders = Holders::of(&run.proposed);
    refusal::check_success(&refusal::reasons(&run.proposed, &holders, &run.policy), commit)?;

    let ranking = ranking(&run.proposed, &holders);
    let committed = run_records::payload(commit, Outcome::Success)?;
    let winner = cost_and_collapse::winner(&ranking, &committed)?;
    let value = winner.canonical();
    cost_and_collapse::check(&ranking, &run_records::member(&committed, "interpretation")?, &value)?;

    // The graph's ids need the run's, which the last record alone holds.
    let artifacts = run_records::payload(artifact, Outcome::Success)?;
    let blueprint = run_records::member(&artifacts, BLUEPRINT)?;
    let run_id = run_records::text(&blueprint, "run_id")?;
    let (dag, intent_root) = graph(&run_id, &run.seed_text, run.seed_hash, winner);
    dag_ids::check(&run_records::payload(graph_record, Outcome::Success)?, dag.nodes(), dag.edges())?;

    let expected = artifact_hashes::blueprint(&run_id, run.seed_hash, intent_root, &run.pin);
    artifact_hashes::check_blueprint(&blueprint, &expected)?;
    let blueprint_hash = Digest::of(&blueprint.canonical());
    let (sealed, root) = (stored_hash(graph_record)?, dag.root_hash());
    let hashes = artifact_hashes::artifact_hashes(blueprint_hash);
    let summary = summary_hash::summary_hash(sealed, root, &hashes);
    let pack = run_records::member(&artifacts, VERIFICATION)?;
    let seals = summary_hash::seals(sealed, root, summary);
    artifact_hashes::check_verification(&pack, &artifact_hashes::verification(hashes, seals.clone()))?;
    summary_hash::check(&pack, &seals, &dag)?;

    // Last, since it rests on what is assumed: everything else agrees.
    let stored = run_records::member(&committed, "commit_hash")?;
    commit_source::check(&stored, &value, &canonical_list(&run.proposed), assumed)?;

    let final_record = stored_hash(artifact)?;
    let golden = Hashes { summary, root, blueprint: blueprint_hash, sealed, final_record };
    let mut advisories =
        run.policy.advisories(dag.nodes().len(), run_records::count(Outcome::Success), &run.policy_place);
    advisories.extend(proposal_boundary::advisory(&assumed.source, JsonPointer::root()));
    Ok(Derivation {
        outcome: Outcome::Success,
        run_id,
        summary_hash: Some(summary),
        dag_root_hash: Some(root),
        artifact_hashes: vec![(BLUEPRINT, blueprint_hash)],
        golden: Some(Golden::of(&dag, &winner.name, &golden)),
        reason_codes: Vec::new(),
        dag,
        advisories,
    })
}
