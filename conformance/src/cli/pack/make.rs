//! `assize pack make`: a proof pack, made of what an episode recorded.

use std::path::{Path, PathBuf};

use assize::exit::Exit;
use assize_corpus::disk::{Durability, HomeFolder, PackFolder};
use assize_verifier::{
    episode::{MadePack, Maker, Recording, Rejection},
    files::{HomeError, HomeFiles},
};

use super::{CliError, hash, input, output};
use crate::cli::Format;

const EXAMPLES: &str = "\
Examples:
  assize pack make contract.json --inputs in --outputs out \\
    --now 2026-03-02T09:00:00Z --key test.key --out run-1/pack
  assize pack verify run-1/pack

INPUTS holds each input by its ref. OUTPUTS holds STEP_ID.json for each APPLY_TRANSFORM
and EMIT_OUTPUT step, and for each LOAD_INPUT step whose input is not JSON. Assertions are
computed, emissions are held against their output_schema, and what depends on a step that
failed is skipped. The key file holds the base64 of 32 bytes. Whoever reads the pack can
tell who signed it, and nothing else about who that is: use a key for tests.

Nothing is overwritten, and a pack is there whole or not at all.

Exit codes:
  0  the pack is written, whether every step passed or not
  1  the contract is refused, or something that the pack has to hold is missing or unfit
  3  a file or folder cannot be read, no JSON, PACK is there already or cannot be written";

/// Make a proof pack of what an episode recorded.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The contract; - is standard input.
    #[arg(value_name = "CONTRACT")]
    contract: PathBuf,
    /// The folder of the inputs.
    #[arg(long, value_name = "DIR")]
    inputs: PathBuf,
    /// The folder of the recorded outputs.
    #[arg(long, value_name = "DIR")]
    outputs: PathBuf,
    /// The time that everything in the pack gets, RFC 3339.
    #[arg(long, value_name = "TIME")]
    now: String,
    /// The file of the private key: base64 of 32 bytes.
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    /// The folder to write, which is not there yet.
    #[arg(long, value_name = "PACK")]
    out: PathBuf,
    /// How the hashes of the contract are written.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// What a file may hold that holds a key.
const KEY_BYTES: usize = 1 << 10;

pub(super) fn run(args: &Args) -> Result<Exit, CliError> {
    let Some(target) = args.out.file_name().and_then(|name| name.to_str()) else {
        return Err(CliError::usage("--out names no folder", "name the folder of the pack, for instance run-1/pack"));
    };
    // Before the work is done, and again when it is written.
    if args.out.symlink_metadata().is_ok() {
        return Err(output::taken(&args.out));
    }
    let key = input::at_most(&args.key, KEY_BYTES)?;
    let key = std::str::from_utf8(&key).unwrap_or_default().trim_end();
    let maker = Maker::new(&args.now, key).map_err(|why| {
        CliError::usage(
            why,
            "--now is a time such as 2026-03-02T09:00:00Z, and --key a file with the base64 of 32 bytes",
        )
    })?;
    let (inputs, outputs) = (open(&args.inputs)?, open(&args.outputs)?);
    let (name, contract) = input::document(&args.contract)?;
    let made = match maker.make(&contract, &Recording { inputs: &inputs, outputs: &outputs }) {
        Ok(made) => made,
        Err(Rejection::Laws(found)) => {
            output::err(&output::findings(&found, "the document", &name));
            return Ok(Exit::Violates);
        }
        Err(why) => return Err(hash::refused(&name, &why)),
    };
    write(&made, &args.out, target)?;
    hash::show(&made.hashes, args.format)?;
    let steps = if made.all_passed { "every step passed" } else { "not every step passed" };
    let files = output::counted(made.files().count(), "file", "files");
    output::err(&format!("{}: {files}, {steps}\n", args.out.display()));
    Ok(Exit::Conforms)
}

fn open(path: &Path) -> Result<PackFolder, CliError> {
    PackFolder::open(path).map_err(|error| {
        let message = format!("{}: cannot be opened as a folder: {error}", path.display());
        CliError::unreadable(message, "name the folders of what was recorded with --inputs and --outputs")
    })
}

/// Writes the pack beside its place, and puts it there when all of it is written.
fn write(made: &MadePack, out: &Path, name: &str) -> Result<(), CliError> {
    let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let broken = |why: &dyn std::fmt::Display| {
        let message = format!("{}: cannot be written: {why}", out.display());
        CliError::unreadable(message, "check that its folder exists and may be written to; nothing was left there")
    };
    let mut folder = HomeFolder::with(folder, Durability::Power).map_err(|why| broken(&why))?;
    let partial = format!(".{name}.{}.partial", std::process::id());
    let written = made.write(&mut folder, &partial).and_then(|()| folder.settle());
    match written.and_then(|()| folder.rename(&partial, name)) {
        Ok(()) => Ok(()),
        Err(why) => {
            // Whatever it is that stands in the way, this is not to stay.
            let _ = folder.remove(&partial);
            Err(if why == HomeError::Occupied { output::taken(out) } else { broken(&why) })
        }
    }
}
