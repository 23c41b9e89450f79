//! The authority system: evidence ledgers, graphs with deterministic ids, the reference engine and its replay.
//!
//! Spec: Kernel Contract 0.1.0; rulings AU-1 to AU-50.
//!
//! `laws` has one module a law, named like its slug, and `model` the types and readers that know no law. [`chain()`] judges
//! a ledger as a chain of records, streaming, and [`end()`] finds where the next one goes; [`replay()`] derives a run again from its records; [`run`] is the reference
//! engine, byte for byte the 0.1.0 profile; [`dag()`] builds a graph under the invariants.
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

mod append;
mod breach;
mod chain;
mod dag;
mod engine;
mod inputs;
pub(crate) mod laws;
mod model;
pub(crate) mod operations;
mod replay;
mod version;

pub use crate::rejection::Rejection;
pub use append::{LedgerEnd, NoEnd, end};
pub use breach::{Breach, Level};
pub use chain::{Chain, Reading, chain};
pub use dag::{DagReport, dag};
pub use engine::{Run, run};
pub use inputs::Inputs;
pub use laws::commit_source::Assumed;
pub use laws::cost_and_collapse::Candidate;
pub use laws::dag_ids::{Edge, Node};
pub use laws::dag_invariants::Dag;
pub use laws::goldens::Golden;
pub use laws::replay::Derivation;
pub use model::ledger::{Layout, LedgerError, RecordText, Records};
pub use model::limits;
pub use model::outcome::Outcome;
pub use replay::{Replay, replay};
pub use version::version;
