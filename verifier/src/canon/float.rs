//! Shortest decimal digits of a double, in the two layouts that profiles ask for.
//!
//! Spec: `facts/authority.md` section 2.3 (digits: shortest, closest, even on a tie; layout of Python's `repr`);
//! RFC 8785 section 3.2.2.3 (the layout of ECMAScript).

/// The shortest digits that read back to the same double, and the decimal exponent of `d1.d2d3...`.
pub(super) struct Decimal {
    negative: bool,
    digits: Vec<u8>,
    exponent: i32,
}

impl Decimal {
    /// Takes the digits from the `zmij` crate and drops its layout, which neither profile uses.
    pub(super) fn of(value: f64) -> Self {
        let mut buffer = zmij::Buffer::new();
        let text = buffer.format_finite(value);
        let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let written = whole.bytes().chain(fraction.bytes());
        let leading_zeros = written.clone().take_while(|&b| b == b'0').count();
        let mut digits: Vec<u8> = written.skip(leading_zeros).collect();
        while digits.last() == Some(&b'0') {
            digits.pop();
        }
        // The point stands behind `whole`; move it behind the first digit that is not zero.
        let shift = i32::try_from(whole.len()).unwrap_or(0) - 1 - i32::try_from(leading_zeros).unwrap_or(0);
        let exponent = exponent.trim_start_matches('+').parse::<i32>().unwrap_or(0) + shift;
        if digits.is_empty() {
            return Self { negative, digits: vec![b'0'], exponent: 0 };
        }
        Self { negative, digits, exponent }
    }

    /// Python's `repr`: positional for exponents from -4 to 15, always with a point; else `1.5e-07`.
    pub(super) fn append_python(&self, out: &mut Vec<u8>) {
        if self.negative {
            out.push(b'-');
        }
        if (-4..16).contains(&self.exponent) {
            self.append_positional(out);
            if usize::try_from(self.exponent).is_ok_and(|exponent| self.digits.len() <= exponent + 1) {
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
        if self.digits == b"0" {
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
            let sign = if self.exponent < 0 { '-' } else { '+' };
            out.extend_from_slice(format!("e{sign}{}", self.exponent.unsigned_abs()).as_bytes());
        }
    }

    fn append_mantissa(&self, out: &mut Vec<u8>) {
        let (first, rest) = self.digits.split_at(1);
        out.extend_from_slice(first);
        if !rest.is_empty() {
            out.push(b'.');
            out.extend_from_slice(rest);
        }
    }

    /// Digits with the point where the exponent puts it, and no point behind an integer.
    fn append_positional(&self, out: &mut Vec<u8>) {
        match usize::try_from(self.exponent) {
            Err(_) => {
                out.extend_from_slice(b"0.");
                let zeros = self.exponent.unsigned_abs() as usize - 1;
                out.extend(std::iter::repeat_n(b'0', zeros));
                out.extend_from_slice(&self.digits);
            }
            Ok(exponent) if self.digits.len() <= exponent + 1 => {
                out.extend_from_slice(&self.digits);
                out.extend(std::iter::repeat_n(b'0', exponent + 1 - self.digits.len()));
            }
            Ok(exponent) => {
                let (whole, fraction) = self.digits.split_at(exponent + 1);
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
    #[expect(clippy::excessive_precision, reason = "the exact tie is the point")]
    fn exact_ties_take_the_even_digit() {
        check(562949953421312.25, "562949953421312.2", "562949953421312.2");
        check(2f64.powi(-25), "2.9802322387695312e-08", "2.9802322387695312e-8");
        check(1125899906842624.25, "1125899906842624.2", "1125899906842624.2");
    }
}
