//! Numbers by their tokens.

use crate::error::Error;

/// 2^53-1, the largest integer that every reader of doubles keeps.
const SAFE: i64 = (1 << 53) - 1;

/// Whether a token is spelled as an integer: without fraction, exponent, or the letters of NaN and Infinity.
fn is_integer(token: &str) -> bool {
    !token.contains(['.', 'e', 'E', 'N', 'I'])
}

pub(super) fn sovereign(token: &str) -> Result<String, Error> {
    if !is_integer(token) {
        return Err(Error::Value);
    }
    if token == "-0" {
        return Err(Error::Value);
    }
    Ok(token.to_owned())
}

pub(super) fn episode(token: &str) -> Result<String, Error> {
    if is_integer(token) && !token.parse().is_ok_and(|value: i64| (-SAFE..=SAFE).contains(&value)) {
        return Err(Error::Value);
    }
    rfc8785(token)
}

pub(super) fn rfc8785(token: &str) -> Result<String, Error> {
    Decimal::shortest(token).map(|decimal| decimal.ecmascript())
}

pub(super) fn authority(token: &str) -> Result<String, Error> {
    match token {
        "-0" => Ok("0".to_owned()),
        token if is_integer(token) => Ok(token.to_owned()),
        token => Decimal::shortest(token).map(|decimal| decimal.python()),
    }
}

/// A double as its shortest digits d1d2..., standing for d1.d2... times ten to the power of the exponent.
struct Decimal {
    sign: &'static str,
    digits: String,
    exponent: i32,
}

impl Decimal {
    /// Reads a token as a double. Formatting finds how many digits it takes, but of two that are equally close it takes the
    /// upper ones; with that many digits asked for, it takes the even ones. Its layout is that of neither profile.
    fn shortest(token: &str) -> Result<Self, Error> {
        // `parse` would take `NaN` and `Infinity`, and answers `1e400` with infinity.
        let value = token.parse().ok().filter(|value: &f64| value.is_finite()).ok_or(Error::Value)?;
        let shortest = format!("{:e}", value.abs());
        let count = shortest.bytes().take_while(|byte| *byte != b'e').filter(u8::is_ascii_digit).count();
        let closest = format!("{:.*e}", count - 1, value.abs());
        // At the edge of a power of two the closest digits may stand for the double beside it.
        let text = if closest.parse() == Ok(value.abs()) { closest } else { shortest };
        let (mantissa, exponent) = text.split_once('e').ok_or(Error::Value)?;
        Ok(Self {
            sign: if value.is_sign_negative() { "-" } else { "" },
            digits: mantissa.replace('.', ""),
            exponent: exponent.parse().map_err(|_| Error::Value)?,
        })
    }

    /// The digits with the point where the exponent puts it, and none after an integer.
    fn positional(&self) -> String {
        let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or(0));
        let point = self.exponent + 1;
        match usize::try_from(point) {
            Ok(point) if point > 0 && point < self.digits.len() => {
                let (whole, part) = self.digits.split_at(point);
                format!("{whole}.{part}")
            }
            Ok(places) if places > 0 => format!("{}{}", self.digits, "0".repeat(places - self.digits.len())),
            _ => format!("0.{}{}", zeros(-point), self.digits),
        }
    }

    fn mantissa(&self) -> String {
        match self.digits.split_at(1) {
            (first, "") => first.to_owned(),
            (first, rest) => format!("{first}.{rest}"),
        }
    }

    /// The layout of Number::toString; zero has no sign there.
    fn ecmascript(&self) -> String {
        let Self { sign, exponent, .. } = self;
        match exponent {
            _ if self.digits == "0" => "0".to_owned(),
            -6..=20 => format!("{sign}{}", self.positional()),
            _ => format!("{sign}{}e{exponent:+}", self.mantissa()),
        }
    }

    /// The layout of repr: always a point or an exponent, and two digits of the latter at least.
    fn python(&self) -> String {
        let Self { sign, exponent, .. } = self;
        if !(-4..16).contains(exponent) {
            return format!("{sign}{}e{exponent:+03}", self.mantissa());
        }
        let text = self.positional();
        let point = if text.contains('.') { "" } else { ".0" };
        format!("{sign}{text}{point}")
    }
}
