//! Safe boundary: what never matters to parity.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, A, Safe Boundary Law; rulings NUM-03, ISS-03, REP-13, LAW-05.
//!
//! `events` of a turn, `message` of an issue and `diagnostic` of a report's mismatch are read for syntax and then
//! forgotten. The third is left out by [`super::report_identity`]; the first two are named here.

use crate::canon::{Canonicalizer, Rules};
use crate::json::JsonPointer;
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("sovereign/safe-boundary");

/// The issue member that is not part of the issue's canonical bytes.
const ISSUE_MESSAGE: &str = "message";

/// Writes the canonical bytes of issues as parity sees them.
pub(crate) fn issue_canonicalizer(rules: Rules) -> Canonicalizer {
    Canonicalizer::new(rules).tracking().omitting(ISSUE_MESSAGE)
}

/// True for a place in a turn file whose canonical form matters: transition digests, decision records, and issues but
/// for their message.
pub(crate) fn is_canonical_surface(pointer: &JsonPointer) -> bool {
    let mut tokens = pointer.as_str().split('/').skip(1);
    match (tokens.next(), tokens.next(), tokens.next()) {
        (Some("transition"), Some(member), _) => member.ends_with("_digest"),
        (Some("capabilities"), Some("decisions"), Some(_)) => true,
        (Some("issues"), Some(_), member) => member.is_none_or(|member| is_issue_surface(member.as_bytes())),
        _ => false,
    }
}

/// True for the name of an issue's member whose canonical form matters.
pub(crate) fn is_issue_surface(name: &[u8]) -> bool {
    name != ISSUE_MESSAGE.as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_three_places_count() {
        let counts = |text: &str| is_canonical_surface(&JsonPointer::from_text(text));
        for text in [
            "/transition/x_digest",
            "/transition/x_digest/0",
            "/capabilities/decisions/0/ordinal",
            "/issues/0",
            "/issues/1/level",
            "/issues/0/details/message",
        ] {
            assert!(counts(text), "{text}");
        }
        for text in [
            "",
            "/events/0",
            "/issues",
            "/issues/0/message",
            "/issues/0/message/a",
            "/transition/diff_summary/x_digest",
            "/capabilities/mode",
            "/capabilities/decisions",
        ] {
            assert!(!counts(text), "{text}");
        }
    }
}
