//! Just enough of Python's object model: equality, hashing and order of what its JSON reader builds.
//!
//! Spec: rulings EQ-01 to EQ-05, NUM-10, TURN-09, TURN-10, DEC-08 to DEC-11, ISS-10 to ISS-13, FILE-20.

use std::cmp::Ordering;
use std::fmt::Write as _;

use crate::canon::python_repr;
use crate::json::{Kind, NodeRef, NumberToken};

/// Python's exception where values have no order among each other, or no hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TypeError;

/// A value as Python's reader builds it.
#[derive(Clone, Debug)]
pub enum Value {
    /// `None`.
    None,
    /// `True` or `False`.
    Bool(bool),
    /// An integer of any size, as its token.
    Int(Box<str>),
    /// A double.
    Float(f64),
    /// A string, in WTF-8.
    Str(Box<[u8]>),
    /// A list.
    List(Vec<Value>),
    /// A dictionary: each name once, with its last value.
    Dict(Vec<(Box<[u8]>, Value)>),
}

impl Value {
    /// Builds the value of a node. Nesting is bounded by the dialect's depth limit.
    pub(crate) fn of(node: NodeRef<'_>) -> Self {
        match node.kind() {
            Kind::Null => Self::None,
            Kind::True => Self::Bool(true),
            Kind::False => Self::Bool(false),
            Kind::String => Self::Str(node.as_string().map(|s| s.as_bytes().into()).unwrap_or_default()),
            Kind::Number => match node.as_number() {
                Some(token) if token.float => Self::Float(token.to_f64()),
                Some(token) => Self::Int(token.text.into()),
                None => Self::None,
            },
            Kind::Array => Self::List(node.elements().map(Self::of).collect()),
            Kind::Object => {
                let mut members: Vec<(Box<[u8]>, Self)> = Vec::new();
                for (name, value) in node.members() {
                    members.push((name.decode().as_bytes().into(), Self::of(value)));
                }
                // The last of equal names stands; their order does not matter to equality.
                members.sort_by(|(a, _), (b, _)| a.cmp(b));
                members.reverse();
                members.dedup_by(|(a, _), (b, _)| a == b);
                members.reverse();
                Self::Dict(members)
            }
        }
    }

    /// `a == b` at the top level, where a bare NaN equals nothing.
    pub(crate) fn equals(&self, other: &Self) -> bool {
        !matches!((self, other), (Self::Float(a), Self::Float(b)) if a.is_nan() || b.is_nan())
            && self.same_or_equal(other)
    }

