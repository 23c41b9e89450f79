//! The `episode` profile: RFC 8785 as the episode system takes it.
//!
//! Spec: RCE Profile v0.1, Replay-normative view; rulings EP-25 (number form), EP-26 (integer tokens beyond 2^53-1 are refused), EP-27
//! (I-JSON input), CN-1 (the text that comes of a double may be such a token) and CN-2 (noncharacters are kept).

use super::{i_json, rfc8785};
use crate::canon::{CanonRefusalKind, Rules, float};
use crate::json::{Dialect, NumberToken};
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("canon/episode");

pub(crate) const RULES: Rules =
    Rules { dialect: Dialect::STRICT, number, depth: Dialect::STRICT.depth, ..rfc8785::RULES };

/// The same over the documents of the episode system.
pub(crate) const EPISODE: Rules = Rules { dialect: Dialect::EPISODE, depth: Dialect::EPISODE.depth, ..RULES };

/// "Assay JCS Profile v1" (ruling EP-25): integers in full, and exponents as `1E21` and `1E-7`.
pub(crate) const ASSAY: Rules = Rules { number: assay_number, ..EPISODE };

fn number(token: NumberToken<'_>, out: &mut Vec<u8>) -> Result<(), CanonRefusalKind> {
    if !token.float && !i_json::is_safe(token) {
        return Err(CanonRefusalKind::UnsafeInteger);
    }
    rfc8785::number(token, out)
}

fn assay_number(token: NumberToken<'_>, out: &mut Vec<u8>) -> Result<(), CanonRefusalKind> {
    if !token.float {
        float::append_integer(token, out);
        return Ok(());
    }
    float::Decimal::of(float::finite(token)?).append_assay(out);
    Ok(())
}
