//! `assize canon`: canonical bytes of a document.

use std::path::PathBuf;

use assize::exit::Exit;
use assize_verifier::canon::{CanonError, Profile, canonicalize};
use clap::builder::{PossibleValue, PossibleValuesParser};

use super::{error::CliError, input, output};

const EXAMPLES: &str = "\
Examples:
  assize canon --profile sovereign turn.json            canonical bytes, no line feed added
  assize canon --profile rfc8785 --digest payload.json  their SHA-256
  jq .details issue.json | assize canon --profile sovereign

Exit codes:
  0  canonical bytes, or their digest
  1  JSON, but without a canonical form in this profile
  3  no JSON that can be read";

/// Write a document in canonical form.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Which canonical form: rfc8785, episode (RFC 8785 without integers beyond 2^53-1), sovereign (integers only), authority (Python's floats).
    #[arg(long, short, value_name = "PROFILE", value_parser = profiles())]
    profile: String,
    /// The document; - is standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
    /// Print the SHA-256 of the canonical bytes instead.
    #[arg(long, short)]
    digest: bool,
}

/// The profiles by their names; former names are taken and not shown.
fn profiles() -> PossibleValuesParser {
    PossibleValuesParser::new(Profile::ALL.map(|profile| {
        let former = Profile::ALIASES.into_iter().filter(move |(_, meant)| *meant == profile);
        PossibleValue::new(profile.name()).aliases(former.map(|(name, _)| name))
    }))
}

pub(crate) fn run(args: &Args) -> Result<Exit, CliError> {
    let Some(profile) = Profile::from_name(&args.profile) else {
        return Err(CliError::usage(format!("no profile is called {:?}", args.profile), "see `assize canon --help`"));
    };
    if args.profile != profile.name() {
        output::note(&format!(
            "profile {} is called {} now; rfc8785 is RFC 8785 and nothing else",
            args.profile,
            profile.name()
        ));
    }
    let (name, text) = input::document(&args.file)?;
    match canonicalize(profile, &text) {
        Ok(bytes) if args.digest => output::out(format!("{}\n", bytes.digest()).as_bytes())?,
        Ok(bytes) => output::out(bytes.as_slice())?,
        Err(CanonError::Json(error)) => return Err(input::not_json(&name, &error)),
        Err(CanonError::Value { refusal, pointer }) => {
            let message = format!(
                "{name}: {}: {} has no canonical form in profile {}",
                input::place(refusal.offset, &pointer),
                refusal.kind,
                profile.name()
            );
            return Err(CliError::unlawful(message, refusal.kind.help()));
        }
        Err(error) => return Err(CliError::bug(error)),
    }
    Ok(Exit::Conforms)
}