    /// Equality inside containers and of dictionary keys, where one object equals itself: the reader hands out a single
    /// NaN object, so NaN equals NaN here (NUM-10).
    pub(crate) fn same_or_equal(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::None, Self::None) => true,
            (Self::Str(a), Self::Str(b)) => a == b,
            (Self::List(a), Self::List(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same_or_equal(b)),
            (Self::Dict(a), Self::Dict(b)) => {
                a.len() == b.len()
                    && a.iter().zip(b).all(|((name_a, a), (name_b, b))| name_a == name_b && a.same_or_equal(b))
            }
            (Self::Float(a), Self::Float(b)) if a.is_nan() && b.is_nan() => true,
            _ => {
                matches!((self.number(), other.number()), (Some(a), Some(b)) if a.compare(&b) == Some(Ordering::Equal))
            }
        }
    }

    /// `a < b`.
    pub(crate) fn less_than(&self, other: &Self) -> Result<bool, TypeError> {
        match (self, other) {
            (Self::Str(a), Self::Str(b)) => Ok(a < b),
            (Self::List(a), Self::List(b)) => less_than_in_sequence(a.iter().zip(b), a.len() < b.len()),
            _ => match (self.number(), other.number()) {
                (Some(a), Some(b)) => Ok(a.compare(&b) == Some(Ordering::Less)),
                _ => Err(TypeError),
            },
        }
    }

    /// A text that is equal for exactly the values that are one dictionary key; lists and dictionaries have no hash.
    pub(crate) fn hash_key(&self) -> Result<Vec<u8>, TypeError> {
        match self {
            Self::None => Ok(b"0".to_vec()),
            Self::Str(bytes) => Ok([b"s", &**bytes].concat()),
            Self::List(_) | Self::Dict(_) => Err(TypeError),
            Self::Bool(_) | Self::Int(_) | Self::Float(_) => {
                let mut key = String::from("n");
                match self.number() {
                    Some(Number::Int(token)) => key.push_str(if token == "-0" { "0" } else { token }),
                    Some(Number::Float(f)) if f.is_finite() && f.fract() == 0.0 => {
                        // Prints the exact integer; -0.0 is the key 0.
                        let _ = write!(key, "{:.0}", if f == 0.0 { 0.0 } else { f });
                    }
                    Some(Number::Float(f)) => {
                        let _ = write!(key, "{f:?}");
                    }
                    None => {}
                }
                Ok(key.into_bytes())
            }
        }
    }

    /// What `str()` gives inside an f-string; surrogates survive. Lists and dictionaries never get there.
    pub(crate) fn to_text(&self) -> Vec<u8> {
        match self {
            Self::None | Self::List(_) | Self::Dict(_) => b"None".to_vec(),
            Self::Bool(true) => b"True".to_vec(),
            Self::Bool(false) => b"False".to_vec(),
            Self::Int(token) => (if &**token == "-0" { "0" } else { token }).as_bytes().to_vec(),
            Self::Float(f) => python_repr(*f),
            Self::Str(bytes) => bytes.to_vec(),
        }
    }

    fn number(&self) -> Option<Number<'_>> {
        match self {
            Self::Bool(b) => Some(Number::Int(if *b { "1" } else { "0" })),
            Self::Int(token) => Some(Number::Int(token)),
            Self::Float(f) => Some(Number::Float(*f)),
            _ => None,
        }
    }
}

/// `a < b` for lists and tuples: the first pair that differs decides, else the length.
pub(crate) fn less_than_in_sequence<'v>(
    mut pairs: impl Iterator<Item = (&'v Value, &'v Value)>,
    shorter: bool,
) -> Result<bool, TypeError> {
    match pairs.find(|(a, b)| !a.same_or_equal(b)) {
        Some((a, b)) => a.less_than(b),
        None => Ok(shorter),
    }
}

enum Number<'v> {
    Int(&'v str),
    Float(f64),
}

impl Number<'_> {
    /// Exact comparison across integers and floats; `None` for NaN.
    fn compare(&self, other: &Number<'_>) -> Option<Ordering> {
        match (self, other) {
            (Number::Int(a), Number::Int(b)) => Some(NumberToken::cmp_integers(a, b)),
            (Number::Float(a), Number::Float(b)) => a.partial_cmp(b),
            (Number::Int(a), Number::Float(b)) => compare_exactly(a, *b),
            (Number::Float(a), Number::Int(b)) => compare_exactly(b, *a).map(Ordering::reverse),
        }
    }
}

/// Compares an integer with a double without rounding the integer.
fn compare_exactly(integer: &str, float: f64) -> Option<Ordering> {
    if float.is_nan() {
        return None;
    }
    if float.is_infinite() {
        return Some(if float > 0.0 { Ordering::Less } else { Ordering::Greater });
    }
    let whole = float.trunc();
    // Formatting without a fraction prints every digit of the integer part.
    let printed = format!("{:.0}", if whole == 0.0 { 0.0 } else { whole });
    let by_whole = NumberToken::cmp_integers(integer, &printed);
    Some(by_whole.then_with(|| 0.0_f64.partial_cmp(&float.fract()).unwrap_or(Ordering::Equal)))
}

