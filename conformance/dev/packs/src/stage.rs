//! From an episode to its pack, stage by stage, and where on the way a fault is planted.

use std::collections::BTreeMap;

use crate::{canon::pretty, episode::Episode, pack::Pack, receipts};

/// What is done when the fault comes; every later stage takes the altered pack for good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// The receipts are there, without parents.
    Written,
    /// Parents and declared hashes are filled in.
    Linked,
    /// `receipt_pack.jsonl` is written, and what the attestation says of it.
    Recorded,
    /// The manifest lists the files.
    Listed,
    /// The attestation is part of the manifest.
    Attested,
    /// Everything is done: tampering.
    Signed,
}

impl Episode {
    /// The pack, with its receipts written and nothing sealed.
    #[must_use]
    pub fn pack(&self) -> Pack {
        let mut files = BTreeMap::from([("episode_contract.json".to_owned(), pretty(&self.contract).into_bytes())]);
        for (path, content) in &self.inputs {
            files.insert(format!("inputs/{path}"), content.clone());
        }
        for (id, outcome) in &self.outcomes {
            if let Some(trace) = &outcome.trace {
                files.insert(format!("recorded_traces/{id}.json"), pretty(trace).into_bytes());
            }
        }
        let listed = if self.list_artifacts { files.keys().cloned().collect() } else { Vec::new() };
        Pack::new(receipts::all(self), files, listed)
    }

    /// The finished pack.
    #[must_use]
    pub fn sealed(&self) -> Pack {
        let mut pack = self.pack();
        pack.seal();
        pack
    }

    /// The finished pack, with something done to it on the way.
    #[must_use]
    pub fn planted(&self, stage: Stage, fault: impl FnOnce(&mut Pack)) -> Pack {
        let mut fault = Some(fault);
        let mut pack = self.pack();
        let all = [Stage::Written, Stage::Linked, Stage::Recorded, Stage::Listed, Stage::Attested, Stage::Signed];
        for reached in all {
            if let Some(fault) = fault.take_if(|_| reached == stage) {
                fault(&mut pack);
            }
            match reached {
                Stage::Written => pack.link(),
                Stage::Linked => pack.record(),
                Stage::Recorded => pack.list(),
                Stage::Listed => pack.attest(),
                Stage::Attested => pack.sign(),
                Stage::Signed => {}
            }
        }
        pack
    }
}
