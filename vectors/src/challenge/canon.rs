//! Documents with their canonical bytes: made together, or made around a document of the corpus.
//!
//! Spec: RFC 8785, section 3.2; the profiles of `canon.bytes`. Names are sorted, strings escaped and numbers written here,
//! by the texts, and nothing of it is the verifier's.

use std::fmt::Write as _;

use super::{
    digests::sha256,
    draft::{accepts, expected},
    random::Random,
    spelling::escaped,
    tree::quoted,
};
use crate::vector::{Agreement, Case, Document, Expect, Verdict};

/// A value as it is asked, and its canonical form.
#[derive(Debug, Clone)]
struct Made {
    asked: Vec<u8>,
    canonical: String,
}

/// How a profile differs from the others, as far as made values show it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Profile {
    /// UTF-16 order; one kind of number.
    Ecma,
    /// Code point order; integers alone.
    Integers,
    /// Code point order; integers and floats are two kinds.
    Python,
}

fn profile(case: &Case) -> Option<Profile> {
    match case.args.get("profile")?.as_str()? {
        "rfc8785" | "episode" | "jcs" => Some(Profile::Ecma),
        "sovereign" => Some(Profile::Integers),
        "authority" => Some(Profile::Python),
        _ => None,
    }
}

/// A whole document of this module's making, in the place of one that is accepted.
pub(super) fn made(base: &Case, random: &mut Random) -> Option<Case> {
    let profile = profile(base)?;
    if base.expect.is != Verdict::Accept || !base.any_of.is_empty() || base.agreement == Agreement::Verdict {
        return None;
    }
    let width = random.from(2, 5);
    let parts = (0..width).map(|_| value(profile, random, 2)).collect();
    let made = container(profile, parts, random);
    let mut case = base.clone();
    case.inputs.insert("doc".to_owned(), document(&made.asked));
    let bytes = serde_json::json!({ "text": made.canonical }).to_string();
    let outputs = base.expect.out.keys().map(|name| match name.as_str() {
        "bytes" => Some(("bytes", bytes.clone())),
        "sha256" => Some(("sha256", quoted(&sha256(&made.canonical)))),
        _ => None,
    });
    case.expect = accepts(outputs.collect::<Option<Vec<_>>>()?)?;
    Some(case)
}

/// A document of the corpus among values of this module's making.
pub(super) fn embedded(base: &Case, random: &mut Random) -> Option<Case> {
    let profile = profile(base)?;
    let inner = base.inputs.get("doc")?.bytes();
    if !is_one_value(&inner) {
        return None;
    }
    // The same draws for every alternative: the document is one, and only the place of the inner value is filled otherwise.
    let drawn = random.clone();
    let around = |canonical: &str| surround(profile, &inner, canonical, &mut drawn.clone());
    let asked = around("null").asked;
    let mut case = base.clone();
    for (place, expect) in std::iter::once(&mut case.expect).chain(&mut case.any_of).zip(base.answers()) {
        if expect.is == Verdict::Accept {
            *place = accepted(expect, |canonical| Some(around(canonical).canonical))?;
        }
    }
    case.inputs.insert("doc".to_owned(), document(&asked));
    Some(case)
}

/// The canonical bytes in the place of the document that has them: they are their own canonical form.
pub(super) fn again(base: &Case, _random: &mut Random) -> Option<Case> {
    let profile = profile(base)?;
    if base.expect.is != Verdict::Accept || !base.any_of.is_empty() {
        return None;
    }
    let bytes = base.expect.out.get("bytes")?.bytes()?;
    // A double that is written as an integer beyond 2^53 may be refused when it is read (CN-1).
    let long = |digits: &[u8]| digits.len() > 15 && digits.iter().all(u8::is_ascii_digit);
    if profile == Profile::Ecma && bytes.split(|byte| !byte.is_ascii_digit()).any(long) {
        return None;
    }
    if base.inputs.get("doc")?.bytes() == bytes {
        return None;
    }
    let mut case = base.clone();
    case.inputs.insert("doc".to_owned(), document(&bytes));
    Some(case)
}

/// A text that ends before its value does, after further text that ends no sooner.
pub(super) fn unended(base: &Case, random: &mut Random) -> Option<Case> {
    let profile = profile(base)?;
    let inner = base.inputs.get("doc")?.bytes();
    if base.expect.is != Verdict::Reject || !base.any_of.is_empty() || !is_unended(&inner) {
        return None;
    }
    let first = value(profile, random, 2);
    let mut asked = if random.once_in(2) {
        [b"[".as_slice(), &first.asked, b","].concat()
    } else {
        let name = name(random);
        [b"{", escaped(&name, random).as_bytes(), b":", &first.asked, b",\"\":"].concat()
    };
    asked.extend_from_slice(&inner);
    let mut case = base.clone();
    case.inputs.insert("doc".to_owned(), document(&asked));
    Some(case)
}

