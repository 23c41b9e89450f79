//! Number tokens: the text of a number, never its binary approximation.

use std::cmp::Ordering;

/// A number exactly as it stands in the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberToken<'a> {
    /// The token, for instance `-0`, `1e2` or `NaN`.
    pub text: &'a str,
    /// True if the token has a fraction or an exponent, or is one of the constants.
    pub float: bool,
}

impl NumberToken<'_> {
    /// The nearest double; for integers too, where it may round.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        match self.text {
            "Infinity" => f64::INFINITY,
            "-Infinity" => f64::NEG_INFINITY,
            // The standard parser reads every JSON number and rounds correctly; only `NaN` is left over.
            text => text.parse().unwrap_or(f64::NAN),
        }
    }

    /// True for a token that the float ban refuses: any float spelling, a constant, or `-0`.
    #[must_use]
    pub(crate) fn is_banned(self) -> bool {
        self.float || self.text == "-0"
    }

    /// The value of a non-negative integer token that fits 64 bits.
    #[must_use]
    pub fn to_u64(self) -> Option<u64> {
        if self.float { None } else { self.text.parse().ok() }
    }

    /// Compares two integer tokens of any size by value.
    #[must_use]
    pub(crate) fn cmp_integers(a: &str, b: &str) -> Ordering {
        let (sign_a, digits_a) = sign_and_digits(a);
        let (sign_b, digits_b) = sign_and_digits(b);
        let by_size = || digits_a.len().cmp(&digits_b.len()).then_with(|| digits_a.cmp(digits_b));
        match (sign_a, sign_b) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => by_size(),
            (true, true) => by_size().reverse(),
        }
    }
}

/// Splits an integer token; zero of either sign is not negative.
fn sign_and_digits(token: &str) -> (bool, &str) {
    match token.strip_prefix('-') {
        Some("0") => (false, "0"),
        Some(digits) => (true, digits),
        None => (false, token),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Dialect, Document};

    #[test]
    fn integers_compare_by_value_at_any_size() {
        let big = format!("1{}", "0".repeat(40));
        let mut tokens = vec!["10", "2", "-0", &big, "-10", "-9", "0"];
        tokens.sort_by(|a, b| NumberToken::cmp_integers(a, b));
        assert_eq!(tokens, ["-10", "-9", "-0", "0", "2", "10", &big]);
    }

    #[test]
    fn the_ban_looks_at_spelling() {
        let is_banned = |text: &str| {
            let document = Document::parse(text.as_bytes(), &Dialect::LAW).unwrap();
            document.root().as_number().unwrap().is_banned()
        };
        for banned in ["-0", "1.0", "1e2", "1E400", "NaN", "-Infinity", "-0.0"] {
            assert!(is_banned(banned), "{banned}");
        }
        for lawful in ["0", "-1", "1180591620717411303424"] {
            assert!(!is_banned(lawful), "{lawful}");
        }
    }
}
