//! Whether a text may begin a valid one: what a search of long texts leaves out is certain to stay invalid.
//!
//! Spec: RFC 8259, with the three constants that Python reads. It may say yes too often, which costs time, and never no too often.

/// What comes next in a text so far.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Value,
    /// The first value of an array, or its end.
    Item,
    /// The first name of an object, or its end.
    Member,
    Name,
    Colon,
    /// What follows a value.
    Rest,
}

/// What the texts that are no strings, numbers or brackets spell.
const WORDS: [&[u8]; 6] = [b"null", b"true", b"false", b"NaN", b"Infinity", b"-Infinity"];

/// Whether some text that begins with this one may be valid.
pub(crate) fn may_begin(text: &[u8]) -> bool {
    // A character that is cut off at the end may be completed; anything else that is not UTF-8 stays so.
    if std::str::from_utf8(text).is_err_and(|error| error.error_len().is_some()) {
        return false;
    }
    // White space in Rust; in JSON a control character, which stands nowhere.
    if text.contains(&b'\x0c') {
        return false;
    }
    let (mut open, mut next) = (Vec::new(), Next::Value);
    let mut rest = text;
    loop {
        rest = rest.trim_ascii_start();
        let Some(first) = rest.first() else { return true };
        let behind = rest.get(1..).unwrap_or_default();
        match (next, first) {
            (Next::Item, b']') | (Next::Member, b'}') => {
                open.pop();
                (next, rest) = (Next::Rest, behind);
            }
            (Next::Rest, b']' | b'}') => {
                if open.pop() != Some(if *first == b']' { b'[' } else { b'{' }) {
                    return false;
                }
                rest = behind;
            }
            (Next::Rest, b',') => {
                next = match open.last() {
                    Some(b'[') => Next::Value,
                    Some(_) => Next::Name,
                    None => return false,
                };
                rest = behind;
            }
            (Next::Colon, b':') => (next, rest) = (Next::Value, behind),
            (Next::Member | Next::Name | Next::Value | Next::Item, b'"') => {
                match string(behind) {
                    End::Here(behind) => rest = behind,
                    End::Open => return true,
                    End::Never => return false,
                }
                next = if matches!(next, Next::Member | Next::Name) { Next::Colon } else { Next::Rest };
            }
            (Next::Value | Next::Item, b'[' | b'{') => {
                open.push(*first);
                (next, rest) = (if *first == b'[' { Next::Item } else { Next::Member }, behind);
            }
            (Next::Value | Next::Item, _) => {
                match scalar(rest) {
                    End::Here(behind) => rest = behind,
                    End::Open => return true,
                    End::Never => return false,
                }
                next = Next::Rest;
            }
            _ => return false,
        }
    }
}

/// Where a token ends.
enum End<'t> {
    /// What stands behind it.
    Here(&'t [u8]),
    /// It may go on.
    Open,
    Never,
}

/// The rest of a string behind its first quote.
fn string(mut rest: &[u8]) -> End<'_> {
    loop {
        match rest {
            [] | [b'\\'] => return End::Open,
            [b'"', behind @ ..] => return End::Here(behind),
            [b'\\', b'u', behind @ ..] => {
                let digits = behind.iter().take(4).take_while(|octet| octet.is_ascii_hexdigit()).count();
                if digits < behind.len().min(4) {
                    return End::Never;
                }
                if digits < 4 {
                    return End::Open;
                }
                rest = behind.get(4..).unwrap_or_default();
            }
            [b'\\', b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', behind @ ..] => rest = behind,
            [b'\\', ..] | [0..=0x1f, ..] => return End::Never,
            [_, behind @ ..] => rest = behind,
        }
    }
}

/// A number or a word; a number that stands at the end of the text may go on.
fn scalar(text: &[u8]) -> End<'_> {
    for word in WORDS {
        if let Some(behind) = text.strip_prefix(word) {
            return End::Here(behind);
        }
        if word.starts_with(text) {
            return End::Open;
        }
    }
    let digits = |text: &[u8]| text.iter().take_while(|octet| octet.is_ascii_digit()).count();
    let mut rest = text.strip_prefix(b"-").unwrap_or(text);
    let whole = if rest.first() == Some(&b'0') { 1 } else { digits(rest) };
    rest = rest.get(whole..).unwrap_or_default();
    if whole == 0 {
        return if rest.is_empty() { End::Open } else { End::Never };
    }
    if let Some(fraction) = rest.strip_prefix(b".") {
        let length = digits(fraction);
        if length == 0 && !fraction.is_empty() {
            return End::Never;
        }
        rest = fraction.get(length..).unwrap_or_default();
    }
    if let [b'e' | b'E', exponent @ ..] = rest {
        let exponent = exponent.strip_prefix(b"+").or(exponent.strip_prefix(b"-")).unwrap_or(exponent);
        let length = digits(exponent);
        if length == 0 && !exponent.is_empty() {
            return End::Never;
        }
        rest = exponent.get(length..).unwrap_or_default();
    }
    if rest.is_empty() { End::Open } else { End::Here(rest) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each beginning with an ending that `serde_json` takes.
    #[test]
    fn what_may_begin_a_text_can_be_ended() {
        for (text, ending) in [
            ("", "0"),
            ("[", "]"),
            ("[1,", "1]"),
            ("{", "}"),
            ("{\"a", "\":1}"),
            ("{\"a\"", ":1}"),
            ("{\"a\":", "1}"),
            ("{\"a\":1", "}"),
            ("{\"a\":1,", "\"b\":1}"),
            ("-", "1"),
            ("1.", "0"),
            ("1e", "1"),
            ("1e+", "1"),
            ("\"\\", "n\""),
            ("\"\\u00", "41\""),
            ("nul", "l"),
            (" [ \n", "]"),
            ("0", ""),
            ("[[]", "]"),
        ] {
            assert!(may_begin(text.as_bytes()), "{text}");
            assert!(serde_json::from_str::<serde_json::Value>(&format!("{text}{ending}")).is_ok(), "{text}{ending}");
        }
        assert!(may_begin(b"\"\xc3"));
    }

    #[test]
    fn what_may_not_is_left_out() {
        for text in [
            &b"]"[..],
            b"}",
            b",",
            b":",
            b"01",
            b"-e",
            b"1.e",
            b"1e-+",
            b"[,",
            b"[1 1",
            b"{1",
            b"{\"a\",",
            b"{\"a\":1,}",
            b"[1}",
            b"1]",
            b"nu1",
            b"\"\\x",
            b"\"\n",
            b"\"\x80",
            b"[]1",
            b"\x0c",
            b"+1",
            b"\"\\u00g",
        ] {
            assert!(!may_begin(text), "{}", text.escape_ascii());
        }
    }
}