fn accepted(expect: &Expect, outer: impl Fn(&str) -> Option<String>) -> Option<Expect> {
    let bytes = expect.out.get("bytes")?.bytes()?;
    let canonical = outer(std::str::from_utf8(&bytes).ok()?)?;
    let mut expect = expect.clone();
    for (name, output) in &mut expect.out {
        *output = match name.as_str() {
            "bytes" => expected(serde_json::json!({ "text": canonical }).to_string())?,
            "sha256" => expected(quoted(&sha256(&canonical)))?,
            _ => return None,
        };
    }
    Some(expect)
}

fn document(bytes: &[u8]) -> Document {
    match std::str::from_utf8(bytes) {
        Ok(text) => Document::Text(text.to_owned()),
        Err(_) => Document::Bytes(bytes.to_vec()),
    }
}

fn surround(profile: Profile, inner: &[u8], canonical: &str, random: &mut Random) -> Made {
    let mut made = Made { asked: inner.to_vec(), canonical: canonical.to_owned() };
    for _ in 0..random.from(1, 2) {
        let mut parts: Vec<Made> = (0..random.from(1, 3)).map(|_| value(profile, random, 1)).collect();
        parts.insert(random.below(parts.len() + 1), made);
        made = container(profile, parts, random);
    }
    made
}

/// An array or an object of these values.
fn container(profile: Profile, parts: Vec<Made>, random: &mut Random) -> Made {
    let blank = |random: &mut Random| {
        if random.once_in(4) { random.one(&[" ", "\n", "\t "]).copied().unwrap_or_default() } else { "" }
    };
    if random.once_in(2) {
        let canonical: Vec<&str> = parts.iter().map(|part| part.canonical.as_str()).collect();
        let canonical = format!("[{}]", canonical.join(","));
        let mut asked = b"[".to_vec();
        for (index, part) in parts.iter().enumerate() {
            if index > 0 {
                asked.push(b',');
            }
            asked.extend_from_slice(blank(random).as_bytes());
            asked.extend_from_slice(&part.asked);
        }
        asked.extend_from_slice(blank(random).as_bytes());
        asked.push(b']');
        return Made { asked, canonical };
    }
    let mut members: Vec<(String, Made)> = Vec::new();
    for part in parts {
        let mut name = name(random);
        while members.iter().any(|(known, _)| *known == name) {
            name.push('~');
        }
        members.push((name, part));
    }
    let mut asked = b"{".to_vec();
    for (index, (name, part)) in members.iter().enumerate() {
        if index > 0 {
            asked.push(b',');
        }
        asked.extend_from_slice(blank(random).as_bytes());
        asked.extend_from_slice(escaped(name, random).as_bytes());
        asked.push(b':');
        asked.extend_from_slice(&part.asked);
    }
    asked.push(b'}');
    members.sort_by(|(a, _), (b, _)| match profile {
        Profile::Ecma => a.encode_utf16().cmp(b.encode_utf16()),
        _ => a.chars().cmp(b.chars()),
    });
    let members: Vec<_> = members.iter().map(|(name, part)| format!("{}:{}", written(name), part.canonical)).collect();
    Made { asked, canonical: format!("{{{}}}", members.join(",")) }
}

fn value(profile: Profile, random: &mut Random, levels: usize) -> Made {
    let same = |text: String| Made { asked: text.clone().into_bytes(), canonical: text };
    match random.below(if levels > 0 { 8 } else { 6 }) {
        0 => same(random.one(&["null", "true", "false"]).copied().unwrap_or("null").to_owned()),
        1 | 2 => {
            let text = name(random);
            Made { asked: escaped(&text, random).into_bytes(), canonical: written(&text) }
        }
        3 => same(integer(random)),
        4 if profile != Profile::Integers => fraction(profile, random),
        4 | 5 => same(integer(random)),
        _ => {
            let parts = (0..random.from(0, 3)).map(|_| value(profile, random, levels - 1)).collect();
            container(profile, parts, random)
        }
    }
}

/// An integer that every reader holds exactly, and not minus zero.
fn integer(random: &mut Random) -> String {
    const LARGEST: u64 = 9_007_199_254_740_991;
    let bits = u32::try_from(random.from(1, 63)).unwrap_or(1);
    let size = (random.next() >> (64 - bits)) % (LARGEST + 1);
    if size > 0 && random.once_in(3) { format!("-{size}") } else { size.to_string() }
}

