//! `assize canon`: canonical bytes of a document.

use std::path::PathBuf;

use assize::exit::Exit;
use assize_verifier::canon::{CanonError, Profile, canonicalize};
use clap::builder::PossibleValuesParser;

use super::{error::CliError, input, output};

const EXAMPLES: &str = "\
Examples:
  assize canon --profile sovereign turn.json            canonical bytes, no line feed added
  assize canon --profile jcs --digest contract.json     their SHA-256
  jq .details issue.json | assize canon --profile sovereign

Exit codes:
  0  canonical bytes, or their digest
  1  JSON, but without a canonical form in this profile
  3  no JSON that can be read";

/// Write a document in canonical form.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Which canonical form: sovereign (integers only), jcs (RFC 8785), authority (Python's floats).
    #[arg(long, short, value_name = "PROFILE", value_parser = PossibleValuesParser::new(Profile::ALL.map(Profile::name)))]
    profile: String,
    /// The document; - is standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
    /// Print the SHA-256 of the canonical bytes instead.
    #[arg(long, short)]
    digest: bool,
}

pub(crate) fn run(args: &Args) -> Result<Exit, CliError> {
    let Some(profile) = Profile::from_name(&args.profile) else {
        return Err(CliError::usage(format!("no profile is called {:?}", args.profile), "see `assize canon --help`"));
    };
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
