//! Revisions of a registry of codes, each near the one before it. First choices are lawful ones, for bytes that run out.

use arbitrary::{Result, Unstructured};

use crate::pairs::draw::{index, int, odds, one_of, pick};
use crate::pairs::json::{Json, Text};
use crate::spoil::{awkward, spoil};

const CODES: &[&str] = &["E_DENIED", "I_DONE", "E_LOST", "I_9", "E__", "E_DENIED_"];
const MISNAMED: &[&str] = &["E_", "W_LOST", "E_A/B~C", "", "e_lost", "E_LOST\n", "E_\u{c9}", "I_\u{661}", " I_9"];
const MEANINGS: &[&str] = &["denied", "done", "lost", "", "Denied", "denied ", "\u{e9}", "e\u{301}"];
/// Versions of many digits, and what is none.
const LONG: &[&str] = &["18446744073709551616.0.0", "18446744073709551617.0.0", "1.9007199254740993.0"];
const MALFORMED: &[&str] = &[
    "1.0",
    "1",
    "1.0.0.0",
    "01.0.0",
    "1.00.0",
    "1.0.00",
    "-1.0.0",
    "+1.0.0",
    " 1.0.0",
    "1.0.0 ",
    "1.0.0\n",
    "1..0",
    "",
    "v1.0.0",
    "1.0.x",
    "1.0.\u{661}",
    "1.0.0-rc",
    "1_0.0.0",
];

/// Revisions, about one list in eight of another shape.
pub(super) fn revisions(u: &mut Unstructured<'_>) -> Result<Json> {
    let mut version = [u32::from(odds(u, 7, 8)?), int(u, 2)?, int(u, 9)?];
    let mut codes: Vec<(Text, Json)> = Vec::new();
    for name in CODES.iter().take(2) {
        codes.push(((*name).into(), one_of(u, MEANINGS)?));
    }
    let mut revisions = vec![revision(&version, &codes)];
    for _ in 0..int(u, 11)? {
        raise(u, &mut version)?;
        for _ in 0..int(u, 2)? {
            change(u, &mut codes)?;
        }
        revisions.push(revision(&version, &codes));
    }
    if odds(u, 1, 8)?
        && let Some(at) = index(u, revisions.len())?
        && let Some(revision) = revisions.get_mut(at)
    {
        let from = if odds(u, 1, 3)? { MALFORMED } else { LONG };
        revision.set("version", one_of(u, from)?);
    }
    let mut revisions = Json::List(revisions);
    if odds(u, 1, 10)? {
        spoil(u, &mut revisions)?;
    }
    Ok(revisions)
}

fn revision(version: &[u32; 3], codes: &[(Text, Json)]) -> Json {
    let [major, minor, patch] = version;
    Json::object([
        ("version", Json::text(&format!("{major}.{minor}.{patch}"))),
        ("codes", Json::Object(codes.to_vec())),
    ])
}

/// Makes a version higher, and sometimes does not.
fn raise(u: &mut Unstructured<'_>, version: &mut [u32; 3]) -> Result<()> {
    let [major, minor, patch] = version;
    match int(u, 19)? {
        0..=6 => *patch += 1,
        7..=12 => (*minor, *patch) = (*minor + 1, 0),
        13 | 14 => (*major, *minor, *patch) = (*major + 1, int(u, 1)?, 0),
        15 => *minor += 8,
        16 => {}
        17 => *patch = patch.saturating_sub(1),
        18 => *minor = minor.saturating_sub(1),
        _ => *major = major.saturating_sub(1),
    }
    Ok(())
}

/// Adds a code, takes one away, renames one or gives it another meaning.
fn change(u: &mut Unstructured<'_>, codes: &mut Vec<(Text, Json)>) -> Result<()> {
    let chosen = index(u, codes.len())?;
    match (int(u, 7)?, chosen) {
        (4, Some(at)) => drop(codes.remove(at)),
        (5, Some(at)) => {
            if let Some((_, meaning)) = codes.get_mut(at) {
                *meaning = if odds(u, 1, 12)? { awkward(u)? } else { one_of(u, MEANINGS)? };
            }
        }
        (6, Some(at)) => codes.swap(0, at),
        _ => {
            let names = if odds(u, 1, 8)? { MISNAMED } else { CODES };
            let mut name: Text = (*pick(u, names)?).into();
            if odds(u, 1, 200)? {
                name.0.push(0xD800);
            }
            // A name twice is not JSON here, and seldom what is asked.
            if !codes.iter().any(|(known, _)| *known == name) || odds(u, 1, 40)? {
                codes.push((name, one_of(u, MEANINGS)?));
            }
        }
    }
    Ok(())
}
