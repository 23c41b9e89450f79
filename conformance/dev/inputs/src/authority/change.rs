//! Changes of a version: two releases that are near one another. First choices are lawful ones, for bytes that run out.

use arbitrary::{Result, Unstructured};

use super::token;
use crate::pairs::draw::{int, odds, one_of};
use crate::pairs::json::Json;
use crate::spoil::{awkward, spoil};

const VERSIONS: &[&str] =
    &["0.1.0", "0.1.1", "0.2.0", "0.10.0", "1.0.0", "0.0.9", "18446744073709551616.0.0", "01.0.0", "1.0"];
const LOCKED: [&str; 8] = [
    "summary_hash",
    "ledger_last_hash",
    "dag_root_hash",
    "artifact_hashes",
    "chosen",
    "node_count",
    "edge_count",
    "node_kinds",
];
const GOLDENS: [&str; 3] = ["tea", "a/b", ""];
const FIELDS: [&str; 4] = ["run_id", "pin", "~1", ""];

/// A change, about one in eight of them of another shape.
pub(super) fn change(u: &mut Unstructured<'_>) -> Result<Json> {
    let documented = if odds(u, 1, 2)? { "true" } else { "false" };
    let mut change = Json::object([
        ("earlier", release(u)?),
        ("later", release(u)?),
        ("documented", token(u, &[documented, documented, documented, "null"])?),
    ]);
    if odds(u, 1, 10)? {
        spoil(u, &mut change)?;
    }
    Ok(change)
}

fn release(u: &mut Unstructured<'_>) -> Result<Json> {
    // The malformed ones stand last and are rare.
    let version =
        if odds(u, 1, 20)? { one_of(u, VERSIONS)? } else { one_of(u, VERSIONS.get(..7).unwrap_or(VERSIONS))? };
    let mut goldens = Vec::new();
    for name in GOLDENS {
        if odds(u, 2, 3)? {
            goldens.push((name.into(), golden(u)?));
        }
    }
    let mut artefacts = Vec::new();
    for name in ["blueprint", "report"] {
        if odds(u, 3, 4)? {
            let (mut hashed, mut excluded) = (Vec::new(), Vec::new());
            for field in FIELDS {
                match int(u, 3)? {
                    0 | 1 => hashed.push(Json::text(field)),
                    2 => excluded.push(Json::text(field)),
                    _ => {}
                }
            }
            let fields = Json::object([("hashed", Json::List(hashed)), ("excluded", Json::List(excluded))]);
            artefacts.push((name.into(), fields));
        }
    }
    Ok(Json::object([
        ("version", version),
        ("goldens", Json::Object(goldens)),
        ("artifact_fields", Json::Object(artefacts)),
    ]))
}

fn golden(u: &mut Unstructured<'_>) -> Result<Json> {
    let mut members = Vec::new();
    for name in LOCKED {
        let value = match int(u, 30)? {
            0 => continue,
            1 => awkward(u)?,
            2 => token(u, &["null", "1", "1.0", "true"])?,
            _ => Json::integer(usize::from(odds(u, 1, 8)?)),
        };
        members.push((name.into(), value));
    }
    Ok(Json::Object(members))
}
