//! A ledger of any length that is nowhere whole.

use std::io::{self, Read};

use assize_verifier::authority::Layout;

use super::forge::{Forge, PAYLOAD, payload};

/// A ledger that is made while it is read.
#[derive(Debug)]
pub(crate) struct Stream {
    pub(crate) forge: Forge,
    count: u64,
    layout: Layout,
    /// The record whose payload gets another digit.
    altered: Option<u64>,
    /// Some of the text, and how much of it has been read.
    text: Vec<u8>,
    taken: usize,
    ended: bool,
}

impl Stream {
    pub(crate) fn new(count: u64, layout: Layout, altered: Option<u64>) -> Self {
        Self { forge: Forge::default(), count, layout, altered, text: Vec::new(), taken: 0, ended: false }
    }

    /// Makes the next few thousand bytes; none at the end.
    fn more(&mut self) {
        self.text.clear();
        self.taken = 0;
        let array = self.layout == Layout::Array;
        while self.text.len() < 1 << 16 && self.forge.count < self.count {
            let number = self.forge.count;
            if array {
                self.text.extend_from_slice(if number == 0 { b"[" } else { b",\n" });
            }
            let spans = self.forge.append(&payload(number), &mut self.text);
            if self.altered == Some(number) {
                let digit = &mut self.text[spans[PAYLOAD].start + r#"{"at":{"x":"#.len()];
                *digit = if *digit == b'9' { b'8' } else { *digit + 1 };
            }
            if !array {
                self.text.push(b'\n');
            }
        }
        if array && self.text.is_empty() && !self.ended {
            self.ended = true;
            self.text.push(b']');
        }
    }
}

impl Read for Stream {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.taken == self.text.len() {
            self.more();
        }
        let read = (&self.text[self.taken..]).read(into)?;
        self.taken += read;
        Ok(read)
    }
}