/// Python's stable sort, with a comparison that may raise.
///
/// Which pairs are compared depends on the algorithm, but whether an exception is raised does not: items that compare
/// with nothing in common have to meet in any sort, since no order follows without them.
pub(crate) fn sort<T, E>(items: Vec<T>, less_than: &impl Fn(&T, &T) -> Result<bool, E>) -> Result<Vec<T>, E> {
    let mut runs: Vec<Vec<T>> = items.into_iter().map(|item| vec![item]).collect();
    while runs.len() > 1 {
        let mut merged = Vec::with_capacity(runs.len().div_ceil(2));
        let mut pending = runs.into_iter();
        while let Some(left) = pending.next() {
            merged.push(match pending.next() {
                Some(right) => merge(left, right, less_than)?,
                None => left,
            });
        }
        runs = merged;
    }
    Ok(runs.pop().unwrap_or_default())
}

fn merge<T, E>(left: Vec<T>, right: Vec<T>, less_than: &impl Fn(&T, &T) -> Result<bool, E>) -> Result<Vec<T>, E> {
    let mut out = Vec::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
    while let (Some(l), Some(r)) = (left.peek(), right.peek()) {
        let next = if less_than(r, l)? { right.next() } else { left.next() };
        out.extend(next);
    }
    out.extend(left);
    out.extend(right);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Dialect, Document};

    fn value(text: &str) -> Value {
        Value::of(Document::parse(text.as_bytes(), &Dialect::PYTHON).expect("JSON").root())
    }

    #[test]
    fn numbers_are_equal_across_types_and_exactly() {
        for (a, b) in [
            ("1", "true"),
            ("0", "false"),
            ("1", "1.0"),
            ("0", "-0.0"),
            ("100000000000000000000", "1e20"),
            ("[1]", "[true]"),
            ("Infinity", "1e999"),
            ("[NaN]", "[NaN]"),
            (r#"{"a":1,"b":2}"#, r#"{"b":2.0,"a":0,"a":true}"#),
        ] {
            assert!(value(a).equals(&value(b)), "{a} == {b}");
        }
        for (a, b) in [
            ("9007199254740993", "9007199254740992.0"),
            ("NaN", "NaN"),
            ("1", "\"1\""),
            ("null", "0"),
            ("1", "1.5"),
            ("[1]", "[1,2]"),
            (r#"{"a":1}"#, r#"{"b":1}"#),
        ] {
            assert!(!value(a).equals(&value(b)), "{a} != {b}");
        }
    }

    #[test]
    fn keys_agree_with_equality() {
        let texts = [
            "1",
            "true",
            "1.0",
            "0",
            "-0",
            "-0.0",
            "false",
            "1e20",
            "100000000000000000000",
            "NaN",
            "null",
            "\"1\"",
            "\"\"",
            "1.5",
        ];
        for a in texts.map(value) {
            for b in texts.map(value) {
                assert_eq!(a.hash_key().unwrap() == b.hash_key().unwrap(), a.same_or_equal(&b), "{a:?} {b:?}");
            }
        }
        assert!(value("[]").hash_key().is_err());
    }

    #[test]
    fn order_raises_between_types() {
        let sorted = |text: &str| {
            let Value::List(items) = value(text) else { panic!("a list") };
            sort(items, &Value::less_than)
                .map(|items| items.iter().map(|v| String::from_utf8(v.to_text()).unwrap()).collect::<Vec<_>>())
        };
        assert_eq!(sorted(r#"[10, 2, 1.5, true, -1]"#).unwrap(), ["-1", "True", "1.5", "2", "10"]);
        assert_eq!(sorted(r#"["10", "9", "｡", "😀"]"#).unwrap(), ["10", "9", "｡", "😀"]);
        for mixed in ["[1, \"a\"]", "[null, null]", "[{}, {}]", "[[1], [\"a\"]]", "[\"a\", null, \"b\"]"] {
            assert!(sorted(mixed).is_err(), "{mixed}");
        }
        assert!(sorted("[null]").is_ok() && sorted("[[1, null], [1, null]]").is_ok());
    }
}
