//! Operations on a graph. First choices are lawful ones, for bytes that run out.

use arbitrary::{Result, Unstructured};

use super::token;
use crate::pairs::draw::{int, odds, one_of};
use crate::pairs::json::{Json, Text};
use crate::spoil::{awkward, spoil};

const KINDS: &[&str] = &["depends_on", "refines", "contradicts", "blocks"];
const NODE_KINDS: &[&str] = &["claim", "decision", "seed", "other"];

/// At most so many operations: enough for rings over several edges, few enough that ends meet.
const MOST: u32 = 20;

/// Operations on a graph, about one list in ten of them unlawful.
pub(super) fn operations(u: &mut Unstructured<'_>) -> Result<Json> {
    let mut operations = Vec::new();
    for index in 0..int(u, MOST)? {
        operations.push(if index < 2 || odds(u, 1, 4)? { node(u)? } else { edge(u, index)? });
    }
    let mut operations = Json::List(operations);
    if odds(u, 1, 10)? {
        spoil(u, &mut operations)?;
    }
    Ok(operations)
}

fn node(u: &mut Unstructured<'_>) -> Result<Json> {
    let payload = if odds(u, 1, 20)? { awkward(u)? } else { Json::object([("n", Json::integer(int(u, 5)? as usize))]) };
    Ok(Json::object([("node", Json::object([("kind", kind(u, NODE_KINDS)?), ("payload", payload)]))]))
}

fn edge(u: &mut Unstructured<'_>, place: u32) -> Result<Json> {
    let mut end = || -> Result<Json> {
        Ok(match int(u, 20)? {
            0 => token(u, &["-0", "-1", "18446744073709551616", "-99999999999999999999"])?,
            1 => Json::integer((place + int(u, 1)?) as usize),
            _ => Json::integer(int(u, place)? as usize),
        })
    };
    let (from, to) = (end()?, end()?);
    Ok(Json::object([("edge", Json::object([("kind", kind(u, KINDS)?), ("from", from), ("to", to)]))]))
}

fn kind(u: &mut Unstructured<'_>, kinds: &[&str]) -> Result<Json> {
    if odds(u, 1, 40)? { Ok(Json::Text(Text(vec![0xD800]))) } else { one_of(u, kinds) }
}
