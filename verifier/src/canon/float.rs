//! Shortest decimal digits of a double, in the layouts that profiles ask for.
//!
//! Spec: ruling AU-43 (digits: shortest, closest, even on a tie; layout of Python's `repr`);
//! RFC 8785 section 3.2.2.3 (the layout of ECMAScript).

use super::CanonRefusalKind;
use crate::json::NumberToken;

/// Decimal digits of which a double keeps every one: two numbers of so many digits are never the same double.
pub(super) const EXACT_DIGITS: usize = 15;

/// Whether every profile writes a number as it stands: an integer so small that every double keeps it, and not `-0`.
#[inline(always)]
pub(super) fn is_plain(token: NumberToken<'_>) -> bool {
    !token.float && token.text.len() <= EXACT_DIGITS && token.text != "-0"
}

/// A fraction whose own text tells how it is printed: written without an exponent and with at most [`EXACT_DIGITS`] digits,
/// its shortest digits are its own, since no shorter number is the same double.
pub(super) struct Exact<'t> {
    sign: &'t str,
    whole: &'t str,
    /// Without zeros at its end.
    fraction: &'t str,
}

impl<'t> Exact<'t> {
    /// `tiny` are the first digits of fractions so small that they are printed with an exponent.
    fn of(token: &'t str, tiny: &str) -> Option<Self> {
        let (sign, digits) = token.strip_prefix('-').map_or(("", token), |digits| ("-", digits));
        let (whole, fraction) = digits.split_once('.')?;
        let short = digits.len() <= EXACT_DIGITS + 1 && !fraction.contains(['e', 'E']);
        let fraction = if short { fraction.trim_end_matches('0') } else { return None };
        let small = whole == "0" && fraction.starts_with(tiny);
        if small { None } else { Some(Self { sign, whole, fraction }) }
    }

    /// The parts, if Python prints them in this order.
    pub(super) fn python(token: &'t str) -> Option<Self> {
        Self::of(token, "0000")
    }

    /// The parts, if ECMAScript prints them in this order.
    pub(super) fn ecmascript(token: &'t str) -> Option<Self> {
        Self::of(token, "00000")
    }

    /// One digit at least after the point; zero keeps its sign.
    pub(super) fn append_python(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.sign.as_bytes());
        out.extend_from_slice(self.whole.as_bytes());
        out.push(b'.');
        out.extend_from_slice(if self.fraction.is_empty() { b"0" } else { self.fraction.as_bytes() });
    }

    /// No point after an integer, no sign before zero.
    pub(super) fn append_ecmascript(&self, out: &mut Vec<u8>) {
        if self.whole == "0" && self.fraction.is_empty() {
            out.push(b'0');
            return;
        }
        out.extend_from_slice(self.sign.as_bytes());
        out.extend_from_slice(self.whole.as_bytes());
        if !self.fraction.is_empty() {
            out.push(b'.');
            out.extend_from_slice(self.fraction.as_bytes());
        }
    }
}

/// The nearest double, if it is one that JSON can show.
pub(super) fn finite(token: NumberToken<'_>) -> Result<f64, CanonRefusalKind> {
    let value = token.to_f64();
    if value.is_finite() { Ok(value) } else { Err(CanonRefusalKind::NonFinite) }
}

/// Appends a fraction as it stands, if that is how every profile prints its double: by its shortest digits, without an exponent.
pub(super) fn append_shortest(token: NumberToken<'_>, value: f64, out: &mut Vec<u8>) -> bool {
    let text = token.text;
    // Of the rest some profiles print an exponent, or an integer.
    let plain = !text.ends_with(".0") && !text.trim_start_matches('-').starts_with("0.0000");
    let positional = text.bytes().all(|byte| byte | 0x20 != b'e');
    let shortest = plain && positional && zmij::Buffer::new().format_finite(value) == text;
    if shortest {
        out.extend_from_slice(text.as_bytes());
    }
    shortest
}

/// Appends an integer token in full; zero has no sign.
pub(super) fn append_integer(token: NumberToken<'_>, out: &mut Vec<u8>) {
    out.extend_from_slice(if token.text == "-0" { b"0" } else { token.text.as_bytes() });
}

/// Digits that a double never exceeds.
const MOST: usize = 17;

/// The shortest digits that read back to the same double, and the decimal exponent of `d1.d2d3...`.
pub(super) struct Decimal {
    negative: bool,
    digits: [u8; MOST],
    length: usize,
    exponent: i32,
}

