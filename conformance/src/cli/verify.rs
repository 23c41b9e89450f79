//! `assize pack verify`: the verdict on proof packs.

mod explained;
mod human;
mod machine;
mod results;

use std::path::{Path, PathBuf};

use assize::exit::Exit;
use assize_corpus::disk::PackFolder;
use assize_verifier::{
    digest::Digest,
    episode::{self, Numbers, Options, PackVerification, Rejection, Verification, limits},
    threads::Threads,
};
use clap::ValueEnum;
use rayon::prelude::*;

use super::{Format, error::CliError, output, progress::Bar, seen::Seen};
pub(super) use human::findings;
pub(super) use results::outside;

use explained::Explained;

const EXAMPLES: &str = "\
Examples:
  assize pack verify run-1/pack
  assize pack verify run-1/pack --signer 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
  assize pack verify packs/* --quiet
  assize pack verify run-1/pack --format json --output verdict.json
  assize pack verify run-1/pack --out results/
  assize pack verify plain-pack --pack-only --require-claims

A pack is judged in four phases: the script, the pack itself, whether it is complete, and
the replay of the recorded traces. MATCH says that every trace has the hash of its
receipt. It does not say that the original run was right, or that it would repeat.

Whoever holds a pack can sign it anew with a key of his own, and that is a MATCH too:
--signer names the key that must have signed it.

Exit codes:
  0   MATCH, whatever the episode claims of itself; with --pack-only: PASS
  1   DIVERGE; with --pack-only: HONEST_FAIL, its claims are attested to have failed (with
      --require-claims: are not attested to have passed)
  2   INTEGRITY_FAIL; with --pack-only: TAMPERED
  3   a folder that cannot be read: no verdict
  64  wrong usage
Of several packs the worst counts, which is the largest of 0 to 3: 2 wins over 1 here.";

/// Judge proof packs: replay recorded episodes, phase by phase, to a verdict.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, after_long_help = long_help())]
pub(crate) struct Args {
    /// The folder of a proof pack. Repeatable.
    #[arg(value_name = "PACK", required = true)]
    packs: Vec<PathBuf>,
    /// Judge packs that hold no episode: phase 2 alone, without the parent chain.
    #[arg(long)]
    pack_only: bool,
    /// Only a pack whose claims are attested to have passed is good.
    #[arg(long, requires = "pack_only")]
    require_claims: bool,
    /// SHA-256 of the public key that must have signed every pack: 64 lower-case hexadecimal digits.
    #[arg(long, value_name = "SHA256", value_parser = fingerprint)]
    signer: Option<String>,
    /// How numbers are written before they are hashed: rfc8785, or assay (exponents as 1E21, integers in full).
    #[arg(long, value_enum, default_value_t = NumberForm::Rfc8785)]
    numbers: NumberForm,
    /// The present time: a pack attested more than 24 hours after it fails, and the replay result is dated by it.
    /// Without it no clock is looked at.
    #[arg(long, value_name = "RFC3339")]
    now: Option<String>,
    /// Write rce_replay_result.json and rce_replay_details.json to this folder; of several packs, to its folders 1-NAME,
    /// 2-NAME and so on. It is made if it is not there, and may not lie in a pack.
    #[arg(long, value_name = "DIR", conflicts_with = "pack_only")]
    out: Option<PathBuf>,
    /// How the answer is written.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Write to this file, whole or not at all, instead of standard output. It may not lie in a pack.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The verdicts alone, and no progress.
    #[arg(long, short)]
    quiet: bool,
}

/// How numbers are written when they are hashed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum NumberForm {
    /// As RFC 8785 says.
    Rfc8785,
    /// As the assay tool does.
    Assay,
}

impl From<NumberForm> for Numbers {
    fn from(form: NumberForm) -> Self {
        match form {
            NumberForm::Rfc8785 => Self::Rfc8785,
            NumberForm::Assay => Self::Assay,
        }
    }
}

/// A pack and what became of it.
#[derive(Debug)]
pub(super) struct Judged {
    name: String,
    pub(super) end: End,
}

#[derive(Debug)]
pub(super) enum End {
    Episode(Box<Verification>, Vec<Explained>),
    Pack(PackVerification),
    Unreadable(CliError),
}

pub(crate) fn run(args: &Args) -> Result<Exit, CliError> {
    // Options are refused before the first folder is opened.
    let options = options(args, Threads::Pool)?;
    if let Some(output) = &args.output {
        results::outside(output, &args.packs, "--output")?;
    }
    let places = args.out.as_deref().map(|folder| results::places(folder, &args.packs)).transpose()?;
    let bar = Bar::over(if args.quiet { 0 } else { args.packs.len() }, "packs");
    let judged = args.packs.par_iter().map(|path| {
        let judged = judge(args, path, &options, &Seen::by_nobody());
        bar.step();
        judged
    });
    let judged = judged.collect::<Result<Vec<_>, _>>();
    bar.finish();
    let judged = judged?;
    let exit = deliver(args, &judged)?;
    for (judged, place) in judged.iter().zip(places.iter().flatten()) {
        if let End::Episode(found, _) = &judged.end {
            place.write(found)?;
        }
    }
    Ok(exit)
}

/// What the arguments ask of each pack.
fn options(args: &Args, threads: Threads) -> Result<Options<'_>, CliError> {
    let options = Options {
        now: args.now.as_deref(),
        numbers: args.numbers.into(),
        signer: args.signer.as_deref(),
        platform: std::env::consts::OS,
        threads,
    };
    options.check().map_err(|why| refused(&why))?;
    Ok(options)
}

/// The pack that the arguments name alone, judged by the calling thread, with the exit code of the verb.
pub(super) fn alone(args: &Args, seen: &Seen) -> Result<(Judged, Exit), CliError> {
    let options = options(args, Threads::Caller)?;
    let path = args.packs.first().ok_or_else(|| CliError::bug("no pack is named"))?;
    let judged = judge(args, path, &options, seen)?;
    let exit = judged.exit(args.require_claims);
    Ok((judged, exit))
}

/// The word for a pack without an episode.
pub(super) fn label(args: &Args, found: &PackVerification) -> &'static str {
    found.label(args.require_claims).name()
}

fn judge(args: &Args, path: &Path, options: &Options<'_>, seen: &Seen) -> Result<Judged, CliError> {
    let name = path.display().to_string();
    let end = match seen.pack(path, open).map(|pack| seen.files("pack", pack)) {
        Err(error) => End::Unreadable(error),
        Ok(pack) if args.pack_only => End::Pack(episode::verify_pack(&pack, options).map_err(|why| refused(&why))?),
        Ok(pack) => {
            let found = episode::verify(&pack, options).map_err(|why| refused(&why))?;
            let shown = !args.quiet || args.format == Format::Json;
            let explained = if shown { explained::explain(&pack, &found, options.numbers) } else { Vec::new() };
            End::Episode(Box::new(found), explained)
        }
    };
    Ok(Judged { name, end })
}

/// The folder of a pack.
pub(super) fn open(path: &Path) -> Result<PackFolder, CliError> {
    PackFolder::open(path).map_err(|error| {
        let message = format!("{}: cannot be opened as a folder: {error}", path.display());
        CliError::unreadable(message, "name the folder that holds pack_manifest.json")
    })
}

fn deliver(args: &Args, judged: &[Judged]) -> Result<Exit, CliError> {
    let exit = worst(judged.iter().map(|judged| judged.exit(args.require_claims)));
    for judged in judged {
        if let End::Unreadable(error) = &judged.end {
            error.show();
        }
    }
    let written = match args.format {
        Format::Json => machine::document(args, judged, exit)?,
        Format::Human => {
            let output = args.output.as_deref();
            output::said_for(output, human::all(args, judged, output::paint_for(output)))
        }
    };
    output::deliver(args.output.as_deref(), &written)?;
    Ok(exit)
}

impl Judged {
    fn exit(&self, require_claims: bool) -> Exit {
        match &self.end {
            End::Episode(found, _) => exit(found.exit_code()),
            End::Pack(found) => exit(found.label(require_claims).exit_code()),
            End::Unreadable(_) => Exit::NoAnswer,
        }
    }
}

/// The exit code that belongs to a verdict's own code.
fn exit(code: u8) -> Exit {
    [Exit::Conforms, Exit::Violates, Exit::Integrity].into_iter().find(|exit| exit.code() == code).unwrap_or(Exit::Bug)
}

/// Of several packs the worst counts: the larger code, as the episode specification's own tools have it.
fn worst(exits: impl Iterator<Item = Exit>) -> Exit {
    exits.max_by_key(|exit| exit.code()).unwrap_or_default()
}

fn fingerprint(text: &str) -> Result<String, String> {
    if Digest::is_spelled(text.as_bytes()) {
        Ok(text.to_owned())
    } else {
        Err("a SHA-256 is 64 lower-case hexadecimal digits; `assize pack verify PACK` prints the signer's".to_owned())
    }
}

/// The only thing that verification of a pack rejects is its options.
pub(super) fn refused(why: &Rejection) -> CliError {
    CliError::usage(why, "see `assize pack verify --help` for what the options take")
}

fn long_help() -> String {
    let mebibytes = |bytes: u64| format!("{} MiB", bytes >> 20);
    let rows = [
        ("episode_contract.json", mebibytes(limits::CONTRACT_BYTES)),
        ("pack_manifest.json", mebibytes(limits::MANIFEST_BYTES)),
        ("receipt_pack.jsonl", mebibytes(limits::RECEIPTS_BYTES)),
        ("a receipt", mebibytes(limits::RECEIPT_BYTES as u64)),
        ("a recorded trace", mebibytes(limits::TRACE_BYTES)),
        ("an input, or another file of the manifest", mebibytes(limits::FILE_BYTES)),
        ("output schemas of a script, applied", format!("{} KiB", limits::SCHEMA_BYTES >> 10)),
        ("receipts of a pack", limits::RECEIPTS.to_string()),
        ("steps of a script", limits::STEPS.to_string()),
        ("levels of nesting in a document", limits::DEPTH.to_string()),
    ];
    let findings = limits::FINDINGS;
    let rows: String = rows.iter().map(|(what, limit)| format!("  {what:<43}{limit}\n")).collect();
    format!(
        "{EXAMPLES}\n\nLimits; what exceeds one fails the phase that reads it, with code A_LIMIT:\n{rows}\n\
         Output schemas only warn: beyond their limit, and where schema and trace are too large together, they are not applied.\n\
         Of the errors of a pack {findings} are kept, and as many warnings; one more finding says how many were left out."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_packs_the_largest_code_counts() {
        for (exits, largest) in [
            (&[Exit::Conforms, Exit::Violates][..], Exit::Violates),
            (&[Exit::Integrity, Exit::Violates, Exit::Conforms], Exit::Integrity),
            (&[Exit::NoAnswer, Exit::Integrity], Exit::NoAnswer),
            (&[Exit::Conforms], Exit::Conforms),
        ] {
            assert_eq!(worst(exits.iter().copied()), largest);
        }
    }

    #[test]
    fn a_signer_is_spelled_in_one_way() {
        assert!(fingerprint(&"0a".repeat(32)).is_ok());
        for text in ["", &"0A".repeat(32), &"0a".repeat(31), &format!("sha256:{}", "0a".repeat(32))] {
            assert!(fingerprint(text).unwrap_err().contains("64 lower-case"), "{text}");
        }
    }
}
