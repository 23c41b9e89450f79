//! Strings of bytes from numbers: the same for ever.

/// Bytes of a seed, by SplitMix64.
#[must_use]
pub fn noise(seed: u64, length: usize) -> Vec<u8> {
    let mut state = seed;
    let mut octets = Vec::with_capacity(length + 8);
    while octets.len() < length {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = state;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        octets.extend_from_slice(&(word ^ (word >> 31)).to_le_bytes());
    }
    octets.truncate(length);
    octets
}
