//! Decoded strings that can hold what UTF-8 cannot: lone surrogates, kept as WTF-8.
//!
//! WTF-8 byte order is code point order, surrogates included, so comparing bytes is comparing as Python compares.

use std::borrow::Cow;

use super::scan::{find_special, is_special};

/// A decoded JSON string or member name, in WTF-8.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JsonStr<'a>(Cow<'a, [u8]>);

impl<'a> JsonStr<'a> {
    /// Wraps bytes that stand between the quotes and hold no escape.
    pub(super) fn plain(raw: &'a [u8]) -> Self {
        Self(Cow::Borrowed(raw))
    }

    /// Decodes bytes that stand between the quotes; every escape in them is known to be well-formed.
    pub(super) fn unescape(raw: &'a [u8]) -> Self {
        let mut out = Vec::with_capacity(raw.len());
        unescape_into(raw, &mut out);
        Self(Cow::Owned(out))
    }

    /// Decodes canonical bytes that stand between two quotes.
    pub(crate) fn from_escaped(raw: &'a [u8]) -> Self {
        if raw.contains(&b'\\') { Self::unescape(raw) } else { Self::plain(raw) }
    }

    /// The WTF-8 bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The WTF-8 bytes, borrowed from the document where they can be.
    #[must_use]
    pub fn into_bytes(self) -> Cow<'a, [u8]> {
        self.0
    }

    /// The text, or `None` if it holds a lone surrogate and so has no UTF-8 form.
    #[must_use]
    pub fn to_str(&self) -> Option<&str> {
        std::str::from_utf8(&self.0).ok()
    }

    /// The text with U+FFFD for every lone surrogate: for messages and pointers only.
    #[must_use]
    pub fn to_text_lossy(&self) -> Cow<'_, str> {
        match self.to_str() {
            Some(text) => Cow::Borrowed(text),
            None => String::from_utf8_lossy(&self.0),
        }
    }

    /// True if a surrogate stands alone in the string.
    #[must_use]
    pub(crate) fn has_lone_surrogate(&self) -> bool {
        has_lone_surrogate(&self.0)
    }
}

impl PartialEq<str> for JsonStr<'_> {
    fn eq(&self, other: &str) -> bool {
        *self.0 == *other.as_bytes()
    }
}

impl PartialEq<&str> for JsonStr<'_> {
    fn eq(&self, other: &&str) -> bool {
        *self == **other
    }
}

/// True if WTF-8 bytes hold a surrogate: `ED` followed by `A0` to `BF`.
pub(crate) fn has_lone_surrogate(wtf8: &[u8]) -> bool {
    wtf8.windows(2).any(|pair| matches!(pair, [0xED, 0xA0..=0xBF]))
}

/// Appends the decoded form of the bytes between two quotes.
pub(crate) fn unescape_into(mut raw: &[u8], out: &mut Vec<u8>) {
    while let Some((before, point, rest)) = next_escape(raw) {
        out.extend_from_slice(before);
        push_code_point(point, out);
        raw = rest;
    }
    out.extend_from_slice(raw);
}

/// Appends the canonical spelling of the bytes between two quotes, in one pass: whatever is not an escape is spelled
/// canonically already. Tells whether an escape was written, and whether a surrogate stands alone.
pub(crate) fn respell(mut raw: &[u8], out: &mut Vec<u8>) -> (bool, bool) {
    let (mut escaped, mut surrogate) = (false, false);
    while let Some((before, point, rest)) = next_escape(raw) {
        out.extend_from_slice(before);
        match u8::try_from(point) {
            Ok(byte) if is_special(byte) => {
                append_escape(byte, out);
                escaped = true;
            }
            _ => {
                push_code_point(point, out);
                surrogate |= matches!(point, 0xD800..=0xDFFF);
            }
        }
        raw = rest;
    }
    out.extend_from_slice(raw);
    (escaped, surrogate)
}

/// What stands before the next escape, its code point, and what follows; an escaped surrogate pair is one code point.
fn next_escape(raw: &[u8]) -> Option<(&[u8], u32, &[u8])> {
    // Between the quotes of a string that was read, a backslash is all that can be special.
    let (before, escape) = raw.split_at_checked(find_special(raw, 0))?;
    Some(match escape {
        [_, b'u', hex @ ..] => {
            let (point, rest) = unescape_unicode(hex)?;
            (before, point, rest)
        }
        [_, short, rest @ ..] => {
            let byte = match short {
                b'b' => 0x08,
                b'f' => 0x0C,
                b'n' => b'\n',
                b'r' => b'\r',
                b't' => b'\t',
                other => *other,
            };
            (before, u32::from(byte), rest)
        }
        _ => return None,
    })
}

/// Decodes what follows `\u`, joining an escaped surrogate pair, and returns the rest.
fn unescape_unicode(hex: &[u8]) -> Option<(u32, &[u8])> {
    let (unit, rest) = hex_unit(hex)?;
    if let (0xD800..=0xDBFF, [b'\\', b'u', low_hex @ ..]) = (unit, rest)
        && let Some((low @ 0xDC00..=0xDFFF, after)) = hex_unit(low_hex)
    {
        return Some((0x1_0000 + ((unit - 0xD800) << 10) + (low - 0xDC00), after));
    }
    Some((unit, rest))
}

