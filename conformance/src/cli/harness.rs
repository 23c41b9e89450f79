//! The harness itself, as a certificate names it.

use std::{env, io};

use assize::certificate::HarnessInfo;
use assize_verifier::digest::Digest;

use super::error::CliError;

/// Version and digest of the binary that runs.
pub(crate) fn harness() -> Result<HarnessInfo, CliError> {
    let broken = |error: io::Error| {
        CliError::unreadable(
            format!("the binary of assize cannot be read: {error}"),
            "keep it in place and readable while it runs: a certificate names its digest",
        )
    };
    let path = env::current_exe().map_err(broken)?;
    let bytes = std::fs::read(path).map_err(broken)?;
    Ok(HarnessInfo { version: env!("CARGO_PKG_VERSION").to_owned(), sha256: Digest::of(&bytes).to_hex() })
}
