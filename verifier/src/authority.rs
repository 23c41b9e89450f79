//! The authority system: evidence ledgers, graphs with deterministic ids, the reference engine and its replay.
//!
//! Spec: Kernel Contract 0.1.0; rulings AU-1 to AU-50.
//!
//! One module a law, named like its slug. [`chain`] judges a ledger as a chain of records, streaming; [`replay()`] derives a
//! run again from its records; [`run`] is the reference engine, byte for byte the 0.1.0 profile; [`dag`] builds a graph
//! under the invariants.
//!
//! ```
//! use assize_verifier::authority::{Assumed, Inputs, Outcome, Reading, chain, replay, run};
//!
//! let inputs = Inputs::parse(
//!     br#"{
//!         "run_id": "r1", "seed_text": "tea", "pin": null, "ts_base": "T0",
//!         "policy": {"max_interpretations": 2, "max_nodes": 9, "max_depth": 3, "contradiction_budget": 0, "max_steps": 9},
//!         "interpretations": [{"name": "Brew", "assumptions": ["one cup"], "intent_summary": "Count"}]
//!     }"#,
//! )?;
//! let run = run(&inputs);
//! assert_eq!(run.outcome(), Outcome::Success);
//!
//! let ledger = run.ledger();
//! assert!(chain(ledger.as_slice(), &Reading::default())?.breach.is_none());
//! let replay = replay(ledger.as_slice(), &Assumed::default(), &Reading::default())?;
//! assert_eq!(replay.outcome.map(|derived| derived.golden), Ok(run.golden().cloned()));
//!
//! // A chain does not see that it was cut; the replay does.
//! let cut: Vec<u8> = run.records().take(4).flat_map(|record| [record, b"\n"].concat()).collect();
//! assert!(chain(cut.as_slice(), &Reading::default())?.breach.is_none());
//! assert!(assize_verifier::authority::replay(cut.as_slice(), &Assumed::default(), &Reading::default())?.outcome.is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod artifact_hashes;
mod canonical_form;
mod chain;
mod commit_source;
mod cost_and_collapse;
mod dag;
mod dag_ids;
mod dag_invariants;
mod derivation;
mod engine;
mod goldens;
mod ledger;
mod ledger_integrity;
pub mod limits;
mod member;
pub(crate) mod operations;
mod parent_linkage;
mod policy_bounds;
mod proposal_boundary;
mod record_shape;
mod refusal;
mod replay;
mod run_records;
mod summary_hash;
mod topology;

pub use crate::rejection::Rejection;
pub use chain::{Breach, Chain, Level, Reading, chain};
pub use commit_source::Assumed;
pub use dag::{DagReport, dag};
pub use dag_ids::{Edge, Node};
pub use dag_invariants::Dag;
pub use engine::{Candidate, Outcome, Run, run};
pub use goldens::Golden;
pub use ledger::{Layout, LedgerError, RecordText, Records};
pub use replay::{Derivation, Replay, replay};
pub use run_records::Inputs;
