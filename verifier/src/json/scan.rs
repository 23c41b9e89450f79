//! Finds the bytes at which reading a string has to stop, several at a time.

/// Offset of the first quote, backslash or control character at or after `at`, sixteen bytes a step, then eight.
#[inline]
pub(super) fn find_special(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    let (pairs, rest) = rest.as_chunks::<16>();
    let mut found = at;
    for pair in pairs {
        // One number of sixteen bytes would carry from the lower half into the upper one.
        let [low, high] = halves(*pair).map(specials);
        if low | high != 0 {
            return found + if low == 0 { 8 + first(high) } else { first(low) };
        }
        found += 16;
    }
    let (words, tail) = rest.as_chunks::<8>();
    for word in words {
        let hits = specials(u64::from_le_bytes(*word));
        if hits != 0 {
            return found + first(hits);
        }
        found += 8;
    }
    found + tail.iter().take_while(|&&byte| byte != b'"' && byte != b'\\' && byte >= 0x20).count()
}

fn halves(pair: [u8; 16]) -> [u64; 2] {
    let whole = u128::from_le_bytes(pair);
    [whole as u64, (whole >> 64) as u64]
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
