//! The verifier's kernel, over files in memory.

use std::hash::{Hash, Hasher};

use assize_verifier::kernel::{
    Index, MemoryHome, Triplet,
    path_safety::{RunId, Stem, Turn, TurnId},
};
use serde_json::{Value, json};

use crate::{
    committed::{Committed, Version},
    model::{Kernel, Stopped},
};

/// The reference kernel and its home.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reference {
    home: MemoryHome,
}

impl Hash for Reference {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.home.below("").for_each(|entry| entry.hash(state));
    }
}

fn turn(version: Version) -> Option<Turn> {
    let run = RunId::parse(&format!("run-{}", version.run))?;
    Some(Turn { run, id: TurnId::parse(&format!("turn-{:04}", version.turn))? })
}

fn stem(stem: u8) -> Option<Stem> {
    Stem::parse(&format!("skills/{stem}"))
}

/// A triplet that says which turn it is of, in its body and in its links, and refers to what all refer to.
fn triplet(name: u8, version: Version) -> Option<Triplet> {
    let whose = format!("{}.{}", version.run, version.turn);
    let body = json!({"dto_type": "skill", "id": format!("skill:{name}"), "version": whose}).to_string();
    let links = json!({"needs": {"type": "skill", "id": "all"}, "version": whose}).to_string();
    Triplet::new(stem(name)?, body.as_bytes(), links.as_bytes(), b"{}").ok()
}

impl Reference {
    /// What an operation makes of the home, which may be stopped.
    fn stoppable<T, E>(
        &mut self,
        until: Option<usize>,
        operation: impl FnOnce(&mut Index<'_>) -> Result<T, E>,
    ) -> Result<Option<T>, Stopped> {
        if let Some(until) = until {
            self.home.stop_after(until);
        }
        let end = operation(&mut Index::new(&mut self.home)).ok();
        // One more operation happens, unless the stop has come.
        let stopped = until.is_some() && is_stopped(&mut self.home);
        self.home.restart();
        if stopped { Err(Stopped) } else { Ok(end) }
    }

    /// The version that an object of committed tells of.
    fn version(&self, digest: &Value) -> Option<Version> {
        let digest = digest.as_str()?;
        let path = format!("index/committed/objects/{}/{digest}", digest.get(..2)?);
        let bytes = self.home.below(&path).find_map(|(_, bytes)| bytes)?;
        let object: Value = serde_json::from_slice(bytes).ok()?;
        let (run, turn) = object.get("version")?.as_str()?.split_once('.')?;
        Some(Version { run: run.parse().ok()?, turn: turn.parse().ok()? })
    }
}

/// Whether a home does nothing more.
fn is_stopped(home: &mut MemoryHome) -> bool {
    use assize_verifier::files::HomeFiles as _;
    home.settle().is_err()
}

fn number(name: &str) -> Option<u8> {
    name.rsplit_once(['/', '-'])?.1.parse().ok()
}

impl Kernel for Reference {
    fn stage(&mut self, version: Version, name: u8) {
        if let (Some(turn), Some(triplet)) = (turn(version), triplet(name, version)) {
            let _ = Index::new(&mut self.home).stage_triplet(&turn, &triplet);
        }
    }

    fn delete(&mut self, version: Version, name: u8) {
        if let (Some(turn), Some(stem)) = (turn(version), stem(name)) {
            let _ = Index::new(&mut self.home).stage_deletions(&turn, &[stem]);
        }
    }

    fn promote(&mut self, version: Version, until: Option<usize>) -> Result<bool, Stopped> {
        let Some(turn) = turn(version) else { return Ok(false) };
        Ok(self.stoppable(until, |index| index.promote(&turn))?.is_some())
    }

    fn recover(&mut self, until: Option<usize>) -> Result<(), Stopped> {
        self.stoppable(until, |index| index.recover())?.ok_or(Stopped)
    }

    fn committed(&self) -> Option<Committed> {
        let view = Index::new(&mut self.home.clone()).view().ok()?;
        let view: Value = serde_json::from_slice(&view).ok()?;
        let mut found = Committed::default();
        for (stem, record) in view.get("triplets")?.as_object()? {
            found.triplets.insert(number(stem)?, self.version(record.get(1)?)?);
        }
        for (_, sources) in view.get("refs")?.as_object()? {
            for source in sources.as_array()? {
                found.sources.push((number(source.get(0)?.as_str()?)?, self.version(source.get(3)?)?));
            }
        }
        for (run, turn) in view.get("ledger")?.as_object()? {
            found.ledger.insert(number(run)?, number(turn.as_str()?)?);
        }
        Some(found)
    }

    fn bytes(&self) -> Vec<(String, Vec<u8>)> {
        let below = self.home.below("index/committed");
        below.map(|(path, bytes)| (path.to_owned(), bytes.unwrap_or_default().to_vec())).collect()
    }
}
