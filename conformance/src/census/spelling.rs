//! Classes of number tokens and strings, by their spelling in a document that need not be JSON.

use std::collections::BTreeSet;

use super::{Area, Cell};
use crate::catalogue::SYSTEMS;

const NUMBERS: [&str; 13] = [
    "integer",
    "integer beyond 2^53",
    "integer beyond 2^64",
    "integer of more than 300 digits",
    "negative zero",
    "fraction",
    "exponent",
    "subnormal",
    "underflow",
    "overflow",
    "NaN",
    "Infinity",
    "-Infinity",
];

const STRINGS: [&str; 13] = [
    "empty",
    "ASCII",
    "short escape",
    "escape by number",
    "raw control",
    "control by escape",
    "NUL by escape",
    "non-ASCII in the basic plane",
    "astral",
    "surrogate pair by escape",
    "lone surrogate by escape",
    "invalid UTF-8",
    "byte order mark",
];

/// Every class for every system.
pub(super) fn universe() -> impl Iterator<Item = Cell> {
    SYSTEMS.into_iter().flat_map(|system| {
        let numbers = NUMBERS.into_iter().map(move |class| Cell::new(system, Area::Number, class));
        numbers.chain(STRINGS.into_iter().map(move |class| Cell::new(system, Area::String, class)))
    })
}

/// The classes that a document holds.
pub(super) fn of(system: &str, octets: &[u8]) -> BTreeSet<Cell> {
    let (mut numbers, mut strings) = (BTreeSet::new(), BTreeSet::new());
    if octets.starts_with(b"\xEF\xBB\xBF") {
        strings.insert("byte order mark");
    }
    if std::str::from_utf8(octets).is_err() {
        strings.insert("invalid UTF-8");
    }
    let mut left = octets;
    while let Some((&first, rest)) = left.split_first() {
        left = match first {
            b'"' => string(rest, &mut strings),
            b'-' | b'0'..=b'9' => {
                let length = left.iter().take_while(|octet| b"+-.eE0123456789".contains(octet)).count();
                let (token, rest) = left.split_at(length);
                number(token, &mut numbers);
                match (token, rest.strip_prefix(b"Infinity")) {
                    (b"-", Some(rest)) => {
                        numbers.insert("-Infinity");
                        rest
                    }
                    _ => rest,
                }
            }
            b'N' if left.starts_with(b"NaN") => {
                numbers.insert("NaN");
                rest
            }
            b'I' if left.starts_with(b"Infinity") => {
                numbers.insert("Infinity");
                rest
            }
            _ => rest,
        };
    }
    let numbers = numbers.into_iter().map(|class| Cell::new(system, Area::Number, class));
    numbers.chain(strings.into_iter().map(|class| Cell::new(system, Area::String, class))).collect()
}

fn number(token: &[u8], classes: &mut BTreeSet<&'static str>) {
    let Some((text, value)) = std::str::from_utf8(token).ok().and_then(|text| Some((text, text.parse::<f64>().ok()?)))
    else {
        return;
    };
    let significand = text.split(['e', 'E']).next().unwrap_or_default();
    let zero = !significand.bytes().any(|octet| matches!(octet, b'1'..=b'9'));
    if zero && text.starts_with('-') {
        classes.insert("negative zero");
    }
    if text.contains(['.', 'e', 'E']) {
        if text.contains('.') {
            classes.insert("fraction");
        }
        if text.contains(['e', 'E']) {
            classes.insert("exponent");
        }
        if value.is_infinite() {
            classes.insert("overflow");
        }
        if value.is_subnormal() {
            classes.insert("subnormal");
        }
        if value == 0.0 && !zero {
            classes.insert("underflow");
        }
        return;
    }
    classes.insert("integer");
    let digits = text.trim_start_matches('-').trim_start_matches('0');
    if digits.len() > 300 {
        classes.insert("integer of more than 300 digits");
    }
    let value = digits.parse::<u128>().unwrap_or(if digits.is_empty() { 0 } else { u128::MAX });
    if value > 1 << 53 {
        classes.insert("integer beyond 2^53");
    }
    if value >= 1 << 64 {
        classes.insert("integer beyond 2^64");
    }
}

