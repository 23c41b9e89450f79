//! Where result files go, and where they may not.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use assize_verifier::episode::Verification;
use serde::{Deserialize, de::IgnoredAny};

use super::{CliError, output};
use crate::cli::input;

const RESULT: &str = "rce_replay_result.json";
const DETAILS: &str = "rce_replay_details.json";

/// The folder of one pack's result files.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Place(PathBuf);

impl Place {
    /// Writes both files, each whole or not at all.
    pub(super) fn write(&self, found: &Verification) -> Result<(), CliError> {
        fs::create_dir_all(&self.0).map_err(|error| {
            let message = format!("{}: cannot be made: {error}", self.0.display());
            CliError::unreadable(message, "name a folder that can be written to with --out")
        })?;
        for (name, text) in [(RESULT, &found.replay_result), (DETAILS, &found.details)] {
            output::atomically(&self.0.join(name), format!("{text}\n").as_bytes())?;
        }
        Ok(())
    }
}

/// Where the files of each pack go. Nothing is created yet, and whatever exists there is an earlier result.
pub(super) fn places(folder: &Path, packs: &[PathBuf]) -> Result<Vec<Place>, CliError> {
    outside(folder, packs, "--out")?;
    if let [_] = packs {
        return Ok(vec![place(folder.to_path_buf(), packs)?]);
    }
    let numbered = packs.iter().enumerate();
    numbered.map(|(index, pack)| place(folder.join(format!("{}-{}", index + 1, plain(pack))), packs)).collect()
}

fn place(folder: PathBuf, packs: &[PathBuf]) -> Result<Place, CliError> {
    outside(&folder, packs, "--out")?;
    if fs::symlink_metadata(&folder).is_ok() && !folder.is_dir() {
        let message = format!("{}: is there already, and no folder", folder.display());
        return Err(CliError::unreadable(message, "name a folder with --out"));
    }
    replaceable(&folder.join(RESULT), is_result)?;
    replaceable(&folder.join(DETAILS), is_details)?;
    Ok(Place(folder))
}

/// Refuses a path that leads into a pack, with all links resolved: a verdict never alters what it is about.
pub(in crate::cli) fn outside(path: &Path, packs: &[PathBuf], option: &str) -> Result<(), CliError> {
    let unresolved = |error: io::Error| {
        let message = format!("{option} {}: cannot be resolved: {error}", path.display());
        CliError::usage(
            message,
            "name a path without links that lead nowhere, and without .. after what does not exist",
        )
    };
    let mut targets = vec![resolved(path).map_err(unresolved)?];
    // A link itself is replaced, not what it leads to.
    if let (Some(name), Some(folder)) = (path.file_name(), path.parent()) {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        targets.push(resolved(folder).map_err(unresolved)?.join(name));
    }
    for pack in packs {
        // What cannot be resolved cannot be read either, and is reported when it is read.
        if resolved(pack).is_ok_and(|pack| targets.iter().any(|target| target.starts_with(&pack))) {
            let message = format!("{option} {}: lies in the pack {}", path.display(), pack.display());
            return Err(CliError::usage(message, "nothing is ever written into a pack: name a place outside of it"));
        }
    }
    Ok(())
}

/// The path without links; what does not exist yet stays as it is spelled.
fn resolved(path: &Path) -> io::Result<PathBuf> {
    let mut at = std::path::absolute(path)?;
    let mut missing = Vec::new();
    loop {
        match fs::canonicalize(&at) {
            Ok(mut found) => {
                found.extend(missing.iter().rev());
                return Ok(found);
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let Some(name) = at.file_name().map(ToOwned::to_owned) else {
                    return Err(error);
                };
                missing.push(name);
                at.pop();
            }
            Err(error) => return Err(error),
        }
    }
}

/// A name for the folder of a pack, in letters that every system accepts.
fn plain(pack: &Path) -> String {
    const LONGEST: usize = 100;
    let whole = resolved(pack).unwrap_or_else(|_| pack.to_path_buf());
    let name = whole.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let safe = |letter: char| if letter.is_ascii_alphanumeric() || "._-".contains(letter) { letter } else { '_' };
    name.chars().take(LONGEST).map(safe).collect()
}

/// Refuses to replace a file of any other kind.
fn replaceable(path: &Path, is_ours: fn(&[u8]) -> bool) -> Result<(), CliError> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Ok(found) if found.is_file() && is_ours(&input::read(path)?) => return Ok(()),
        _ => {}
    }
    let message = format!("{}: is there already, and no earlier result", path.display());
    Err(CliError::unreadable(message, "move it away, or name another folder with --out"))
}

fn is_result(text: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Result {
        #[serde(rename = "type")]
        kind: String,
    }
    serde_json::from_slice::<Result>(text).is_ok_and(|result| result.kind == "rce.replay_result/v0")
}

fn is_details(text: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Details {
        #[serde(rename = "phase")]
        _phase: IgnoredAny,
        #[serde(rename = "divergent_steps")]
        _divergent_steps: IgnoredAny,
    }
    serde_json::from_slice::<Details>(text).is_ok()
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
