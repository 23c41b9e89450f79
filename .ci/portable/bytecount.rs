//! In the place of the crate bytecount where the core is compiled: what is used of it, one byte at a time.

/// How often a byte stands among others.
pub fn count(haystack: &[u8], needle: u8) -> usize {
    haystack.iter().filter(|byte| **byte == needle).count()
}

/// How many characters there are in UTF-8: bytes that continue none.
pub fn num_chars(utf8: &[u8]) -> usize {
    utf8.iter().filter(|byte| **byte & 0b1100_0000 != 0b1000_0000).count()
}
