//! Float ban: the numbers that no canonical surface may hold.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, A, Float Ban Law; rulings NUM-02 to NUM-16.
//!
//! Floats, NaN, infinities and `-0` are banned by their spelling.

use crate::canon::CanonRefusalKind;
use crate::json::NumberToken;
use crate::law::Law;
use crate::rejection::ShapeBreach;
use crate::sovereign::model::banned::Banned;

pub(crate) const LAW: Law = Law::named("sovereign/float-ban");

/// What is wrong with a number, if anything is.
pub(crate) fn banned_number(token: NumberToken<'_>) -> Option<CanonRefusalKind> {
    token.is_banned().then(|| match token.text {
        "-0" => CanonRefusalKind::NegativeZero,
        text if text.ends_with(['N', 'y']) => CanonRefusalKind::NonFinite,
        _ => CanonRefusalKind::Float,
    })
}

/// Whether a value without canonical form breaks this law.
pub(crate) fn is_broken_by(kind: CanonRefusalKind) -> bool {
    match kind {
        CanonRefusalKind::LoneSurrogate | CanonRefusalKind::Duplicate | CanonRefusalKind::Depth => false,
        CanonRefusalKind::Float
        | CanonRefusalKind::NegativeZero
        | CanonRefusalKind::NonFinite
        | CanonRefusalKind::UnsafeInteger => true,
    }
}

/// This law, for what breaks it.
pub(crate) fn law_of(kind: CanonRefusalKind) -> Option<Law> {
    is_broken_by(kind).then_some(LAW)
}

/// A banned number as a breach of the contract that its record stands in (SCH-11).
pub(crate) fn in_contract(banned: Banned) -> ShapeBreach {
    ShapeBreach { pointer: banned.pointer, message: banned.kind.to_string().into() }
}
