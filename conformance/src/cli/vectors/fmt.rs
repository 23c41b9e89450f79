//! `assize vectors fmt`: vector files in the one layout.

use std::{
    fs,
    path::{Path, PathBuf},
};

use assize::exit::Exit;
use assize_corpus::lint::laid_out;

use super::super::{error::CliError, input, output};

pub(super) const EXAMPLES: &str = "\
Examples:
  assize vectors fmt vectors/reply/code-shape      every vector below a folder
  assize vectors fmt new-case.json                 one file
  assize vectors fmt --check vectors               only say which are laid out otherwise

Layout carries no meaning: tokens, escapes and the order inside of documents stay as they are.

Exit codes:
  0  every file is laid out alike
  1  --check found one that is not
  3  a file cannot be read or written, or is not JSON";

/// How deep folders of vectors lie below the one that is named.
const DEPTH: usize = 16;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Files, or folders with all that lies below them; folders of packs are left alone.
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    /// Write nothing; name what is laid out otherwise.
    #[arg(long)]
    check: bool,
}

pub(super) fn run(args: &Args) -> Result<Exit, CliError> {
    let mut files = Vec::new();
    for path in &args.paths {
        collect(path, DEPTH, &mut files)?;
    }
    let mut changed = Vec::new();
    for file in &files {
        let bytes = input::read(file)?;
        let name = file.display();
        let help = "correct the text first: `assize vectors check` says where";
        let text =
            std::str::from_utf8(&bytes).map_err(|error| CliError::unreadable(format!("{name}: {error}"), help))?;
        let due = laid_out(text).map_err(|error| CliError::unreadable(format!("{name}: {error}"), help))?;
        if due == text {
            continue;
        }
        if !args.check {
            output::atomically(file, due.as_bytes())?;
        }
        changed.push(file);
    }
    let mut text: String =
        changed.iter().map(|file| format!("{}\n", output::clean(&file.display().to_string()))).collect();
    let what = if args.check { "laid out otherwise" } else { "laid out anew" };
    text.push_str(&format!("{} of {}: {what}\n", changed.len(), output::counted(files.len(), "file", "files")));
    output::say(&text)?;
    Ok(if args.check && !changed.is_empty() { Exit::Violates } else { Exit::Conforms })
}

/// The vectors at or below a path, in order. Links are not followed.
fn collect(path: &Path, depth: usize, files: &mut Vec<PathBuf>) -> Result<(), CliError> {
    let unread =
        |error| CliError::unreadable(format!("{}: {error}", path.display()), "name files or folders of vectors");
    if !fs::symlink_metadata(path).map_err(unread)?.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    if depth == 0 {
        return Err(CliError::unreadable(format!("{}: nested too deep", path.display()), "name a folder of vectors"));
    }
    let entries: Result<Vec<_>, _> =
        fs::read_dir(path).map_err(unread)?.map(|entry| entry.map(|entry| entry.path())).collect();
    let mut entries = entries.map_err(unread)?;
    entries.sort();
    for entry in entries {
        let ends = |ending: &str| entry.extension().is_some_and(|extension| extension == ending);
        let kind = fs::symlink_metadata(&entry).map_err(unread)?.file_type();
        if kind.is_dir() && !ends("pack") {
            collect(&entry, depth.saturating_sub(1), files)?;
        } else if kind.is_file() && ends("json") {
            files.push(entry);
        }
    }
    Ok(())
}
