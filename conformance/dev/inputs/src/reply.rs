//! Makes documents of the reply system: envelopes, registries with what uses them, traces of builder calls, and scripts for builders.
//!
//! Most are lawful, or nearly: codes come out of few segments, so that equal ones meet, and what is broken is broken in one
//! place or two. Each comes in two spellings of one value.

mod codes;
mod envelope;
mod registry;
mod script;
mod trace;

use arbitrary::{Result, Unstructured};

use crate::pairs::emit::{Style, emit};
use crate::pairs::json::Json;
use crate::pairs::{damage::Damage, draw::odds};
use crate::spoil::{respell, spoil};

/// A document, and the same in other words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spelt {
    /// Its bytes.
    pub document: Vec<u8>,
    /// The same value in another spelling; the same bytes where they stand for no value.
    pub respelt: Vec<u8>,
}

/// An envelope, about one in three of them unlawful.
///
/// # Errors
/// Those of [`Unstructured`].
pub fn envelope(u: &mut Unstructured<'_>) -> Result<Spelt> {
    let envelope = envelope::envelope(u)?;
    spelt(u, envelope)
}

/// A code, about one in four of them unlawful.
///
/// # Errors
/// Those of [`Unstructured`].
pub fn code(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let mut code = codes::near(u, None)?.into_bytes();
    if odds(u, 1, 24)? {
        Damage::draw(u)?.apply(u, &mut code)?;
    }
    Ok(code)
}

/// A registry with its revisions and what uses it, and call sites with the same registry. About half of both are unlawful.
///
/// # Errors
/// Those of [`Unstructured`].
pub fn registry(u: &mut Unstructured<'_>) -> Result<(Spelt, Spelt)> {
    let mut registry = registry::registry(u)?;
    let mut source = Json::object([("call_sites", registry::sites(u)?), ("registry", registry.clone())]);
    spoiled(u, &mut registry, 6)?;
    spoiled(u, &mut source, 6)?;
    Ok((spelt(u, registry)?, spelt(u, source)?))
}

/// A trace of one invocation, about half of them unlawful.
///
/// # Errors
/// Those of [`Unstructured`].
pub fn trace(u: &mut Unstructured<'_>) -> Result<Spelt> {
    let mut trace = Json::object([("steps", trace::steps(u)?)]);
    spoiled(u, &mut trace, 8)?;
    spelt(u, trace)
}

/// A script for a builder, and one with the same calls for a wrapper, about one in four of them outside the domain.
///
/// # Errors
/// Those of [`Unstructured`].
pub fn scripts(u: &mut Unstructured<'_>) -> Result<(Spelt, Spelt)> {
    let (mut build, mut wrap) = script::scripts(u)?;
    spoiled(u, &mut build, 8)?;
    spoiled(u, &mut wrap, 8)?;
    Ok((spelt(u, build)?, spelt(u, wrap)?))
}

/// Spoils one document in so many.
fn spoiled(u: &mut Unstructured<'_>, document: &mut Json, of: u32) -> Result<()> {
    if odds(u, 1, of)? { spoil(u, document) } else { Ok(()) }
}

/// The document as text, twice; once in thirty something befalls its bytes.
fn spelt(u: &mut Unstructured<'_>, document: Json) -> Result<Spelt> {
    let plain = emit(&document, &Style::PLAIN);
    if odds(u, 1, 30)? {
        let mut damaged = plain;
        Damage::draw(u)?.apply(u, &mut damaged)?;
        return Ok(Spelt { respelt: damaged.clone(), document: damaged });
    }
    let mut again = document;
    respell(&mut again);
    Ok(Spelt { document: plain, respelt: emit(&again, &Style::draw(u)?) })
}
