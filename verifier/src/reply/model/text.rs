//! One JSON text as the reply system takes it, and how pieces of it are quoted.
//!
//! Spec: ruling RE-25: UTF-8, unique member names after unescaping, finite numbers, and nothing after the value.

use std::borrow::Cow;

use crate::json::{Dialect, Document, JsonErrorKind};
use crate::rejection::Rejection;

/// A decoded string of a judged text, in WTF-8: a lone surrogate is kept, and no code has one.
pub(crate) type Text<'d> = Cow<'d, [u8]>;

/// Reads a text as every operation on replies does.
///
/// # Errors
/// If it is not one JSON text with unique names and finite numbers, or exceeds a limit.
pub fn read(text: &[u8]) -> Result<Document<'_>, Rejection> {
    let document = Document::parse(text, &Dialect::STRICT)?;
    let mut pending = vec![document.root()];
    while let Some(node) = pending.pop() {
        if node.as_number().is_some_and(|token| token.to_f64().is_infinite()) {
            return Err(document.objection(JsonErrorKind::NotFinite, node.span().0).into());
        }
        if let Some(value) = node.repeated() {
            return Err(document.objection(JsonErrorKind::RepeatedName, value.span().0).into());
        }
        pending.extend(node.members().map(|(_, value)| value).chain(node.elements()));
    }
    Ok(document)
}

/// A piece of a judged text for messages, cut where it is long.
pub(crate) fn quoted(text: &[u8]) -> String {
    const SHOWN: usize = 60;
    // A character has four bytes at most, so that a cut through one lies after what is shown.
    let start = String::from_utf8_lossy(text.get(..SHOWN * 4).unwrap_or(text));
    match start.char_indices().nth(SHOWN) {
        Some((cut, _)) => format!("{:?}...", start.get(..cut).unwrap_or_default()),
        None => format!("{start:?}"),
    }
}
