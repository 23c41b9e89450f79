//! Single JSON texts for the readers and the canonical writers.
//!
//! A string of bytes that can begin a text stands for itself: so real texts serve as seeds, and a dictionary of tokens bites.
//! Any other steers a generator that aims where the laws part: spellings of numbers, code points, repeated names, levels.

use arbitrary::{Result, Unstructured};

use crate::pairs::{json_text, seeded_json_text};

/// Levels next to somebody's limit: of the portable ones (200), of the dialects, of an independent reader (127), and far
/// beyond everyone's.
const LEVELS: &[usize] = &[
    1, 40, 126, 127, 128, 199, 200, 201, 255, 256, 257, 300, 511, 512, 513, 900, 990, 991, 994, 995, 1_100, 2_000,
    20_000,
];
/// Code points next to a limit of UTF-8, UTF-16, escapes or white space.
const POINTS: &[u32] = &[
    0, 8, 9, 0xA, 0xB, 0xC, 0xD, 0x1F, 0x20, 0x22, 0x2F, 0x5C, 0x7E, 0x7F, 0x80, 0x9F, 0xA0, 0x7FF, 0x800, 0x2028,
    0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFEFF, 0xFF61, 0xFFFE, 0xFFFF, 0x1_0000, 0x1_F600, 0x10_FFFF,
];
/// Exponents next to a change of layout or the ends of the doubles.
const EXPONENTS: &[i32] =
    &[0, 1, -1, 15, 16, 17, 20, 21, 22, -4, -5, -6, -7, -8, 307, 308, 309, 400, -307, -323, -324, -325, 5_000];
const SPACES: &[&str] = &["", "", " ", "\n", "\t", "\r\n"];

/// The text that a string of bytes stands for.
#[must_use]
pub fn text_of(octets: &[u8]) -> Vec<u8> {
    match octets.split_first() {
        // No text begins so, but one with a byte order mark (0xEF).
        Some((0..=8 | 11 | 12 | 14..=31 | 127..=0xEE | 0xF0.., steering)) => {
            drawn(&mut Unstructured::new(steering)).unwrap_or_default()
        }
        _ => octets.to_vec(),
    }
}

/// A text of the generator.
///
/// # Errors
/// Those of [`Unstructured`].
pub fn drawn(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let mut text = match u.int_in_range(0..=63)? {
        0..=23 => json_text(u)?,
        24..=27 => nested(u)?.into_bytes(),
        28 => long_integer(u)?.into_bytes(),
        29 => seeded_json_text(u.arbitrary()?),
        _ => {
            let mut text = String::new();
            value(u, 4, &mut text)?;
            text.into_bytes()
        }
    };
    if u.ratio(1, 12)? {
        // One byte of what is there, put somewhere else or left out.
        let from = u.choose_index(text.len().max(1))?;
        let to = u.choose_index(text.len().max(1))?;
        match text.get(from).copied() {
            Some(octet) if u.ratio(2, 3)? => text.insert(to, octet),
            Some(_) => drop(text.remove(from)),
            None => {}
        }
    }
    Ok(text)
}

/// A value of any kind, at most `depth` containers deep.
fn value(u: &mut Unstructured<'_>, depth: u32, text: &mut String) -> Result<()> {
    match u.int_in_range(0..=if depth == 0 { 4 } else { 8 })? {
        0..=2 => number(u, text),
        3 => string(u, text),
        4 => {
            let words = ["null", "true", "false", "NaN", "Infinity", "-Infinity", "nul", "True"];
            // The lawful ones most of the time.
            let among =
                if u.ratio(1, 6)? { &words[..] } else { words.first_chunk::<3>().map_or(&[][..], |three| three) };
            text.push_str(u.choose(among)?);
            Ok(())
        }
        5 | 6 => {
            text.push('[');
            for index in 0..u.int_in_range(0..=4)? {
                if index > 0 {
                    text.push(',');
                }
                text.push_str(u.choose(SPACES)?);
                value(u, depth - 1, text)?;
            }
            text.push(']');
            Ok(())
        }
        _ => {
            text.push('{');
            for index in 0..u.int_in_range(0..=4)? {
                if index > 0 {
                    text.push(',');
                }
                string(u, text)?;
                text.push_str(u.choose(SPACES)?);
                text.push(':');
                value(u, depth - 1, text)?;
            }
            text.push('}');
            Ok(())
        }
    }
}

