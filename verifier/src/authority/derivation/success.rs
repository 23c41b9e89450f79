//! Records 2 to 4 of a successful run.

use crate::digest::Digest;
use crate::json::JsonPointer;
use crate::law::Law;

use super::super::artifact_hashes::{self, BLUEPRINT, VERIFICATION};
use super::super::commit_source::{Assumed, commit_hash};
use super::super::cost_and_collapse::{Holders, Ranked, ranking};
use super::super::dag_ids::{Edge, Node};
use super::super::dag_invariants::Dag;
use super::super::engine::{Outcome, graph};
use super::super::goldens::{Golden, Hashes};
use super::super::ledger_integrity::quoted;
use super::super::proposal_boundary::{self, canonical_list};
use super::super::replay::Derivation;
use super::super::summary_hash::{root_misread, summary_hash};
use super::Opening;
use super::recorded::{Difference, Placed, Recorded};

/// Derives what follows from records 0 and 1, and holds records 2 to 4 against it.
pub(super) fn derive(run: &Opening, records: [Recorded<'_>; 3], assumed: &Assumed) -> Result<Derivation, Difference> {
    let [commit, graph_record, artifact] = records;
    let holders = Holders::of(&run.proposed);
    let ranking = ranking(&run.proposed, &holders);
    let committed = commit.payload(&["interpretation", "commit_hash"])?;
    // Nothing proposed is a reason to refuse, so there is a first.
    let Some(winner) = ranking.first().map(|ranked| ranked.interpretation) else {
        return Err(committed.wrong(Law::CostAndCollapse, "nothing was proposed"));
    };
    let value = winner.canonical();
    let interpretation = committed.member("interpretation", Law::RunRecords)?;
    if interpretation.canonical() != value {
        let message = another_winner(&ranking, &interpretation.canonical());
        return Err(interpretation.differs(&value, Law::CostAndCollapse, message));
    }

    // The graph's ids need the run's, which the last record alone holds.
    let artifacts = artifact.payload(&[BLUEPRINT, VERIFICATION])?;
    let blueprint = artifacts.member(BLUEPRINT, Law::RunRecords)?;
    let run_id = blueprint.text("run_id", Law::RunRecords)?;
    let (dag, intent_root) = graph(&run_id, &run.seed_text, run.seed_hash, winner);
    recorded_graph(graph_record, &dag)?;

    let expected = artifact_hashes::blueprint(&run_id, run.seed_hash, intent_root, &run.pin);
    blueprint.members(&expected, Law::ArtifactHashes)?;
    let blueprint_hash = Digest::of(&blueprint.canonical());
    let (sealed, root) = (graph_record.record_hash()?, dag.root_hash());
    let hashes = artifact_hashes::artifact_hashes(blueprint_hash);
    let summary = summary_hash(sealed, root, &hashes);
    let pack = artifacts.member(VERIFICATION, Law::RunRecords)?;
    let final_record = artifact.record_hash()?;
    let verification = artifact_hashes::verification(sealed, root, &hashes, summary);
    pack.clone().closed(&verification.each_ref().map(|(name, _)| *name), Law::ArtifactHashes)?;
    for (name, expected) in &verification {
        let (law, message) = match *name {
            "ledger_last_hash" => (Law::SummaryHash, "not the record_hash of the record before this one"),
            "dag_root_hash" => {
                let stored = pack.member(name, Law::SummaryHash)?.canonical();
                (Law::SummaryHash, root_misread(&dag, &stored).unwrap_or("not the hash over the ids of the graph"))
            }
            "expected_summary_hash" => {
                (Law::SummaryHash, "not the hash of ledger_last_hash, dag_root_hash and artifact_hashes in this pack")
            }
            _ => (Law::ArtifactHashes, "not what this run leaves here"),
        };
        pack.member(name, law)?.expect(expected, law, message)?;
    }

    // Last, since it rests on what is assumed: everything else agrees.
    let accepted_from = assumed.proposal_hash(&canonical_list(&run.proposed));
    let message = format!(
        "not the commit of a proposal of source {:?} and confidence {}: another source or a different second answer, or \
         tampering",
        assumed.source,
        String::from_utf8_lossy(&assumed.confidence)
    );
    let stored = committed.member("commit_hash", Law::RunRecords)?;
    stored.expect(&quoted(commit_hash(&value, accepted_from)), Law::CommitSource, message)?;

    let golden = Hashes { summary, root, blueprint: blueprint_hash, sealed, final_record };
    let mut advisories = run.policy.advisories(&dag, &run.policy_place);
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

/// Why an interpretation is not the one to commit.
fn another_winner(ranking: &[Ranked<'_>], committed: &[u8]) -> String {
    let found = ranking.iter().find(|ranked| ranked.interpretation.canonical() == committed);
    match (ranking.first(), found) {
        (Some(winner), Some(found)) => format!(
            "{:?} costs {}; {:?} costs {} and comes first",
            found.interpretation.name, found.cost, winner.interpretation.name, winner.cost
        ),
        _ => "not one of the interpretations that were proposed".to_owned(),
    }
}

/// Holds record 3 against the graph, entry by entry, order included.
fn recorded_graph(record: Recorded<'_>, dag: &Dag) -> Result<(), Difference> {
    let payload = record.payload(&["nodes", "edges"])?;
    let nodes = payload.member("nodes", Law::DagIds)?;
    entries(&nodes, dag.nodes().iter().map(Node::entry))?;
    let edges = payload.member("edges", Law::DagIds)?;
    entries(&edges, dag.edges().iter().map(Edge::entry))
}

fn entries(list: &Placed<'_>, expected: impl ExactSizeIterator<Item = Vec<u8>>) -> Result<(), Difference> {
    let stored = list.array(Law::DagIds)?;
    let count = expected.len();
    for (entry, expected) in stored.iter().zip(expected) {
        entry.expect(&expected, Law::DagIds, "not the id, kind and ends that the records before give")?;
    }
    if stored.len() == count {
        return Ok(());
    }
    Err(list.wrong(Law::DagIds, format!("{} entries, where the records before give {count}", stored.len())))
}