/// Reads a string after its opening quote, and returns what follows it.
fn string<'o>(octets: &'o [u8], classes: &mut BTreeSet<&'static str>) -> &'o [u8] {
    let mut left = octets;
    let (mut empty, mut ascii) = (true, true);
    // A high surrogate that waits for its other half.
    let mut high = false;
    while let Some((&first, rest)) = left.split_first() {
        if first == b'"' {
            classes.extend(high.then_some("lone surrogate by escape"));
            classes.extend(empty.then_some("empty"));
            classes.extend((ascii && !empty).then_some("ASCII"));
            return rest;
        }
        empty = false;
        let unit = (first == b'\\').then(|| unit(rest)).flatten();
        match unit {
            Some(0xDC00..=0xDFFF) if high => {
                classes.insert("surrogate pair by escape");
            }
            Some(0xDC00..=0xDFFF) => {
                classes.insert("lone surrogate by escape");
            }
            _ => classes.extend(high.then_some("lone surrogate by escape")),
        }
        high = matches!(unit, Some(0xD800..=0xDBFF));
        match unit {
            Some(0) => classes.extend(["NUL by escape", "control by escape"]),
            Some(1..=0x1F) => classes.extend(["control by escape"]),
            _ => {}
        }
        classes.extend(unit.map(|_| "escape by number"));
        left = match (first, unit) {
            (b'\\', Some(_)) => rest.get(5..).unwrap_or_default(),
            (b'\\', None) => {
                classes.insert("short escape");
                rest.get(1..).unwrap_or_default()
            }
            _ => rest,
        };
        ascii &= first < 0x80 && unit.is_none_or(|unit| unit < 0x80);
        classes.extend(match first {
            0..=0x1F => Some("raw control"),
            0xF0..=0xF4 => Some("astral"),
            0xC0..=0xEF => Some("non-ASCII in the basic plane"),
            _ => None,
        });
    }
    left
}

/// The code unit of an escape by number, after its backslash.
fn unit(octets: &[u8]) -> Option<u32> {
    let digits = std::str::from_utf8(octets.strip_prefix(b"u")?.get(..4)?).ok()?;
    digits.bytes().all(|digit| digit.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &[u8], classes: &[&str]) {
        let found: BTreeSet<_> = of("canon", text).into_iter().map(|cell| cell.cell).collect();
        let wanted: BTreeSet<_> = classes.iter().map(ToString::to_string).collect();
        assert_eq!(found, wanted, "{}", text.escape_ascii());
    }

    #[test]
    fn tokens_and_strings_have_their_classes() {
        check(b"[0,-7]", &["integer"]);
        check(b"9007199254740993", &["integer", "integer beyond 2^53"]);
        check(b"9007199254740992", &["integer"]);
        check(b"18446744073709551616", &["integer", "integer beyond 2^53", "integer beyond 2^64"]);
        check(b"-0", &["integer", "negative zero"]);
        check(b"-0.0e1", &["negative zero", "fraction", "exponent"]);
        check(b"5e-324", &["exponent", "subnormal"]);
        check(b"1e-400", &["exponent", "underflow"]);
        check(b"1E400", &["exponent", "overflow"]);
        check(b"[NaN,Infinity,-Infinity]", &["NaN", "Infinity", "-Infinity"]);
        check(br#"["","a\n"]"#, &["empty", "ASCII", "short escape"]);
        check(br#""\u0000""#, &["ASCII", "escape by number", "control by escape", "NUL by escape"]);
        check(br#""\ud83d\ude00""#, &["escape by number", "surrogate pair by escape"]);
        check(br#""\ud83d""#, &["escape by number", "lone surrogate by escape"]);
        check(br#""\ud83dx\ude00""#, &["escape by number", "lone surrogate by escape"]);
        check("\"\u{e9}\u{1f600}\"".as_bytes(), &["non-ASCII in the basic plane", "astral"]);
        check(b"\xEF\xBB\xBF\"\x01\"", &["byte order mark", "raw control", "ASCII"]);
        check(b"\"\xFF\"", &["invalid UTF-8"]);
    }
}
