//! What every verb that starts a testee lets it reach.

use std::path::{self, Path, PathBuf};

use assize::testee::Seal;

/// How far the testee is sealed.
#[derive(Debug, clap::Args)]
pub(super) struct Sealing {
    /// Let the sealed testee read this file or folder too; a report names it. Repeatable.
    #[arg(long, value_name = "PATH")]
    readable: Vec<PathBuf>,
    /// Start the testee with all that you can reach yourself; a report says so.
    #[arg(long, conflicts_with = "readable")]
    unsealed: bool,
}

impl Sealing {
    /// The seal, with what a configuration makes readable, and what must stay hidden: it would tell a testee what to say.
    pub(super) fn seal<'p>(&self, readable: &[PathBuf], hidden: impl IntoIterator<Item = &'p PathBuf>) -> Option<Seal> {
        if self.unsealed {
            return None;
        }
        let readable = self.readable.iter().chain(readable).map(|path| absolute(path)).collect();
        Seal::here(readable, hidden.into_iter().map(|path| absolute(path)).collect())
    }
}

/// The same path from any working folder.
fn absolute(path: &Path) -> PathBuf {
    path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
