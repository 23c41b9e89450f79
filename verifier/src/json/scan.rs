//! Finds the bytes at which reading a string has to stop, several at a time.

/// Offset of the first quote, backslash or control character at or after `at`, eight bytes a step; past a long stretch without any,
/// 64 bytes a step.
#[inline(always)]
pub(super) fn find_special(text: &[u8], at: usize) -> usize {
    let mut rest = text.get(at..).unwrap_or_default();
    let mut found = at;
    while let Some((word, after)) = rest.split_first_chunk::<8>() {
        let hits = specials(u64::from_le_bytes(*word));
        if hits != 0 {
            return found + first(hits);
        }
        found += 8;
        rest = after;
        if found - at == 32 {
            return found + in_long(rest);
        }
    }
    found + rest.iter().take_while(|&&byte| !is_special(byte)).count()
}

/// Offset of the first byte at or after `at` that is no digit.
#[inline(always)]
pub(super) fn digits_end(text: &[u8], at: usize) -> usize {
    let mut rest = text.get(at..).unwrap_or_default();
    let mut end = at;
    while let Some((word, after)) = rest.split_first_chunk::<8>() {
        let others = others(u64::from_le_bytes(*word));
        if others != 0 {
            return end + first(others);
        }
        end += 8;
        rest = after;
    }
    end + rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// Marks bytes that are no digits with their high bit.
fn others(word: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // Digits become 0 to 9; adding to seven bits carries into the eighth from 10 on, and never further.
    let values = word ^ (ONES * 0x30);
    (((values & (ONES * 0x7F)) + ONES * 0x76) | values) & (ONES * 0x80)
}

/// Where a text is long it is looked over in blocks, which compilers turn into instructions for many bytes, before the byte is looked for.
#[inline(never)]
fn in_long(text: &[u8]) -> usize {
    let (blocks, _) = text.as_chunks::<64>();
    let clean =
        blocks.iter().take_while(|block| !block.iter().fold(false, |any, byte| any | is_special(*byte))).count();
    let passed = clean * 64;
    passed + in_short(text.get(passed..).unwrap_or_default())
}

#[inline]
fn in_short(text: &[u8]) -> usize {
    let (words, tail) = text.as_chunks::<8>();
    let mut found = 0;
    for word in words {
        let hits = specials(u64::from_le_bytes(*word));
        if hits != 0 {
            return found + first(hits);
        }
        found += 8;
    }
    found + tail.iter().take_while(|&&byte| !is_special(byte)).count()
}

/// Whether reading a string stops at a byte; the same bytes are escaped in canonical text. Without branches, so that it can be asked of
/// many bytes at once.
#[inline(always)]
pub(super) fn is_special(byte: u8) -> bool {
    (byte < 0x20) | (byte == b'"') | (byte == b'\\')
}

/// Marks special bytes with their high bit. Of the marks the lowest is right: a borrow can only mark bytes above a hit.
fn specials(word: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = 0x8080_8080_8080_8080;
    // A byte is zero where subtracting one borrows into its high bit and the bit was clear before.
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word & HIGHS;
    let below_space = word.wrapping_sub(ONES * 0x20) & !word & HIGHS;
    below_space | zeros(word ^ (ONES * 0x22)) | zeros(word ^ (ONES * 0x5C))
}

/// Index of the byte with the lowest mark.
fn first(hits: u64) -> usize {
    (hits.trailing_zeros() / 8) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_end_where_another_byte_stands() {
        for other in (0..=255_u8).filter(|byte| !byte.is_ascii_digit()) {
            for digits in 0..20 {
                for digit in [b'0', b'5', b'9'] {
                    let mut text = vec![digit; digits];
                    assert_eq!(digits_end(&text, 0), digits);
                    text.push(other);
                    assert_eq!(digits_end(&text, 0), digits, "{other}");
                    text.extend(*b"123456789012");
                    assert_eq!(digits_end(&text, 0), digits, "{other}");
                    assert_eq!(digits_end(&text, digits + 1), digits + 13, "{other}");
                }
            }
        }
    }

    #[test]
    fn special_bytes_are_found_at_every_offset() {
        for special in [b'"', b'\\', 0, 0x1F, b'\n'] {
            for at in 0..100 {
                let mut text = vec![b'x'; 104];
                text[at] = special;
                assert_eq!(find_special(&text, 0), at);
            }
        }
        let harmless: Vec<u8> = (0x20..=0xFF).filter(|b| !matches!(b, b'"' | b'\\')).collect();
        assert_eq!(find_special(&harmless, 0), harmless.len());
    }
}
