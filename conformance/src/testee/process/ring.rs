//! The last bytes of an endless stream.

/// What is kept.
const KEPT: usize = 8 << 10;

/// The end of what was pushed.
#[derive(Debug, Default)]
pub(super) struct Ring {
    bytes: Vec<u8>,
}

impl Ring {
    /// Takes the next bytes and forgets what is too long ago.
    pub(super) fn push(&mut self, chunk: &[u8]) {
        let chunk = chunk.get(chunk.len().saturating_sub(KEPT)..).unwrap_or_default();
        self.bytes.extend_from_slice(chunk);
        // The rest is moved to the front once for every `KEPT` bytes, not for every chunk.
        if self.bytes.len() >= 2 * KEPT {
            self.bytes.drain(..self.bytes.len() - KEPT);
        }
    }

    /// What is kept, as text; the first character may have been cut off.
    pub(super) fn text(&self) -> String {
        let last = self.bytes.get(self.bytes.len().saturating_sub(KEPT)..).unwrap_or_default();
        let whole = if self.bytes.len() > KEPT {
            let tail = last.iter().take(3).take_while(|byte| **byte & 0xc0 == 0x80).count();
            last.get(tail..).unwrap_or_default()
        } else {
            last
        };
        String::from_utf8_lossy(whole).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is kept of chunks.
    fn check(chunks: &[&[u8]], end: &str) {
        let mut ring = Ring::default();
        chunks.iter().for_each(|chunk| ring.push(chunk));
        assert!(ring.bytes.len() < 2 * KEPT);
        assert_eq!(ring.text(), end);
    }

    #[test]
    fn only_the_end_is_kept() {
        check(&[], "");
        check(&[b"one ", b"two"], "one two");
        check(&[&[b'x'; KEPT], b"end"], &format!("{}end", "x".repeat(KEPT - 3)));
        check(&[&[b'x'; 5 * KEPT], b"end"], &format!("{}end", "x".repeat(KEPT - 3)));
        check(&[b"lost", &[b'x'; KEPT], &[b'y'; KEPT]], &"y".repeat(KEPT));
        check(&[b"bad \xff\x1b"], "bad \u{fffd}\u{1b}");
    }

    #[test]
    fn a_character_that_was_cut_is_left_out() {
        let mut ring = Ring::default();
        ring.push("é".as_bytes());
        ring.push(&[b'x'; KEPT - 1]);
        assert_eq!(ring.text(), "x".repeat(KEPT - 1));
    }
}
