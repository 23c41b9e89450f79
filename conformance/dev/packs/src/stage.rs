//! Where in the making of a pack a fault is planted.

use crate::{Episode, Pack};

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
