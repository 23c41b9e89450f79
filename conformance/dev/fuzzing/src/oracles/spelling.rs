//! What verdicts hang on in the spelling of a text, as Python's reader read it (`assize_oracle::reading`).

use std::collections::BTreeSet;

use serde_json::{Map, Number, Value};

/// Something that a canonical form may refuse, in the order of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Feature {
    /// A number with a fraction or an exponent, within the range of doubles.
    Float,
    /// One beyond that range.
    Overflow,
    /// `NaN`, `Infinity` or `-Infinity`.
    Constant,
    /// The integer token `-0`.
    NegativeZero,
    /// An integer token beyond 2^53-1 on either side.
    UnsafeInteger,
    /// An integer token beyond the range of doubles; it is unsafe too.
    HugeInteger,
    /// A string or name that has no UTF-8 form.
    LoneSurrogate,
    /// A name that stood in its object before.
    Duplicate,
}

/// Facts of one text.
#[derive(Debug, Default)]
pub(super) struct Spelling {
    /// Containers that are open at once.
    pub(super) depth: usize,
    /// Digits of the longest integer token, the sign not counted.
    pub(super) digits: usize,
    /// See [`Feature`].
    pub(super) features: Vec<Feature>,
}

impl Spelling {
    /// Collects the facts.
    pub(super) fn of(lines: &str) -> Self {
        let mut found = Self::default();
        // The names met so far in each open container.
        let mut open: Vec<BTreeSet<&str>> = Vec::new();
        for line in lines.lines() {
            match line.split_at_checked(1) {
                Some(("{" | "[", _)) => {
                    open.push(BTreeSet::new());
                    found.depth = found.depth.max(open.len());
                }
                Some(("}" | "]", _)) => drop(open.pop()),
                Some(("n", name)) if line != "null" => {
                    if open.last_mut().is_some_and(|names| !names.insert(name)) {
                        found.features.push(Feature::Duplicate);
                    }
                    found.string(name);
                }
                Some(("s", text)) => found.string(text),
                Some(("i", token)) => found.integer(token),
                Some(("f", float)) if line != "false" => found.features.push(float_feature(float)),
                _ => {}
            }
        }
        found
    }

    fn string(&mut self, hexadecimal: &str) {
        if text(hexadecimal).is_none() {
            self.features.push(Feature::LoneSurrogate);
        }
    }

    fn integer(&mut self, token: &str) {
        let digits = token.trim_start_matches('-');
        self.digits = self.digits.max(digits.len());
        if token == "-0" {
            self.features.push(Feature::NegativeZero);
        }
        if !digits.parse::<u64>().is_ok_and(|magnitude| magnitude < 1 << 53) {
            self.features.push(Feature::UnsafeInteger);
        }
        if token.parse().is_ok_and(f64::is_infinite) {
            self.features.push(Feature::HugeInteger);
        }
    }

    pub(super) fn has_constants(&self) -> bool {
        self.features.contains(&Feature::Constant)
    }
}

fn float_feature(line: &str) -> Feature {
    let (bits, token) = line.split_once(' ').unwrap_or((line, ""));
    match bits {
        _ if token.ends_with(['N', 'y']) => Feature::Constant,
        "7ff0000000000000" | "fff0000000000000" => Feature::Overflow,
        _ => Feature::Float,
    }
}

/// The string that a line's hexadecimal stands for; `None` if it has no UTF-8 form.
fn text(hexadecimal: &str) -> Option<String> {
    let pairs = hexadecimal.as_bytes().chunks(2);
    let octets = pairs.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok());
    String::from_utf8(octets.collect::<Option<Vec<u8>>>()?).ok()
}

