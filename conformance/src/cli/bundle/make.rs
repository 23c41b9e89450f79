//! `assize bundle make`: the replay bundle of a run, from its turn files.

use std::path::{Path, PathBuf};

use assize::exit::Exit;
use assize_verifier::{
    operation::NoFiles,
    sovereign::{self, Bundling, Rejection, Run, report::reason},
};

use super::{CliError, input, output};

const EXAMPLES: &str = "\
Examples:
  assize bundle make turns.json --run run-1 --workflow wf --digests digests.json --root run-1/
  assize bundle make turns.json --run run-1 --workflow wf --digests digests.json --output bundle.json

TURNS is an array of {turn_id, paths: [path]}, --digests an object of policy_digest,
runtime_profile_digest and contract_registry_snapshot_digest. Of each turn the first readable
path in code point order is digested, without its events and the messages of its issues; the
turns themselves are not judged. The bundle is written in canonical text, in one line.

Exit codes:
  0  the bundle is written
  1  something has no canonical form
  3  a turn has no readable file, or a file is not JSON or of another shape";

/// Write the replay bundle of a run from its turn files.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The turns and where their files are; - is standard input.
    #[arg(value_name = "TURNS")]
    turns: PathBuf,
    /// The run's id.
    #[arg(long, value_name = "ID")]
    run: String,
    /// The workflow's id.
    #[arg(long, value_name = "ID")]
    workflow: String,
    /// The three digests of the run.
    #[arg(long, value_name = "FILE")]
    digests: PathBuf,
    /// The error-code registry of the run; the sealed one if there is none.
    #[arg(long, value_name = "FILE")]
    registry: Option<PathBuf>,
    /// Where the paths start [default: the working folder].
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    /// Write to this file, whole or not at all, instead of standard output.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> Result<Exit, CliError> {
    let given = [Some(&args.turns), Some(&args.digests), args.registry.as_ref()];
    output::spare(args.output.as_deref(), given.into_iter().flatten().map(PathBuf::as_path))?;
    let (name, turns) = input::document(&args.turns)?;
    let digests = input::read(&args.digests)?;
    let registry = args.registry.as_deref().map(input::read).transpose()?;
    let files = input::turn_files(args.root.as_deref().unwrap_or(Path::new(".")))?;
    let run = Run {
        run_id: &args.run,
        workflow_id: &args.workflow,
        digests: &digests,
        turns: &turns,
        registry: registry.as_deref(),
    };
    let bundle = Bundling::read(&run, &files).map_err(|why| refused(args, &name, &run, &why))?;
    output::deliver_piecewise(args.output.as_deref(), |file| {
        bundle.write(&mut |piece| file.write_all(piece))?;
        Ok(file.write_all(b"\n")?)
    })?;
    Ok(Exit::Conforms)
}

/// Says which of the documents was refused, which the rejection itself does not know: each is tried alone.
fn refused(args: &Args, turns: &str, run: &Run<'_>, why: &Rejection) -> CliError {
    let alone = Run { turns: b"[]", registry: None, ..*run };
    let name = match (&args.registry, run.registry) {
        _ if sovereign::bundle(&alone, &NoFiles).is_err() => args.digests.display().to_string(),
        (Some(file), Some(registry)) if sovereign::registry_digest(registry).is_err() => file.display().to_string(),
        _ => turns.to_owned(),
    };
    match why {
        Rejection::Json(error) => input::not_json(&name, error),
        Rejection::Coded(reason::CANONICALIZATION, message) => CliError::unlawful(
            format!("{name}: {}: {message}", reason::CANONICALIZATION),
            "write fractions as texts, each name once, and both halves of each surrogate pair",
        ),
        Rejection::Coded(code, message) => {
            CliError::unreadable(format!("{name}: {code}: {message}"), "name the folder of the turn files with --root")
        }
        why => {
            CliError::unreadable(format!("{name}: {why}"), "see `assize bundle make --help` for what the files hold")
        }
    }
}
