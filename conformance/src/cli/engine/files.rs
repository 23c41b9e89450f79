//! The folder that keeps a run.

use std::{
    fs,
    path::{Path, PathBuf},
};

use assize_verifier::authority::Run;

use super::{CliError, output};

const LEDGER: &str = "ledger.jsonl";

/// Every file that a run may leave: one that another run has left would pass for one of this run.
const NAMES: [&str; 4] = [LEDGER, "blueprint.json", "verification.json", "refusal.json"];

/// A folder without any of the files.
pub(super) struct Folder<'p>(&'p Path);

impl<'p> Folder<'p> {
    /// Checks a folder, which need not exist; nothing is created yet.
    pub(super) fn free(folder: &'p Path) -> Result<Self, CliError> {
        if fs::symlink_metadata(folder).is_ok() && !folder.is_dir() {
            let message = format!("{}: is there already, and no folder", folder.display());
            return Err(CliError::unreadable(message, "name a folder with --out"));
        }
        match NAMES.iter().map(|name| folder.join(name)).find(|path| fs::symlink_metadata(path).is_ok()) {
            None => Ok(Self(folder)),
            Some(path) => Err(output::taken(&path)),
        }
    }

    /// Refuses an answer that would stand among the files of the run as if it were one.
    pub(super) fn spare(&self, output: &Path) -> Result<(), CliError> {
        let named = output.file_name().is_some_and(|name| NAMES.iter().any(|own| name == *own));
        let place = |path: &Path| fs::canonicalize(path).or_else(|_| std::path::absolute(path)).ok();
        let within = output.parent().and_then(place).is_some_and(|parent| place(self.0) == Some(parent));
        if named && within {
            let message = format!("--output {}: is the name of a file of the run", output.display());
            return Err(CliError::usage(message, "name another file"));
        }
        Ok(())
    }

    /// Writes artefacts and ledger, each whole or not at all. Artefacts are the canonical bytes that their hashes cover, so
    /// no line feed ends them. The ledger comes last: where it exists, everything is there. Files that appeared after the
    /// folder was checked belong to another run: they stay, and those of this run are removed again.
    pub(super) fn write(&self, run: &Run) -> Result<Vec<PathBuf>, CliError> {
        fs::create_dir_all(self.0).map_err(|error| {
            let message = format!("{}: cannot be made: {error}", self.0.display());
            CliError::unreadable(message, "name a folder that can be written to with --out")
        })?;
        let lines: Vec<u8> = run.records().flat_map(|record| record.iter().chain(b"\n")).copied().collect();
        let artifacts = run.artifacts().iter().map(|(name, bytes)| (format!("{name}.json"), bytes.as_slice()));
        let mut written: Vec<PathBuf> = Vec::new();
        for (name, bytes) in artifacts.chain([(LEDGER.to_owned(), lines.as_slice())]) {
            let path = self.0.join(name);
            if let Err(error) = output::atomically_new(&path, bytes) {
                for own in &written {
                    // If this fails, nothing more can be done, and the error is reported anyway.
                    let _ = fs::remove_file(own);
                }
                return Err(error);
            }
            written.push(path);
        }
        Ok(written)
    }
}