impl Decimal {
    /// Takes the digits from the `zmij` crate and drops its layout, which neither profile uses.
    pub(super) fn of(value: f64) -> Self {
        let mut buffer = zmij::Buffer::new();
        let text = buffer.format_finite(value).as_bytes();
        let mut decimal = Self { negative: false, digits: [b'0'; MOST], length: 0, exponent: 0 };
        // Digits that count, and where the point stands among all digits.
        let (mut kept, mut whole, mut leading, mut fraction) = (0, 0, 0, false);
        let mut rest = text;
        while let [byte, after @ ..] = rest {
            match byte {
                b'-' => decimal.negative = true,
                b'.' => fraction = true,
                b'e' | b'E' => break,
                digit => {
                    whole += i32::from(!fraction);
                    if *digit == b'0' && kept == 0 {
                        leading += 1;
                    } else if let Some(slot) = decimal.digits.get_mut(kept) {
                        *slot = *digit;
                        kept += 1;
                        if *digit != b'0' {
                            decimal.length = kept;
                        }
                    }
                }
            }
            rest = after;
        }
        if decimal.length == 0 {
            decimal.length = 1;
            return decimal;
        }
        let exponent = rest.split_first().and_then(|(_, digits)| std::str::from_utf8(digits).ok());
        let exponent = exponent.map_or(0, |digits| digits.trim_start_matches('+').parse::<i32>().unwrap_or(0));
        // The point stands after `whole`; move it after the first digit that is not zero.
        decimal.exponent = exponent + whole - 1 - leading;
        decimal
    }

    fn digits(&self) -> &[u8] {
        self.digits.get(..self.length).unwrap_or_default()
    }

    /// Python's `repr`: positional for exponents from -4 to 15, always with a point; else `1.5e-07`.
    pub(super) fn append_python(&self, out: &mut Vec<u8>) {
        if self.negative {
            out.push(b'-');
        }
        if (-4..16).contains(&self.exponent) {
            self.append_positional(out);
            if usize::try_from(self.exponent).is_ok_and(|exponent| self.length <= exponent + 1) {
                out.extend_from_slice(b".0");
            }
        } else {
            self.append_mantissa(out);
            let sign = if self.exponent < 0 { '-' } else { '+' };
            out.extend_from_slice(format!("e{sign}{:02}", self.exponent.unsigned_abs()).as_bytes());
        }
    }

    /// ECMAScript's Number::toString: positional for exponents from -6 to 20; else `1.5e-7`; zero has no sign.
    pub(super) fn append_ecmascript(&self, out: &mut Vec<u8>) {
        self.append_shortest(out, ["e+", "e-"]);
    }

    /// The same layout, but for exponents written `1.5E21` and `1.5E-7`.
    pub(super) fn append_assay(&self, out: &mut Vec<u8>) {
        self.append_shortest(out, ["E", "E-"]);
    }

    /// `markers` stand before a positive and a negative exponent.
    fn append_shortest(&self, out: &mut Vec<u8>, markers: [&str; 2]) {
        if self.digits() == b"0" {
            out.push(b'0');
            return;
        }
        if self.negative {
            out.push(b'-');
        }
        if (-6..21).contains(&self.exponent) {
            self.append_positional(out);
        } else {
            self.append_mantissa(out);
            let [positive, negative] = markers;
            let marker = if self.exponent < 0 { negative } else { positive };
            out.extend_from_slice(format!("{marker}{}", self.exponent.unsigned_abs()).as_bytes());
        }
    }

    fn append_mantissa(&self, out: &mut Vec<u8>) {
        let (first, rest) = self.digits().split_at(1);
        out.extend_from_slice(first);
        if !rest.is_empty() {
            out.push(b'.');
            out.extend_from_slice(rest);
        }
    }