/// A number of quarters, in one of its spellings: exact in two's powers, so that its shortest digits are its own.
fn fraction(profile: Profile, random: &mut Random) -> Made {
    let whole = random.from(1, 99_999);
    let sign = if random.once_in(3) { "-" } else { "" };
    let (digits, places) = random.one(&[("5", 1), ("25", 2), ("75", 2), ("", 0)]).copied().unwrap_or(("5", 1));
    let zeros = "0".repeat(random.below(3));
    let mut asked = match random.below(3) {
        0 if places > 0 => format!("{sign}{whole}.{digits}{zeros}"),
        1 => format!("{sign}{whole}{digits}{zeros}e-{}", places + zeros.len()),
        _ => format!("{sign}0.0{whole}{digits}E+{}", whole.to_string().len() + 1),
    };
    if random.once_in(2) {
        asked = asked.replace('E', "e");
    }
    let canonical = match (places, profile) {
        (0, Profile::Python) => format!("{sign}{whole}.0"),
        (0, _) => format!("{sign}{whole}"),
        _ => format!("{sign}{whole}.{digits}"),
    };
    Made { asked: asked.into_bytes(), canonical }
}

/// A string of letters that sort, escape or combine in their own ways.
fn name(random: &mut Random) -> String {
    const LETTERS: [char; 36] = [
        'a',
        'b',
        'c',
        'z',
        'A',
        'Z',
        '0',
        '9',
        '_',
        '-',
        '~',
        ' ',
        '/',
        '"',
        '\\',
        '\n',
        '\t',
        '\r',
        '\u{8}',
        '\u{c}',
        '\u{1}',
        '\u{1f}',
        '\u{7f}',
        '\u{80}',
        '\u{e9}',
        '\u{df}',
        '\u{430}',
        '\u{65e5}',
        '\u{2028}',
        '\u{301}',
        '\u{e000}',
        '\u{ff5e}',
        '\u{fffd}',
        '\u{10000}',
        '\u{1f600}',
        '\u{10fffd}',
    ];
    let mut name: String = random.word(2);
    name.extend((0..random.from(1, 6)).filter_map(|_| random.one(&LETTERS)));
    name
}

/// A string in its canonical form.
fn written(text: &str) -> String {
    let mut out = String::from('"');
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{c}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            '\0'..='\u{1f}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(letter));
            }
            letter => out.push(letter),
        }
    }
    out.push('"');
    out
}

/// Brackets and strings of a text: how far they are open at its end, and whether it stays one value among others.
struct Brackets {
    /// Brackets that wait for their ends.
    open: Vec<u8>,
    /// A string has no end.
    in_string: bool,
    /// A comma, a colon or an end stands outside of any bracket.
    falls_apart: bool,
}

impl Brackets {
    fn of(bytes: &[u8]) -> Self {
        let mut brackets = Self { open: Vec::new(), in_string: false, falls_apart: false };
        let mut escaped = false;
        for byte in bytes {
            match byte {
                _ if escaped => escaped = false,
                b'\\' if brackets.in_string => escaped = true,
                b'"' => brackets.in_string = !brackets.in_string,
                _ if brackets.in_string => {}
                b'[' | b'{' => brackets.open.push(*byte),
                b']' | b'}' => {
                    let begun = if *byte == b']' { b'[' } else { b'{' };
                    brackets.falls_apart |= brackets.open.pop() != Some(begun);
                }
                b',' | b':' => brackets.falls_apart |= brackets.open.is_empty(),
                _ => {}
            }
        }
        brackets
    }
}

/// Whether a text is small, and in an encoding that a reader does not guess from its first bytes.
fn is_ordinary(bytes: &[u8]) -> bool {
    let marked = [&b"\xef\xbb\xbf"[..], b"\xfe\xff", b"\xff\xfe"].iter().any(|mark| bytes.starts_with(mark));
    let brackets = bytes.iter().filter(|byte| matches!(byte, b'[' | b'{')).count();
    !marked && !bytes.contains(&0) && bytes.len() < 10_000 && brackets < 60
}

/// Whether a text, put where a value belongs, can be read as that value alone, if it can be read at all: no comma, colon or end
/// in it belongs to what is around it.
fn is_one_value(bytes: &[u8]) -> bool {
    let brackets = Brackets::of(bytes);
    is_ordinary(bytes) && brackets.open.is_empty() && !brackets.in_string && !brackets.falls_apart
}

/// Whether a text opens more than it ends.
fn is_unended(bytes: &[u8]) -> bool {
    let brackets = Brackets::of(bytes);
    is_ordinary(bytes) && !brackets.falls_apart && (brackets.in_string || !brackets.open.is_empty())
}
