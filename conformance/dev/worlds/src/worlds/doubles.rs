//! Doubles around every border of a layout, and how the profiles write them.
//!
//! Spec: RFC 8785 section 3.2.2.3 and ECMA-262 Number::toString; rulings CN-1 and EP-26; ruling AU-43 for Python's `repr`.
//!
//! The digits come from two libraries that are not the verifier's: `ryu` and Python's `repr`. What is made of them is
//! written here by the steps of ECMA-262. The standard library's `{:e}` is no such source: of two spellings that lie as far from a double
//! it takes the larger, and the texts the even one.

use std::ops::Range;

use assize_oracle::texts::spellings;
use assize_verifier::canon::{Profile, canonicalize};

use crate::{
    ask::differ,
    search::{Facts, Tally, World},
};

/// Doubles around borders.
#[derive(Debug)]
pub(crate) struct Doubles;

/// Powers of ten that a double has, the smallest one the least double.
const POWERS: Range<i32> = -323..309;
/// Borders that are no powers of ten: the bits of each.
const BORDERS: [u64; 9] = [
    0x0000_0000_0000_0000,
    // The least normal double, and the largest of all.
    0x0010_0000_0000_0000,
    0x7fef_ffff_ffff_ffff,
    // 2^53, 2^63, 2^64 and 2^52, where the distance of neighbours passes through one.
    0x4340_0000_0000_0000,
    0x43e0_0000_0000_0000,
    0x43f0_0000_0000_0000,
    0x4330_0000_0000_0000,
    // A half, and the largest single.
    0x3fe0_0000_0000_0000,
    0x47ef_ffff_e000_0000,
];
/// One double for each bit of a power of ten, and one of the other sign.
const BITS: usize = 64;

impl Doubles {
    fn borders() -> usize {
        POWERS.len() + BORDERS.len()
    }

    fn border(index: usize) -> Result<u64, String> {
        if let Some(bits) = BORDERS.get(index) {
            return Ok(*bits);
        }
        let exponent = POWERS.start + i32::try_from(index - BORDERS.len()).map_err(|error| error.to_string())?;
        let power: f64 = format!("1e{exponent}").parse().map_err(|error| format!("1e{exponent}: {error}"))?;
        Ok(power.to_bits())
    }

    /// The double at a place: bands first, then the neighbours in one bit. Beyond zero and the largest it turns round.
    fn bits(bound: usize, place: u64) -> Result<u64, String> {
        let width = 2 * bound as u64 + 1;
        let bands = Self::borders() as u64 * width;
        let (border, step) = if place < bands {
            (place / width, None)
        } else {
            ((place - bands) / BITS as u64, Some((place - bands) % BITS as u64))
        };
        let bits = Self::border(usize::try_from(border).map_err(|error| error.to_string())?)?;
        Ok(match step {
            Some(bit) => bits ^ (1 << bit),
            None => bits.wrapping_add(place % width).wrapping_sub(bound as u64),
        })
    }
}

impl World for Doubles {
    fn facts(&self) -> Facts {
        Facts {
            name: "doubles",
            alphabet: format!(
                "the doubles next to {} borders (every power of ten, zero, the least normal and the largest double, 2^52, 2^53, 2^63, \
                 2^64) on either side, and the {BITS} neighbours in one bit of each; as 17 digits, and as they are written",
                Self::borders()
            ),
            bounds: [20, 10_000],
        }
    }

    fn size(&self, bound: usize) -> u64 {
        Self::borders() as u64 * (2 * bound as u64 + 1 + BITS as u64)
    }

    fn batch(&self) -> u64 {
        4_000
    }

    fn check(&self, bound: usize, places: Range<u64>, tally: &mut Tally) -> Result<(), String> {
        let bits = places.clone().map(|place| Self::bits(bound, place)).collect::<Result<Vec<_>, _>>()?;
        let doubles: Vec<_> = bits.into_iter().map(f64::from_bits).collect();
        let python = spellings(&doubles).map_err(|error| error.to_string())?;
        for ((place, double), python) in places.zip(doubles).zip(python) {
            // A band beyond the largest double, or before zero, has what is no number.
            if double.is_finite() {
                tally.judge(place, judge(double, &python));
            }
        }
        Ok(())
    }
}

fn judge(double: f64, python: &str) -> Result<bool, String> {
    let layouts = Layouts::of(double)?;
    if layouts.python != python {
        return Err(format!("the second sources differ: {} and Python {python}", layouts.python));
    }
    // Enough digits to tell any double from its neighbours, rounded exactly.
    let exact = format!("{double:.16e}");
    let refused = || Err::<&str, ()>(());
    let ecmascript = layouts.ecmascript.as_str();
    // An integer token is what the writer of an integral double leaves below 10^21 (CN-1, EP-26).
    let unsafe_integer = !ecmascript.contains(['.', 'e']) && double.abs() >= 9_007_199_254_740_992.0;
    for (profile, spelling, expected) in [
        (Profile::Rfc8785, exact.as_str(), Ok(ecmascript)),
        (Profile::Episode, exact.as_str(), Ok(ecmascript)),
        (Profile::Authority, exact.as_str(), Ok(python)),
        (Profile::Sovereign, exact.as_str(), refused()),
        (Profile::Rfc8785, ecmascript, Ok(ecmascript)),
        (Profile::Episode, ecmascript, if unsafe_integer { refused() } else { Ok(ecmascript) }),
        (Profile::Authority, python, Ok(python)),
        (Profile::Rfc8785, python, Ok(ecmascript)),
    ] {
        let found = canonicalize(profile, spelling.as_bytes());
        let same = match (&found, expected) {
            (Ok(octets), Ok(expected)) => octets.as_slice() == expected.as_bytes(),
            (Err(_), Err(())) => true,
            _ => false,
        };
        if !same {
            let found = found.map(|octets| octets.as_slice().escape_ascii().to_string());
            return Err(differ(&format!("canon.bytes, {}", profile.name()), spelling.as_bytes(), &expected, &found));
        }
    }
    Ok(true)
}

