//! Compares member names by their canonical, escaped bytes.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::KeyOrder;
use crate::json::JsonStr;

/// Orders two names, given as canonical bytes without their quotes.
pub(super) fn compare(order: KeyOrder, a: &[u8], b: &[u8]) -> Ordering {
    // An escape begins with a backslash, which does not sort like the character that it stands for.
    if a.contains(&b'\\') || b.contains(&b'\\') {
        return compare_decoded(order, &decoded(a), &decoded(b));
    }
    compare_decoded(order, a, b)
}

fn decoded(canonical: &[u8]) -> Cow<'_, [u8]> {
    JsonStr::from_escaped(canonical).into_bytes()
}

/// Orders two names that hold no escape.
pub(super) fn compare_decoded(order: KeyOrder, a: &[u8], b: &[u8]) -> Ordering {
    match order {
        KeyOrder::CodePoint => a.cmp(b),
        KeyOrder::Utf16 => compare_utf16(a, b),
    }
}

/// The two orders differ only where one name has a character beyond the BMP and the other one of U+E000 to U+FFFF.
fn compare_utf16(a: &[u8], b: &[u8]) -> Ordering {
    let common = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    match (a.get(common), b.get(common)) {
        // In UTF-8 a lead byte from EE on is at or above U+E000; F0 and up are surrogate pairs in UTF-16.
        (Some(&x), Some(&y)) if x >= 0xEE && y >= 0xEE && (x >= 0xF0) != (y >= 0xF0) => y.cmp(&x),
        (x, y) => x.cmp(&y),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_differ_only_beyond_the_bmp() {
        let (halfwidth, emoji) = ("\u{FF61}".as_bytes(), "\u{1F600}".as_bytes());
        assert_eq!(compare(KeyOrder::CodePoint, halfwidth, emoji), Ordering::Less);
        assert_eq!(compare(KeyOrder::Utf16, halfwidth, emoji), Ordering::Greater);
        assert_eq!(compare(KeyOrder::Utf16, "\u{D7FF}".as_bytes(), emoji), Ordering::Less);
    }

    #[test]
    fn utf16_order_is_that_of_the_units() {
        let names: Vec<String> = [
            "",
            "a",
            "ab",
            "\u{7f}",
            "\u{80}",
            "\u{7ff}",
            "\u{800}",
            "\u{d7ff}",
            "\u{e000}",
            "\u{fb01}",
            "\u{ffff}",
            "\u{10000}",
            "\u{1f600}",
            "\u{10ffff}",
            "a\u{fb01}",
            "a\u{1f600}",
        ]
        .map(String::from)
        .into();
        for a in &names {
            for b in &names {
                let units = a.encode_utf16().cmp(b.encode_utf16());
                assert_eq!(compare(KeyOrder::Utf16, a.as_bytes(), b.as_bytes()), units, "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn escaped_names_sort_as_what_they_mean() {
        // U+0022 comes before U+0023, although a backslash comes after it.
        assert_eq!(compare(KeyOrder::CodePoint, br#"\""#, b"#"), Ordering::Less);
        assert_eq!(compare(KeyOrder::CodePoint, br"\u000b", b" "), Ordering::Less);
    }
}