/// A number token: of any double, near 2^53, of any digits, or near a layout's limit; now and then one that no reader takes.
fn number(u: &mut Unstructured<'_>, text: &mut String) -> Result<()> {
    let wrong = u.ratio(1, 40)?;
    let token = match u.int_in_range(0..=7)? {
        0 => format!("{}", u.int_in_range(-20..=20)?),
        1 => {
            let near = (1_i64 << 53) + u.int_in_range(-3..=3)?;
            format!("{}", if u.arbitrary()? { near } else { -near })
        }
        2 | 3 => match f64::from_bits(u.arbitrary()?) {
            finite if finite.is_finite() => format!("{finite:e}"),
            _ => "1e999".to_owned(),
        },
        4 => format!("{}{}", digits(u)?, digits(u)?),
        5 => format!("{}.{}", digits(u)?, digits(u)?),
        6 => format!("{}.{}E{:+}", digits(u)?, digits(u)?, u.choose(EXPONENTS)?),
        // Exactly between two doubles, or next to it.
        _ => {
            let odd = (1_u128 << 54) + 2 * u128::from(u.arbitrary::<u32>()?) + 1;
            format!("{}{}", odd << u.int_in_range(0..=40)?, u.choose(&["", ".0", ".5", "e1", "e-1"])?)
        }
    };
    text.push_str(&token);
    if wrong {
        text.push_str(u.choose(&[".", "e", "+1", "_0", "x", "-", ".e1"])?);
    }
    Ok(())
}

/// One to twenty digits, most of the time without a leading zero.
fn digits(u: &mut Unstructured<'_>) -> Result<String> {
    let mut found = u.int_in_range(1..=9_u32)?.to_string();
    for _ in 0..u.int_in_range(0..=19)? {
        found.push_str(&u.int_in_range(0..=9_u32)?.to_string());
    }
    if u.ratio(1, 30)? { Ok(format!("0{found}")) } else { Ok(found) }
}

/// A string of few code points, plain or escaped in either case; surrogates meet as pairs or stay alone.
fn string(u: &mut Unstructured<'_>, text: &mut String) -> Result<()> {
    text.push('"');
    for _ in 0..u.int_in_range(0..=3)? {
        let point = match u.int_in_range(0..=3)? {
            0 | 1 => u.int_in_range(u32::from(b'a')..=u32::from(b'd'))?,
            2 => *u.choose(POINTS)?,
            _ => u.int_in_range(0..=0x10_FFFF)?,
        };
        let escaped = u.ratio(1, 3)?;
        match char::from_u32(point) {
            Some(plain) if !escaped && plain >= ' ' && plain != '"' && plain != '\\' => text.push(plain),
            Some(high) if u32::from(high) > 0xFFFF => {
                high.encode_utf16(&mut [0; 2]).iter().for_each(|unit| text.push_str(&format!("\\u{unit:04x}")));
            }
            _ if u.arbitrary()? => text.push_str(&format!("\\u{point:04X}")),
            _ => text.push_str(&format!("\\u{point:04x}")),
        }
    }
    text.push('"');
    Ok(())
}

/// A value inside many containers of one kind or both.
fn nested(u: &mut Unstructured<'_>) -> Result<String> {
    let levels = *u.choose(LEVELS)?;
    let every = *u.choose(&[0_usize, 0, 1, 3])?;
    let is_object = |level: usize| every > 0 && level.is_multiple_of(every);
    let mut text = String::new();
    (0..levels).for_each(|level| text.push_str(if is_object(level) { "{\"a\":" } else { "[" }));
    value(u, 0, &mut text)?;
    (0..levels).rev().for_each(|level| text.push(if is_object(level) { '}' } else { ']' }));
    if u.ratio(1, 8)? {
        text.pop();
    }
    Ok(text)
}

/// An integer next to Python's limit on digits, alone or among others.
fn long_integer(u: &mut Unstructured<'_>) -> Result<String> {
    let digits = u.choose(&["1", "9", "70"])?.repeat(2_200);
    let length = *u.choose(&[2_200_usize, 4_299, 4_300, 4_301, 4_400])?;
    let sign = u.choose(&["", "-"])?;
    let number = format!("{sign}{}", digits.chars().cycle().take(length).collect::<String>());
    let forms = ["@", "[1,@,1.5]", "{\"b\":@,\"a\":@}", "{\"a\":@,\"a\":2}", "@.5", "@e-4000"];
    Ok(u.choose(&forms)?.replace('@', &number))
}
