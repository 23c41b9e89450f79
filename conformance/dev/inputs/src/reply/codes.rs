//! Codes. First choices are lawful ones, for bytes that run out.

use arbitrary::{Result, Unstructured};

use crate::pairs::draw::{int, odds, pick};

/// What may stand together, by type.
const FAMILIES: [(&str, &[&str]); 4] =
    [("S", &["WA", "EN", "CT", "MCP"]), ("I", &["WA", "CT", "MCP"]), ("D", &["EN"]), ("E", &["MCP", "WA", "EN", "CT"])];
/// The first few are common, so that codes meet.
const AREAS: &[&str] =
    &["RES", "WRITE", "SYS", "RES", "WRITE", "GATE", "VIS", "IO", "READ", "EXEC", "DB", "PARSE", "VAL", "LOG", "CFG"];
const NUMBERS: &[&str] = &["001", "002", "001", "900", "000", "999"];

const OTHER_LAYERS: &[&str] = &["DB", "GIT", "wa", "Wa", "", "WA1", "W_A", "LEARN", "MCPX", "EN "];
const OTHER_AREAS: &[&str] = &["OPEN", "CLOSE", "GIT", "DIR", "res", "", "SYSX", "R\u{c9}S", "GIT-LOG"];
const OTHER_TYPES: &[&str] = &["X", "W", "s", "SE", "", "\u{405}", "0"];
const OTHER_NUMBERS: &[&str] = &["1", "01", "0001", "", "00a", "\u{661}\u{662}\u{663}", "-01", "+01", "0x1"];
const WHOLE: &[&str] = &["", "-", "---", "DB-ERR-001", "WA_RES_I_001", "OK", "null", "WA-RES-I", "wa-res-i-001"];

/// The types of a reply, the one that takes no code first.
pub(super) const KINDS: &[&str] = &["S", "I", "D", "E"];

/// A lawful code of a type, or of any.
pub(super) fn lawful(u: &mut Unstructured<'_>, kind: Option<&str>) -> Result<String> {
    Ok(segments(u, kind)?.join("-"))
}

/// A code that is lawful three times in four, and nearly so else.
pub(super) fn near(u: &mut Unstructured<'_>, kind: Option<&str>) -> Result<String> {
    let [mut layer, mut area, mut letter, mut number] = segments(u, kind)?;
    if !odds(u, 1, 4)? {
        return Ok([layer, area, letter, number].join("-"));
    }
    let mut tail = "";
    match int(u, 9)? {
        0 | 1 => layer = *pick(u, OTHER_LAYERS)?,
        2 | 3 => area = *pick(u, OTHER_AREAS)?,
        4 => letter = *pick(u, OTHER_TYPES)?,
        5 => number = *pick(u, OTHER_NUMBERS)?,
        6 => tail = *pick(u, &["\n", " ", "-", "-001", "\0"])?,
        // Another pair of the matrix, perhaps a forbidden one.
        7 | 8 => {
            layer = *pick(u, &["EN", "WA", "CT", "MCP"])?;
            letter = *pick(u, KINDS)?;
        }
        _ => return Ok((*pick(u, WHOLE)?).to_owned()),
    }
    Ok(format!("{layer}-{area}-{letter}-{number}{tail}"))
}

fn segments(u: &mut Unstructured<'_>, kind: Option<&str>) -> Result<[&'static str; 4]> {
    let drawn = pick(u, &FAMILIES)?;
    let (letter, layers) = kind.and_then(|kind| FAMILIES.iter().find(|(letter, _)| *letter == kind)).unwrap_or(drawn);
    Ok([*pick(u, layers)?, *pick(u, AREAS)?, *letter, *pick(u, NUMBERS)?])
}
