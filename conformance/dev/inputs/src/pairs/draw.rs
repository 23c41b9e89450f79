//! Draws the leaves: numbers, strings and values. First choices are lawful ones, for bytes that run out.

use arbitrary::{Result, Unstructured};

use super::json::{Json, Text};

/// Integers that a canonical surface may hold.
const INTEGERS: &[&str] = &["0", "1", "-1", "7", "10", "2147483648", "9007199254740993", "1180591620717411303424"];
/// Number and literal tokens that Python's reader takes and a law may not.
const AWKWARD: &[&str] = &[
    "-0",
    "1.0",
    "1e2",
    "1E400",
    "NaN",
    "Infinity",
    "-Infinity",
    "0.0",
    "-0.0",
    "-0e0",
    "1.5",
    "1e-400",
    "1E+2",
    "100000000000000000000",
    "1e20",
    "9007199254740992.0",
    "-1180591620717411303424",
    "1e16",
    "0.1",
    "5e-324",
];
/// Tokens that no reader takes.
const MALFORMED: &[&str] = &[
    "01",
    "+1",
    "1.",
    ".5",
    "-",
    "0x10",
    "1_000",
    "1e",
    "-00",
    "nan",
    "inf",
    "-NaN",
    "tru",
    "True",
    "'a'",
    "[1,]",
    "{\"a\":1,}",
    "{\"a\"}",
    "\"\\x41\"",
    "\"\\u12\"",
    "\"\\u+123\"",
    "\"\t\"",
    "\"\u{1f}\"",
    "//",
    "\u{661}",
    "\u{a0}1",
    "\"\\ud800\\u00\"",
    "[1}",
    "",
];
const TEXTS: &[&str] = &[
    "a",
    "",
    "b",
    "A/",
    "\u{e9}",
    "e\u{301}",
    "\u{ff61}",
    "\u{1f600}",
    "\0",
    "\u{1f}",
    "\u{7f}",
    "\u{85}",
    "\u{2028}",
    "\u{feff}",
    "\u{fffe}",
    "\u{ffff}",
    "\"",
    "\\",
    "a/b~c",
    "~0~1",
    "\u{e000}",
    "\u{d7ff}",
    "\u{10ffff}",
    "\n\r\t",
    "\u{8}\u{c}",
    "<&>",
    "m",
    "_missing",
    "0",
    "null",
];

/// True in `hits` of `of` cases; false when the bytes have run out.
pub(crate) fn odds(u: &mut Unstructured<'_>, hits: u32, of: u32) -> Result<bool> {
    Ok(int(u, of.saturating_sub(1))? >= of.saturating_sub(hits))
}

/// An integer from 0 to `most`; 0 when the bytes have run out.
pub(crate) fn int(u: &mut Unstructured<'_>, most: u32) -> Result<u32> {
    u.int_in_range(0..=most)
}

/// An index below `length`, if there is one.
pub(crate) fn index(u: &mut Unstructured<'_>, length: usize) -> Result<Option<usize>> {
    match u32::try_from(length).unwrap_or(u32::MAX).checked_sub(1) {
        Some(most) => Ok(Some(int(u, most)? as usize)),
        None => Ok(None),
    }
}

/// An element; the first when the bytes have run out.
pub(crate) fn pick<'t, T>(u: &mut Unstructured<'_>, from: &'t [T]) -> Result<&'t T> {
    u.choose(from)
}

/// A string out of some; the first when the bytes have run out.
pub(crate) fn one_of(u: &mut Unstructured<'_>, from: &[&str]) -> Result<Json> {
    Ok(Json::text(u.choose(from)?))
}

/// A digest out of few, so that equal ones meet.
pub(crate) fn digest(u: &mut Unstructured<'_>) -> Result<Json> {
    let digit = pick(u, &["0", "1", "2", "a", "f"])?;
    Ok(Json::text(&digit.repeat(64)))
}