    /// Digits with the point where the exponent puts it, and no point after an integer.
    fn append_positional(&self, out: &mut Vec<u8>) {
        match usize::try_from(self.exponent) {
            Err(_) => {
                out.extend_from_slice(b"0.");
                let zeros = self.exponent.unsigned_abs() as usize - 1;
                out.extend(std::iter::repeat_n(b'0', zeros));
                out.extend_from_slice(self.digits());
            }
            Ok(exponent) if self.length <= exponent + 1 => {
                out.extend_from_slice(self.digits());
                out.extend(std::iter::repeat_n(b'0', exponent + 1 - self.length));
            }
            Ok(exponent) => {
                let (whole, fraction) = self.digits().split_at(exponent + 1);
                out.extend_from_slice(whole);
                out.push(b'.');
                out.extend_from_slice(fraction);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(value: f64, python: &str, ecmascript: &str) {
        let (mut p, mut e) = (Vec::new(), Vec::new());
        Decimal::of(value).append_python(&mut p);
        Decimal::of(value).append_ecmascript(&mut e);
        assert_eq!((String::from_utf8(p).unwrap(), String::from_utf8(e).unwrap()), (python.into(), ecmascript.into()));
    }

    #[test]
    fn layouts_follow_their_tables() {
        check(0.0, "0.0", "0");
        check(-0.0, "-0.0", "0");
        check(1.0, "1.0", "1");
        check(0.0001, "0.0001", "0.0001");
        check(1e-5, "1e-05", "0.00001");
        check(1e-7, "1e-07", "1e-7");
        check(2.5e-8, "2.5e-08", "2.5e-8");
        check(123456789.125, "123456789.125", "123456789.125");
        check(9999999999999998.0, "9999999999999998.0", "9999999999999998");
        check(1e16, "1e+16", "10000000000000000");
        check(1e20, "1e+20", "100000000000000000000");
        check(1e21, "1e+21", "1e+21");
        check(-1.5e300, "-1.5e+300", "-1.5e+300");
        check(5e-324, "5e-324", "5e-324");
        check(f64::MAX, "1.7976931348623157e+308", "1.7976931348623157e+308");
    }

    #[test]
    fn exact_fractions_are_printed_as_their_doubles_are() {
        let check = |text: &str, taken: bool| {
            let (mut fast, mut slow) = (Vec::new(), Vec::new());
            let exact = Exact::ecmascript(text);
            assert_eq!(exact.is_some(), taken, "{text}");
            if let Some(exact) = exact {
                exact.append_ecmascript(&mut fast);
                Decimal::of(text.parse().unwrap()).append_ecmascript(&mut slow);
            }
            assert_eq!(fast, slow, "{text}");
            let (mut fast, mut slow) = (Vec::new(), Vec::new());
            if let Some(exact) = Exact::python(text) {
                exact.append_python(&mut fast);
                Decimal::of(text.parse().unwrap()).append_python(&mut slow);
            }
            assert_eq!(fast, slow, "{text}");
            let small = text.trim_start_matches('-').starts_with("0.0000");
            assert_eq!(
                !fast.is_empty(),
                taken && !(small && text.contains(['1', '2', '3', '4', '5', '6', '7', '8', '9']))
            );
        };
        for text in ["0.0", "-0.0", "1.0", "-1.50", "0.00001", "0.1", "99999999999999.9", "0.50000000000000", "100.0"] {
            check(text, true);
        }
        for text in ["0.000001", "0.0000012", "1.5e3", "1e3", "0.1234567890123456", "1234567890123456.0"] {
            check(text, false);
        }
        let mut state: u64 = 1;
        for _ in 0..100_000 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let (digits, places) = (state >> 15, (state % 15) as usize);
            let text = format!("{:0>16}", digits % 1_000_000_000_000_000);
            let (whole, fraction) = text.split_at(text.len() - places.max(1));
            let whole = whole.trim_start_matches('0');
            let text = format!("{}.{fraction}", if whole.is_empty() { "0" } else { whole });
            check(&text, !text.starts_with("0.00000"));
        }
    }

    #[test]
    fn the_shortest_digits_are_printed_as_they_stand() {
        let stands = |text: &str, expected: bool| {
            let mut out = Vec::new();
            assert_eq!(
                append_shortest(NumberToken { text, float: true }, text.parse().unwrap(), &mut out),
                expected,
                "{text}"
            );
            assert_eq!(out, if expected { text.as_bytes() } else { b"" });
            if expected {
                check(text.parse().unwrap(), text, text);
            }
        };
        for text in ["0.1234567890123456", "-98765.43210987654", "0.0001234567890123456", "1125899906842624.2"] {
            stands(text, true);
        }
        for text in [
            "0.12345678901234567890",
            "0.00001234567890123456",
            "1125899906842624.25",
            "1125899906842624.0",
            "1.234567890123456e3",
            "1234567890123456.70",
        ] {
            stands(text, false);
        }
    }

    #[test]
    fn the_assay_form_differs_in_exponents_alone() {
        for (value, expected) in [
            (1e21, "1E21"),
            (-1.5e300, "-1.5E300"),
            (2.5e-8, "2.5E-8"),
            (1e20, "100000000000000000000"),
            (0.5, "0.5"),
            (-0.0, "0"),
        ] {
            let mut out = Vec::new();
            Decimal::of(value).append_assay(&mut out);
            assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
    }

    #[test]
    #[expect(clippy::excessive_precision, reason = "the exact tie is the point")]
    fn exact_ties_take_the_even_digit() {
        check(562949953421312.25, "562949953421312.2", "562949953421312.2");
        check(2f64.powi(-25), "2.9802322387695312e-08", "2.9802322387695312e-8");
        check(1125899906842624.25, "1125899906842624.2", "1125899906842624.2");
    }
}
