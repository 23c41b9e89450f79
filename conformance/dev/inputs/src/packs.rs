//! Makes proof packs, with the builder of `assize-packs`, and changes them afterwards.
//!
//! A pack begins as a lawful episode that is sealed. Then some of its traces may be replaced, or something may be forged in the
//! making by somebody who has the key. At last it is written anew in another spelling, or tampered with by somebody without the
//! key. Who made it knows what there is to find, and says so. Contracts and receipts are made by themselves too.

mod change;
mod episode;
mod lone;
mod recorded;

use std::collections::BTreeMap;

use arbitrary::{Result, Unstructured};
use assize_packs::{Episode, Pack, Status, canon::pretty};

use crate::pairs::draw::{index, odds, pick};

pub use lone::{LoneReceipt, contract, receipt as lone_receipt};
pub use recorded::RecordedEpisode;

/// Files of a pack by relative path.
pub type Files = BTreeMap<String, Vec<u8>>;

/// A pack before and after a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedPack {
    /// What lay in the folder.
    pub before: Files,
    /// What lies there after the change.
    pub after: Files,
    /// What was done in between.
    pub change: Change,
    /// What is known of the pack as it was; nothing, if something was forged in it.
    pub facts: Option<Facts>,
}

/// What was done to a pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// The same values in another spelling. What is bound by its bytes is listed and signed anew.
    Respelt,
    /// Something else, by somebody without the key.
    Tampered,
}

/// What the maker of a pack knows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// Steps in the order of the replay.
    pub order: Vec<String>,
    /// Those that were skipped.
    pub skipped: Vec<String>,
    /// Whether every step passed.
    pub all_passed: bool,
    /// Steps whose trace is not the recorded one, in the order of the replay.
    pub divergent: Vec<String>,
}

impl ChangedPack {
    /// The pack that a string of bytes stands for.
    ///
    /// # Errors
    /// Those of [`Unstructured`].
    pub fn draw(u: &mut Unstructured<'_>) -> Result<Self> {
        let change = if odds(u, 1, 2)? { Change::Tampered } else { Change::Respelt };
        let forged = odds(u, 1, 4)?;
        let drawn = episode::episode(u)?;
        let mut pack = if forged { change::forged(u, &drawn)? } else { episode::sealed(u, &drawn)? };
        let mut facts = Facts::of(&drawn);
        if !forged && !drawn.list_artifacts && change == Change::Respelt && odds(u, 1, 3)? {
            facts.divergent = diverge(u, &drawn, &mut pack, &facts)?;
        }
        for (path, content) in [("_unsigned/PACK_SUMMARY.md", "# Summary\n"), ("NOTES.txt", "beside the pack\n")] {
            if odds(u, 1, 6)? {
                pack.put(path, content);
            }
        }
        if let Some(id) = facts.skipped.first()
            && odds(u, 1, 4)?
        {
            pack.put(&format!("recorded_traces/{id}.json"), "left over, and no JSON");
        }
        let before = pack.files.clone();
        match change {
            Change::Respelt => change::respell(u, &mut pack)?,
            Change::Tampered => change::tamper(u, &mut pack.files)?,
        }
        Ok(Self { before, after: pack.files, change, facts: (!forged).then_some(facts) })
    }
}

impl Facts {
    fn of(episode: &Episode) -> Self {
        let id =
            |index: usize| episode.steps().get(index).and_then(|step| step.get("step_id")?.as_str()).map(str::to_owned);
        let order: Vec<_> = episode.order().into_iter().filter_map(id).collect();
        let skipped = order.iter().filter(|id| episode.outcome(id).status == Status::Skipped).cloned().collect();
        Self { order, skipped, all_passed: episode.all_passed(), divergent: Vec::new() }
    }
}

/// Replaces some traces by others, and names their steps.
fn diverge(u: &mut Unstructured<'_>, episode: &Episode, pack: &mut Pack, facts: &Facts) -> Result<Vec<String>> {
    let mut divergent = Vec::new();
    for id in &facts.order {
        let Some(recorded) = episode.outcome(id).trace.as_ref() else { continue };
        let other = episode::trace(u)?;
        if odds(u, 1, 3)? && assize_packs::canon::jcs(&other) != assize_packs::canon::jcs(recorded) {
            pack.put(&format!("recorded_traces/{id}.json"), pretty(&other));
            divergent.push(id.clone());
        }
    }
    Ok(divergent)
}

/// One of the paths, if there is one.
fn path(u: &mut Unstructured<'_>, files: &Files) -> Result<Option<String>> {
    Ok(index(u, files.len())?.and_then(|at| files.keys().nth(at)).cloned())
}

/// A few: mostly one.
fn few(u: &mut Unstructured<'_>) -> Result<u32> {
    Ok(*pick(u, &[1, 1, 1, 2, 3])?)
}
