//! The re-derivation of a run, record by record.

mod recorded;
mod success;

use crate::canon::compose;
use crate::digest::Digest;
use crate::finding::Finding;
use crate::json::{Dialect, Document, JsonPointer};
use crate::law::Law;

use super::chain::{Breach, Chain, Kept, Level};
use super::commit_source::Assumed;
use super::cost_and_collapse::Holders;
use super::dag_invariants::Dag;
use super::engine::Outcome;
use super::ledger::LedgerError;
use super::ledger_integrity::quoted;
use super::policy_bounds::Policy;
use super::proposal_boundary::{self, Interpretation};
use super::refusal::{self, REFUSAL, Reason};
use super::replay::Derivation;
use super::run_records::{REFUSED, SUCCESS, token};
use recorded::{Difference, Recorded};

/// Derives the run that left a valid chain, whose first records these are.
pub(super) fn derive(
    chain: &Chain,
    records: &[Kept],
    assumed: &Assumed,
) -> Result<Result<Derivation, Difference>, LedgerError> {
    let mut documents = Vec::new();
    for record in records {
        // The chain has read the same text.
        documents.push(Document::parse(&record.text, &Dialect::AUTHORITY).map_err(|error| record.locate(error))?);
    }
    let recorded = records.iter().zip(&documents).enumerate();
    let recorded = recorded.map(|(index, (kept, text))| Recorded { index, offset: kept.offset, root: text.root() });
    Ok(run(chain, &recorded.collect::<Vec<_>>(), assumed))
}

fn run(chain: &Chain, records: &[Recorded<'_>], assumed: &Assumed) -> Result<Derivation, Difference> {
    let kinds: &[&str] = match (chain.records, records) {
        (3, _) => &REFUSED,
        (5, _) => &SUCCESS,
        (_, [.., beyond]) if chain.records > SUCCESS.len() as u64 => {
            return Err(beyond.whole().wrong(Law::RunRecords, "a run leaves five records at most: this one was added"));
        }
        _ => return Err(cut(chain)),
    };
    tokens(records, kinds)?;
    match records {
        [seedpack, proposal, artifact] => {
            let run = Opening::of(*seedpack, *proposal)?;
            let reasons = run.reasons();
            refused(&run, &reasons, [*seedpack, *proposal, *artifact])
        }
        [seedpack, proposal, commit, graph, artifact] => {
            let run = Opening::of(*seedpack, *proposal)?;
            if let Some(reason) = run.reasons().first() {
                let message = format!("the run had to be refused: {}", reason.code);
                return Err(commit.whole().wrong(Law::Refusal, message));
            }
            success::derive(&run, [*commit, *graph, *artifact], assumed)
        }
        _ => Err(cut(chain)),
    }
}

/// A ledger that ends before its run does.
fn cut(chain: &Chain) -> Difference {
    let place = JsonPointer::root().index(usize::try_from(chain.records).unwrap_or(usize::MAX));
    let message = "incomplete: a run leaves five records, or three if it is refused; the ledger was cut here";
    Box::new(Breach {
        level: Level::Derivation,
        record: chain.records,
        offset: chain.bytes,
        finding: Finding::error(Law::RunRecords, place, message),
        stored: None,
        expected: None,
    })
}

/// Checks version, token and kind of each record.
fn tokens(records: &[Recorded<'_>], kinds: &[&str]) -> Result<(), Difference> {
    let mut base = None;
    for (step, (record, kind)) in records.iter().zip(kinds).enumerate() {
        record.member("v")?.expect(b"1", Law::RecordShape, "a record's version is the integer 1")?;
        let ts = record.whole().text("ts", Law::RecordShape)?;
        record.whole().text("kind", Law::RecordShape)?;
        let due = compose::string(kind);
        let message = format!("record {step} of a run of {} has the kind {kind}", kinds.len());
        record.member("kind")?.expect(&due, Law::RunRecords, message)?;
        let base = base.get_or_insert_with(|| ts.strip_suffix("#0000").map(str::to_owned));
        let Some(base) = base else {
            let message = "the first token of a run ends in #0000";
            return Err(record.member("ts")?.wrong(Law::RunRecords, message));
        };
        let due = compose::string(&token(base, step));
        record.member("ts")?.expect(&due, Law::RunRecords, "not the token of this step")?;
    }
    Ok(())
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
    fn of(seedpack: Recorded<'_>, proposal: Recorded<'_>) -> Result<Self, Difference> {
        let payload = seedpack.payload(&["seed_text", "seed_hash", "pin", "policy_summary"])?;
        let seed_text = payload.text("seed_text", Law::RunRecords)?;
        let seed_hash = Digest::of(&compose::string(&seed_text));
        let stored = payload.member("seed_hash", Law::RunRecords)?;
        let bare = stored.canonical() == quoted(Digest::of(seed_text.as_bytes()));
        let message = if bare {
            "the hash is that of the bare text; it has to be that of the JSON string, quotes and escapes included"
        } else {
            "not the hash of seed_text"
        };
        stored.expect(&quoted(seed_hash), Law::RunRecords, message)?;
        let summary = payload.member("policy_summary", Law::RunRecords)?;
        let policy = Policy::recorded(summary.node, &summary.place)
            .map_err(|misfit| summary.misfit(Law::PolicyBounds, misfit))?;
        let pin = payload.member("pin", Law::RunRecords)?.canonical();

        let list = proposal.payload(&["interpretations"])?.member("interpretations", Law::RunRecords)?;
        list.array(Law::RunRecords)?;
        let proposed = proposal_boundary::interpretations(list.node, &list.place)
            .map_err(|misfit| list.misfit(Law::ProposalBoundary, misfit))?;
        Ok(Self { seed_text, seed_hash, pin, policy, policy_place: summary.place, proposed })
    }

    fn reasons(&self) -> Vec<Reason> {
        refusal::reasons(&self.proposed, &Holders::of(&self.proposed), &self.policy)
    }
}

fn refused(run: &Opening, reasons: &[Reason], records: [Recorded<'_>; 3]) -> Result<Derivation, Difference> {
    let [seedpack, proposal, artifact] = records;
    if reasons.is_empty() {
        return Err(artifact.whole().wrong(Law::Refusal, "the run was refused, and its policy gives no reason to"));
    }
    let report = artifact.payload(&[REFUSAL])?.member(REFUSAL, Law::RunRecords)?;
    let run_id = report.text("run_id", Law::Refusal)?;
    let evidence = [seedpack.record_hash()?, proposal.record_hash()?];
    report.members(&refusal::report(&run_id, run.seed_hash, reasons, &evidence), Law::Refusal)?;
    Ok(Derivation {
        outcome: Outcome::Refusal,
        dag: Dag::new(&run_id),
        run_id,
        summary_hash: None,
        dag_root_hash: None,
        artifact_hashes: Vec::new(),
        golden: None,
        reason_codes: reasons.iter().map(|reason| reason.code.clone()).collect(),
        advisories: Vec::new(),
    })
}
