//! Makes documents of the authority system: inputs of the engine, lists of graph operations, changes of a version, and ledgers that were tampered with.
//!
//! Most are lawful, and what is not is so in one place. A ledger begins as one that somebody else made, since no engine lives
//! here; and who tampers with it may hash it again, with a hash that the caller lends.

mod change;
mod graph;
mod run;
mod tamper;

use arbitrary::{Result, Unstructured};

use crate::pairs::emit::{Style, emit};
use crate::pairs::json::Json;
use crate::pairs::{damage::Damage, draw::odds};
use crate::spoil::disguise;

/// `H` of a JSON text, where its value has a canonical form.
pub type Hash<'h> = &'h dyn Fn(&str) -> Option<String>;

/// The inputs of an engine run, about one in eight of them unlawful.
///
/// # Errors
/// Those of [`Unstructured`].
pub fn run_inputs(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let inputs = run::inputs(u)?;
    spelt(u, inputs, 4)
}

/// A change of version, about one in eight of them of another shape.
///
/// # Errors
/// Those of [`Unstructured`].
pub fn version_change(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let change = change::change(u)?;
    spelt(u, change, 4)
}

/// A list of operations on a graph, about one in ten of them unlawful.
///
/// # Errors
/// Those of [`Unstructured`].
pub fn operations(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let operations = graph::operations(u)?;
    spelt(u, operations, 4)
}

/// A ledger, changed in one to three ways; `other` is a ledger of other inputs, to take parts from. `None` if one of them is not an
/// array of records.
///
/// # Errors
/// Those of [`Unstructured`].
pub fn tampered(u: &mut Unstructured<'_>, ledger: &str, other: &str, hash: Hash<'_>) -> Result<Option<Vec<u8>>> {
    let (Some(Json::List(mut records)), Some(Json::List(other))) = (Json::read(ledger), Json::read(other)) else {
        return Ok(None);
    };
    tamper::tamper(u, &mut records, &other, hash)?;
    spelt(u, Json::List(records), 3).map(Some)
}

/// A ledger whose records make a chain: parents and both hashes follow from the rest. `None` if it is not an array.
#[must_use]
pub fn chained(ledger: &str, hash: Hash<'_>) -> Option<Vec<u8>> {
    let Some(Json::List(mut records)) = Json::read(ledger) else { return None };
    tamper::hash_again(&mut records, 0, hash);
    Some(emit(&Json::List(records), &Style::PLAIN))
}

/// The text with something done to its bytes: cut, extended, or no longer UTF-8.
///
/// # Errors
/// Those of [`Unstructured`].
pub fn damaged(u: &mut Unstructured<'_>, mut text: Vec<u8>) -> Result<Vec<u8>> {
    Damage::draw(u)?.apply(u, &mut text)?;
    Ok(text)
}

/// The document as text: once in `of` in one of the many spellings that mean the same, else in the shortest.
fn spelt(u: &mut Unstructured<'_>, mut document: Json, of: u32) -> Result<Vec<u8>> {
    if !odds(u, 1, of)? {
        return Ok(emit(&document, &Style::PLAIN));
    }
    disguise(u, &mut document)?;
    Ok(emit(&document, &Style::draw(u)?))
}

/// A number or literal out of some.
fn token(u: &mut Unstructured<'_>, from: &[&'static str]) -> Result<Json> {
    Ok(Json::token(*u.choose(from)?))
}
