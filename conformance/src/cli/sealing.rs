//! What every verb that starts a testee takes it to consist of, and lets it reach.

use std::path::{self, Path, PathBuf};

use assize::testee::{Seal, Subject};

/// What the testee consists of.
#[derive(Debug, clap::Args)]
pub(super) struct Named {
    /// What the testee consists of beside its program and the files among its arguments: a file, or a folder with all that lies
    /// in it. Digested before and after the run, and with its runtime all that a sealed testee reads. Without it: the working
    /// folder. Repeatable.
    #[arg(long, value_name = "PATH")]
    subject: Vec<PathBuf>,
}

impl Named {
    /// The subject, by the configuration where no flag names one, without what the harness writes itself or keeps from it.
    pub(super) fn subject(&self, configured: &[PathBuf], apart: Vec<PathBuf>) -> Subject {
        let named = if self.subject.is_empty() { configured } else { &self.subject };
        Subject { named: named.iter().map(|path| absolute(path)).collect(), apart }
    }
}

/// What the testee consists of, and how far it is sealed.
#[derive(Debug, clap::Args)]
pub(super) struct Sealing {
    #[command(flatten)]
    pub(super) named: Named,
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