/// What stands where a digest belongs.
pub(crate) fn digest_like(u: &mut Unstructured<'_>) -> Result<Json> {
    Ok(match int(u, 9)? {
        0..=4 => digest(u)?,
        5 => Json::text(&"A".repeat(64)),
        6 => Json::NULL,
        7 => Json::text(&format!("sha256:{}", "0".repeat(64))),
        _ => value(u, 2, true)?,
    })
}

/// A string; lone surrogates only when `wild`.
pub(crate) fn text(u: &mut Unstructured<'_>, wild: bool) -> Result<Text> {
    let mut text = Text::from(*pick(u, TEXTS)?);
    if odds(u, 1, 4)? {
        text.0.extend(Text::from(*pick(u, TEXTS)?).0);
    }
    if wild && odds(u, 1, 6)? {
        let surrogate = *pick(u, &[0xD800, 0xDC80, 0xDBFF, 0xDFFF, 0xD83D, 0xDE00])?;
        if odds(u, 1, 2)? {
            text.0.insert(0, surrogate);
        } else {
            text.0.push(surrogate);
        }
    }
    Ok(text)
}

/// A number or literal; what canonical surfaces forbid only when `wild`.
pub(crate) fn token(u: &mut Unstructured<'_>, wild: bool) -> Result<Json> {
    if wild && odds(u, 1, 2)? {
        return Ok(match int(u, 47)? {
            0 => Json::token("1".repeat(4300)),
            1 => Json::token("7".repeat(4301)),
            2 => Json::token(format!("-{}", "9".repeat(4300))),
            3 => Json::token(*pick(u, MALFORMED)?),
            _ => Json::token(*pick(u, AWKWARD)?),
        });
    }
    Ok(match int(u, 5)? {
        0..=2 => Json::token(*pick(u, INTEGERS)?),
        3 => Json::NULL,
        4 => Json::token("true"),
        _ => Json::token("false"),
    })
}

/// A token that makes its whole document malformed.
pub(crate) fn malformed(u: &mut Unstructured<'_>) -> Result<Json> {
    Ok(Json::token(*pick(u, MALFORMED)?))
}

/// A value of any type, at most `depth` containers deep.
pub(crate) fn value(u: &mut Unstructured<'_>, depth: u32, wild: bool) -> Result<Json> {
    Ok(match int(u, if depth == 0 { 3 } else { 7 })? {
        0 | 1 => Json::Text(text(u, wild)?),
        2 | 3 => token(u, wild)?,
        4 | 5 => {
            let mut items = Vec::new();
            for _ in 0..int(u, 3)? {
                items.push(value(u, depth - 1, wild)?);
            }
            Json::List(items)
        }
        _ => {
            let mut members: Vec<(Text, Json)> = Vec::new();
            for _ in 0..int(u, 3)? {
                let name = text(u, wild)?;
                let repeated = members.iter().any(|(found, _)| *found == name);
                if !repeated || (wild && odds(u, 1, 3)?) {
                    members.push((name, value(u, depth - 1, wild)?));
                }
            }
            Json::Object(members)
        }
    })
}

/// A value inside up to forty containers.
pub(crate) fn chain(u: &mut Unstructured<'_>, wild: bool) -> Result<Json> {
    let mut inner = value(u, 1, wild)?;
    let levels = int(u, 39)?;
    let lists = odds(u, 1, 2)?;
    for level in 0..levels {
        inner = if lists || level % 3 == 0 { Json::List(vec![inner]) } else { Json::object([("a", inner)]) };
    }
    Ok(inner)
}

/// Nesting that every interpreter gives up on.
pub(crate) fn abyss() -> Json {
    Json::token(format!("{}{}", "[".repeat(20_000), "]".repeat(20_000)))
}

/// The details of an issue.
pub(crate) fn details(u: &mut Unstructured<'_>) -> Result<Json> {
    Ok(match int(u, 15)? {
        0..=4 => Json::Object(Vec::new()),
        5..=7 => Json::object([("token", Json::Text(text(u, false)?))]),
        8..=10 => Json::object([("message", Json::Text(text(u, false)?)), ("n", token(u, false)?)]),
        11 | 12 => Json::object([("any", value(u, 3, false)?)]),
        13 => chain(u, false)?,
        _ => value(u, 2, false)?,
    })
}
