//! The steps whose answer is one line.

use std::path::{Path, PathBuf};

use assize::exit::Exit;
use assize_verifier::sovereign::{self, Rejection};

use super::{CliError, input, output, refused};

const OF_A_RECORD: &str = "\
Examples:
  assize sovereign decision-id record.json
  jq .capabilities.decisions[0] turn.json | assize sovereign decision-id -

The id is the SHA-256 of the canonical record without its decision_id; deny_code, info_code,
reason and provenance count as null where they are absent. The specification does not say how
an id is derived: this is the published derivation.

Exit codes:
  0  the id
  1  the record has no canonical form
  3  the file cannot be read, is not JSON, or is not a record";

const OF_A_REGISTRY: &str = "\
Examples:
  assize sovereign registry-digest error-codes-v1.json

The digest is the SHA-256 of the canonical form of the whole document, and what a bundle has
to declare as its registry_digest.

Exit codes:
  0  the digest
  1  the registry has no canonical form
  3  the file cannot be read, is not JSON, or is not an object";

const OF_A_REPORT: &str = "\
Examples:
  assize sovereign report-id report.json
  assize bundle compare a.json b.json --quiet | assize sovereign report-id -

The id is the SHA-256 of the canonical report, in which report_id and the diagnostic of every
mismatch are null. The id that stands in the report has no part in it.

Exit codes:
  0  the id
  1  the report has no canonical form
  3  the file cannot be read, is not JSON, or is not a report";

const OF_CONDITIONS: &str = "\
Examples:
  assize sovereign deny-code conditions.json
  echo '[\"E_PERMISSION_DENIED\", \"E_CAPABILITY_DENIED\"]' | assize sovereign deny-code -

The conditions are an array of E_SIDE_EFFECT_UNDECLARED, E_CAPABILITY_DENIED and
E_PERMISSION_DENIED, in any order; the first of these that is there is the code, and an
empty array has none: null.

Exit codes:
  0  the code, or null
  3  the file cannot be read, is not JSON, or holds anything else";

/// Derive the id of a decision record.
#[derive(Debug, clap::Args)]
#[command(after_help = OF_A_RECORD)]
pub(super) struct DecisionId {
    /// The decision record; - is standard input.
    #[arg(value_name = "RECORD")]
    file: PathBuf,
}

/// Digest a registry of error codes.
#[derive(Debug, clap::Args)]
#[command(after_help = OF_A_REGISTRY)]
pub(super) struct RegistryDigest {
    /// The registry; - is standard input.
    #[arg(value_name = "REGISTRY")]
    file: PathBuf,
}

/// Compute the id of a replay report.
#[derive(Debug, clap::Args)]
#[command(after_help = OF_A_REPORT)]
pub(super) struct ReportId {
    /// The report; - is standard input.
    #[arg(value_name = "REPORT")]
    file: PathBuf,
}

/// Choose the deny code for a set of conditions.
#[derive(Debug, clap::Args)]
#[command(after_help = OF_CONDITIONS)]
pub(super) struct DenyCode {
    /// The conditions that hold; - is standard input.
    #[arg(value_name = "CONDITIONS")]
    file: PathBuf,
}

pub(super) fn decision_id(args: &DecisionId) -> Result<Exit, CliError> {
    line(&args.file, "decision-id", |text| sovereign::decision_id(text).map(|id| id.to_hex()))
}

pub(super) fn registry_digest(args: &RegistryDigest) -> Result<Exit, CliError> {
    line(&args.file, "registry-digest", |text| sovereign::registry_digest(text).map(|digest| digest.to_hex()))
}

pub(super) fn report_id(args: &ReportId) -> Result<Exit, CliError> {
    line(&args.file, "report-id", |text| sovereign::report_id(text).map(|id| id.to_hex()))
}

pub(super) fn deny_code(args: &DenyCode) -> Result<Exit, CliError> {
    line(&args.file, "deny-code", |text| sovereign::deny_code(text).map(|code| code.unwrap_or("null").to_owned()))
}

/// Writes what a step makes of a document.
fn line(file: &Path, step: &str, take: impl Fn(&[u8]) -> Result<String, Rejection>) -> Result<Exit, CliError> {
    let (name, text) = input::document(file)?;
    let said = take(&text).map_err(|why| refused(&name, &why, step))?;
    output::out(format!("{said}\n").as_bytes())?;
    Ok(Exit::Conforms)
}