/// The value of four hexadecimal digits and what follows them.
pub(super) fn hex_unit(text: &[u8]) -> Option<(u32, &[u8])> {
    let (digits, rest) = text.split_at_checked(4)?;
    let mut unit = 0;
    for digit in digits {
        unit = unit * 16 + char::from(*digit).to_digit(16)?;
    }
    Some((unit, rest))
}

/// Appends a code point in UTF-8's pattern, surrogates included.
fn push_code_point(point: u32, out: &mut Vec<u8>) {
    match char::from_u32(point) {
        Some(c) => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        None => {
            // Only surrogates are not a `char` here: three bytes.
            let low = |shift: u32| 0x80 | ((point >> shift) & 0x3F) as u8;
            out.extend_from_slice(&[0xED, low(6), low(0)]);
        }
    }
}

/// Appends a quoted JSON string in the one spelling that all canonical profiles share: the quote, the backslash and
/// what lies below U+0020 are escaped, short where JSON has a short form, else as `\u00xx` in lower case.
pub(crate) fn append_json_string(wtf8: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    append_escaped(wtf8, out);
    out.push(b'"');
}

/// [`append_json_string`] without the quotes.
pub(crate) fn append_escaped(mut wtf8: &[u8], out: &mut Vec<u8>) {
    while let Some((before, [special, after @ ..])) = wtf8.split_at_checked(find_special(wtf8, 0)) {
        out.extend_from_slice(before);
        append_escape(*special, out);
        wtf8 = after;
    }
    out.extend_from_slice(wtf8);
}

/// Appends the escape of a byte that is special.
fn append_escape(special: u8, out: &mut Vec<u8>) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    match special {
        b'"' | b'\\' => out.extend_from_slice(&[b'\\', special]),
        0x08 => out.extend_from_slice(b"\\b"),
        b'\t' => out.extend_from_slice(b"\\t"),
        b'\n' => out.extend_from_slice(b"\\n"),
        0x0C => out.extend_from_slice(b"\\f"),
        b'\r' => out.extend_from_slice(b"\\r"),
        other => {
            out.extend_from_slice(b"\\u00");
            out.extend([other >> 4, other & 15].iter().filter_map(|&nibble| HEX.get(usize::from(nibble))));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(raw: &str, decoded: &[u8]) {
        assert_eq!(JsonStr::unescape(raw.as_bytes()).as_bytes(), decoded, "{raw}");
    }

    #[test]
    fn escapes_decode() {
        check(r"\u0041\/\n\\", b"A/\n\\");
        check(r"\ud83d\ude00", "\u{1F600}".as_bytes());
        check(r"\ud83d", b"\xED\xA0\xBD");
        check(r"\ud83d\u0041", b"\xED\xA0\xBDA");
        check(r"\ude00\ud83d", b"\xED\xB8\x80\xED\xA0\xBD");
    }

    #[test]
    fn respelling_is_decoding_and_escaping() {
        let check = |raw: &str, spelled: &str, told: (bool, bool)| {
            let mut out = Vec::new();
            assert_eq!(respell(raw.as_bytes(), &mut out), told, "{raw}");
            assert_eq!(out, spelled.as_bytes(), "{raw}");
            let mut parts = Vec::new();
            append_escaped(JsonStr::unescape(raw.as_bytes()).as_bytes(), &mut parts);
            assert_eq!(out, parts, "{raw}");
        };
        check(r"a\u0041\/ä", "aA/ä", (false, false));
        check(r"\ud83d\ude00x", "😀x", (false, false));
        check(r#"\"\\\u0022\u001F\n\u0008"#, r#"\"\\\"\u001f\n\b"#, (true, false));
        check("no escape that is twenty bytes long", "no escape that is twenty bytes long", (false, false));
        let mut out = Vec::new();
        assert_eq!(respell(br"\ud83d\u0041\n", &mut out), (true, true));
        assert_eq!(out, b"\xED\xA0\xBDA\\n");
    }

    #[test]
    fn code_point_order_is_byte_order() {
        let mut names: Vec<_> = ["\\ud83d\\ude00", "\\uff61", "\\ue000", "\\ud7ff", "\\udc00"]
            .map(|raw| JsonStr::unescape(raw.as_bytes()))
            .into();
        names.sort();
        let order: Vec<_> = names.iter().map(|name| name.as_bytes().to_vec()).collect();
        let expected: [&[u8]; 5] = [
            "\u{D7FF}".as_bytes(),
            b"\xED\xB0\x80",
            "\u{E000}".as_bytes(),
            "\u{FF61}".as_bytes(),
            "\u{1F600}".as_bytes(),
        ];
        assert_eq!(order, expected);
    }

    #[test]
    fn control_characters_are_written_in_lower_case() {
        let mut out = Vec::new();
        append_json_string("\u{1F}\u{7F}\u{2028}\"\\/\u{8}\u{B}".as_bytes(), &mut out);
        assert_eq!(out, "\"\\u001f\u{7F}\u{2028}\\\"\\\\/\\b\\u000b\"".as_bytes());
    }
}
