//! `assize pack hash`: the hashes that derive from a contract alone.

use std::path::PathBuf;

use assize::exit::Exit;
use assize_verifier::episode::{self, ContractHashes, Rejection};
use serde_json::json;

use super::{CliError, input, output, verify::NumberForm};
use crate::cli::Format;

const EXAMPLES: &str = "\
Examples:
  assize pack hash run-1/pack/episode_contract.json
  assize pack hash contract.json --format json
  jq .contract plan.json | assize pack hash -

Every hash is SHA-256 over canonical JSON. Of the environment only provider, model_id,
tool_versions and container_digest count; episode_id and objective count nowhere. The
contract has to keep its schema; its graph and its own fingerprint are not judged here.

Exit codes:
  0  the four hashes
  1  JSON, but no contract, or without a canonical form
  3  no JSON that can be read";

/// Print the four hashes that derive from an episode contract.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The contract; - is standard input.
    #[arg(value_name = "CONTRACT")]
    contract: PathBuf,
    /// How numbers are written before they are hashed: rfc8785, or assay (exponents as 1E21, integers in full).
    #[arg(long, value_enum, default_value_t = NumberForm::Rfc8785)]
    numbers: NumberForm,
    /// How the hashes are written.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

pub(super) fn run(args: &Args) -> Result<Exit, CliError> {
    let (name, text) = input::document(&args.contract)?;
    let hashes = episode::hashes(&text, args.numbers.into()).map_err(|why| refused(&name, &why))?;
    show(&hashes, args.format)?;
    Ok(Exit::Conforms)
}

/// Writes the hashes of a contract to standard output.
pub(super) fn show(hashes: &ContractHashes, format: Format) -> Result<(), CliError> {
    match format {
        Format::Json => {
            let members: serde_json::Map<_, _> =
                named(hashes).into_iter().map(|(name, hash)| (name.to_owned(), json!(hash))).collect();
            output::json(&members)
        }
        Format::Human => {
            let lines: String = named(hashes).iter().map(|(name, hash)| format!("{name:<22}{hash}\n")).collect();
            output::out(lines.as_bytes())
        }
    }
}

fn named(hashes: &ContractHashes) -> [(&'static str, &str); 4] {
    [
        ("episode_spec_hash", &hashes.episode_spec_hash),
        ("env_fingerprint_hash", &hashes.env_fingerprint_hash),
        ("inputs_hash", &hashes.inputs_hash),
        ("script_hash", &hashes.script_hash),
    ]
}

pub(super) fn refused(name: &str, why: &Rejection) -> CliError {
    match why {
        Rejection::Json(error) => input::not_json(name, error),
        Rejection::Schema(breaches) => {
            /// Breaches that are named.
            const MOST: usize = 5;
            let named = breaches.iter().take(MOST).map(|breach| {
                let place = if breach.pointer.is_root() { "the document" } else { breach.pointer.as_str() };
                format!("{}: {}", output::middle(place), breach.message)
            });
            let rest = breaches.len().saturating_sub(MOST);
            let more = if rest == 0 { String::new() } else { format!("; and {rest} more") };
            let message = format!("{name}: no episode contract: {}{more}", named.collect::<Vec<_>>().join("; "));
            CliError::unlawful(message, "`assize laws episode/contract-shape` says what a contract is")
        }
        Rejection::Value(pointer, message) => {
            let place = if pointer.is_root() { "the document" } else { pointer.as_str() };
            let message = format!("{name}: {} has no canonical form: {message}", output::middle(place));
            CliError::unlawful(message, "a value that is to be hashed has to be I-JSON")
        }
        why => CliError::unlawful(format!("{name}: {why}"), "see `assize pack hash --help`"),
    }
}