/// The value that a spelling stands for, with every number as a double. `None` if a value has no such form.
pub(super) fn value(lines: &str) -> Option<Value> {
    // Open containers, each with the name under which the next value goes.
    let mut open: Vec<(Value, String)> = Vec::new();
    for line in lines.lines() {
        let done = match line {
            "{" | "[" => {
                let empty = if line == "{" { Value::Object(Map::new()) } else { Value::Array(Vec::new()) };
                open.push((empty, String::new()));
                continue;
            }
            "}" | "]" => open.pop()?.0,
            "null" => Value::Null,
            "true" | "false" => Value::Bool(line == "true"),
            _ => match line.split_at_checked(1)? {
                ("n", name) => {
                    open.last_mut()?.1 = text(name)?;
                    continue;
                }
                ("s", string) => Value::String(text(string)?),
                ("i", token) => Value::Number(Number::from_f64(token.parse().ok()?)?),
                (_, float) => {
                    let bits = u64::from_str_radix(float.split_once(' ')?.0, 16).ok()?;
                    Value::Number(Number::from_f64(f64::from_bits(bits))?)
                }
            },
        };
        match open.last_mut() {
            None => return Some(done),
            Some((Value::Array(items), _)) => items.push(done),
            Some((Value::Object(members), name)) => drop(members.insert(std::mem::take(name), done)),
            Some(_) => return None,
        }
    }
    None
}

/// Brackets that are open at once, whatever else is wrong with the text: for texts that Python gave up on.
pub(super) fn nesting(text: &[u8]) -> usize {
    let (mut open, mut most) = (0_usize, 0);
    for octet in outside_strings(text) {
        match octet {
            b'[' | b'{' => {
                open += 1;
                most = most.max(open);
            }
            b']' | b'}' => open = open.saturating_sub(1),
            _ => {}
        }
    }
    most
}

/// The number tokens of a JSON text, in its order.
pub(crate) fn numbers(text: &[u8]) -> Vec<String> {
    let plain: String = outside_strings(text).map(char::from).collect();
    let tokens = plain.split(|letter: char| !letter.is_ascii_alphanumeric() && !"+-.".contains(letter));
    tokens
        .filter(|token| token.starts_with(|letter: char| letter == '-' || letter.is_ascii_digit()))
        .map(str::to_owned)
        .collect()
}

/// What stands outside of strings.
fn outside_strings(text: &[u8]) -> impl Iterator<Item = u8> {
    let mut octets = text.iter().copied();
    std::iter::from_fn(move || {
        let octet = octets.next()?;
        if octet != b'"' {
            return Some(octet);
        }
        // To the closing quote; what follows a backslash does not close.
        while let Some(inside) = octets.next() {
            match inside {
                b'\\' => drop(octets.next()),
                b'"' => break,
                _ => {}
            }
        }
        Some(octet)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_stand_in_the_order_of_the_text() {
        let text = br#"{"a":[-0,1.5,{"a":9007199254740992}],"\ud800":1e400,"a":-Infinity,"b":9007199254740991}"#;
        let lines = assize_oracle::read(text).unwrap().spelling.unwrap();
        let found = Spelling::of(&lines);
        assert_eq!((found.depth, found.digits), (3, 16));
        assert_eq!(
            found.features,
            [
                Feature::NegativeZero,
                Feature::Float,
                Feature::UnsafeInteger,
                Feature::LoneSurrogate,
                Feature::Overflow,
                Feature::Duplicate,
                Feature::Constant,
            ]
        );
        assert_eq!(value(&lines), None, "an infinity");
    }

    #[test]
    fn values_are_rebuilt() {
        let lines = assize_oracle::read(r#"{"é":[null,true,false,-0,2.5,{}],"":"x"}"#.as_bytes()).unwrap().spelling;
        assert_eq!(value(&lines.unwrap()), Some(serde_json::json!({"é": [null, true, false, 0.0, 2.5, {}], "": "x"})));
        assert_eq!(nesting(br#"[{"[[[\"[":[]},["#), 3);
    }

    #[test]
    fn numbers_are_those_outside_of_strings() {
        let text = br#"{"1\"2":[true, -150e0014,0],"3":{"4":"5","6":1.5E+3},"e":null}"#;
        assert_eq!(numbers(text), ["-150e0014", "0", "1.5E+3"]);
        assert_eq!((numbers(b" -7\n"), numbers(b"\"8\"").len()), (vec!["-7".to_owned()], 0));
    }
}