/// How a double is written.
struct Layouts {
    ecmascript: String,
    python: String,
}

impl Layouts {
    fn of(double: f64) -> Result<Self, String> {
        let sign = if double.is_sign_negative() { "-" } else { "" };
        if double == 0.0 {
            return Ok(Self { ecmascript: "0".to_owned(), python: format!("{sign}0.0") });
        }
        let (digits, point) = shortest(ryu::Buffer::new().format_finite(double.abs()))?;
        Ok(Self {
            ecmascript: format!("{sign}{}", ecmascript(&digits, point)),
            python: format!("{sign}{}", repr(&digits, point)),
        })
    }
}

/// The digits of a spelling, without zeros at either end, and how many of them stand before the point.
fn shortest(spelling: &str) -> Result<(String, i32), String> {
    let (mantissa, exponent) = spelling.split_once('e').unwrap_or((spelling, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent: i32 = exponent.parse().map_err(|error| format!("{spelling}: {error}"))?;
    let all = format!("{whole}{fraction}");
    let digits = all.trim_start_matches('0');
    let point = exponent + i32::try_from(whole.len()).unwrap_or_default()
        - i32::try_from(all.len() - digits.len()).unwrap_or_default();
    Ok((digits.trim_end_matches('0').to_owned(), point))
}

/// Steps 5 to 10 of Number::toString: k digits s, of which n stand before the point.
fn ecmascript(s: &str, n: i32) -> String {
    let k = i32::try_from(s.len()).unwrap_or(i32::MAX);
    if k <= n && n <= 21 {
        return format!("{s}{}", zeros(n - k));
    }
    if 0 < n && n <= 21 {
        let (whole, fraction) = split(s, n);
        return format!("{whole}.{fraction}");
    }
    if -6 < n && n <= 0 {
        return format!("0.{}{s}", zeros(-n));
    }
    let exponent = format!("e{}{}", if n > 0 { '+' } else { '-' }, (n - 1).abs());
    let (first, rest) = split(s, 1);
    if rest.is_empty() { format!("{first}{exponent}") } else { format!("{first}.{rest}{exponent}") }
}

/// `repr`: a point always, an exponent of two digits at least from 1e16 on and below 1e-4.
fn repr(s: &str, n: i32) -> String {
    let k = i32::try_from(s.len()).unwrap_or(i32::MAX);
    if -4 < n && n <= 0 {
        return format!("0.{}{s}", zeros(-n));
    }
    if 0 < n && n <= 16 {
        if k <= n {
            return format!("{s}{}.0", zeros(n - k));
        }
        let (whole, fraction) = split(s, n);
        return format!("{whole}.{fraction}");
    }
    let exponent = format!("e{}{:02}", if n > 0 { '+' } else { '-' }, (n - 1).abs());
    let (first, rest) = split(s, 1);
    if rest.is_empty() { format!("{first}{exponent}") } else { format!("{first}.{rest}{exponent}") }
}

fn zeros(count: i32) -> String {
    "0".repeat(usize::try_from(count).unwrap_or_default())
}

fn split(digits: &str, at: i32) -> (&str, &str) {
    usize::try_from(at).ok().and_then(|at| digits.split_at_checked(at)).unwrap_or((digits, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_are_those_of_the_texts() {
        for (double, ecmascript, python) in [
            (1e21, "1e+21", "1e+21"),
            (1e20, "100000000000000000000", "1e+20"),
            (1e16, "10000000000000000", "1e+16"),
            (1e-6, "0.000001", "1e-06"),
            (1.5e-7, "1.5e-7", "1.5e-07"),
            (-1234.5, "-1234.5", "-1234.5"),
            (0.0001, "0.0001", "0.0001"),
            (5e-324, "5e-324", "5e-324"),
            (-0.0, "0", "-0.0"),
            // Two spellings of 17 digits lie as far from it, of which the even one is due.
            (0.5 + 2_f64.powi(-17), "0.5000076293945312", "0.5000076293945312"),
            (7.0, "7", "7.0"),
        ] {
            let layouts = Layouts::of(double).unwrap();
            assert_eq!((layouts.ecmascript.as_str(), layouts.python.as_str()), (ecmascript, python));
        }
    }

    #[test]
    fn a_wrong_spelling_is_noticed() {
        assert_eq!(judge(1.5, "1.5"), Ok(true));
        assert!(judge(1.5, "1.50").is_err());
    }

    #[test]
    fn every_border_is_a_double_and_has_a_band() {
        let bits: Vec<_> = (0..5).map(|place| Doubles::bits(2, 5 * 3 + place).unwrap()).collect();
        assert_eq!(bits, (0..5).map(|step| (1_u64 << 62 | 0x340 << 48) - 2 + step).collect::<Vec<_>>());
        assert!((0..Doubles::borders()).all(|index| f64::from_bits(Doubles::border(index).unwrap()).is_finite()));
    }
}
