//! Contents of files, packed: a record is mostly names that every record has, and digests, spelled in twice their bytes.

use std::{collections::HashMap, sync::Arc};

use assize_verifier::digest::Digest;

/// A part that is spelled out, its length first.
const PLAIN: u8 = 0;
/// A part that is a digest.
const DIGEST: u8 = 1;
/// A part that was met before: its number comes in this byte, on top of it, and the next.
const KNOWN: u8 = 2;

/// How many parts are remembered: those that come first, among them what all files of one kind have.
const MOST: u16 = 16_384;
/// The longest part that is remembered.
const LONGEST: usize = 100;
/// Contents that are large are not made of what others are made of, and are kept as they are.
const LARGE: usize = 4_096;

/// How contents are kept: what is packed begins with this, and what is as it is with another byte.
const PACKED: u8 = 1;
const AS_IT_IS: u8 = 0;

/// Parts between quotation marks that contents have had.
#[derive(Default)]
pub(super) struct Texts {
    numbers: HashMap<Arc<[u8]>, u16>,
    parts: Vec<Arc<[u8]>>,
}

impl Texts {
    /// Packs contents.
    pub(super) fn pack(&mut self, bytes: &[u8]) -> Arc<[u8]> {
        let mut packed = vec![PACKED];
        if bytes.len() <= LARGE {
            for part in bytes.split(|byte| *byte == b'"') {
                self.add(part, &mut packed);
            }
        }
        if bytes.len() > LARGE || packed.len() > bytes.len() {
            packed.clear();
            packed.push(AS_IT_IS);
            packed.extend_from_slice(bytes);
        }
        packed.into()
    }

    fn add(&mut self, part: &[u8], packed: &mut Vec<u8>) {
        if let Some(digest) = Digest::from_hex(part).filter(|_| !self.numbers.contains_key(part)) {
            packed.push(DIGEST);
            packed.extend_from_slice(digest.as_bytes());
            // One that comes again is shorter by its number.
            self.remember(part);
            return;
        }
        match self.numbers.get(part) {
            Some(number) => {
                let [high, low] = number.to_be_bytes();
                packed.extend([KNOWN + high, low]);
            }
            None => {
                let [high, low] = u16::try_from(part.len()).unwrap_or(u16::MAX).to_be_bytes();
                packed.extend([PLAIN, high, low]);
                packed.extend_from_slice(part);
                self.remember(part);
            }
        }
    }

    fn remember(&mut self, part: &[u8]) {
        if let Ok(number) = u16::try_from(self.parts.len())
            && number < MOST
            && part.len() <= LONGEST
        {
            let part: Arc<[u8]> = part.into();
            self.numbers.insert(Arc::clone(&part), number);
            self.parts.push(part);
        }
    }

    /// Appends contents as they were.
    pub(super) fn unpack(&self, packed: &[u8], into: &mut Vec<u8>) {
        let Some((&PACKED, mut rest)) = packed.split_first() else {
            into.extend_from_slice(packed.get(1..).unwrap_or_default());
            return;
        };
        let mut first = true;
        while let Some((&mark, after)) = rest.split_first() {
            if !std::mem::replace(&mut first, false) {
                into.push(b'"');
            }
            match mark {
                PLAIN => {
                    let (length, after) = after
                        .split_first_chunk()
                        .map_or((0, after), |(length, after)| (usize::from(u16::from_be_bytes(*length)), after));
                    let (part, after) = after.split_at_checked(length).unwrap_or_default();
                    into.extend_from_slice(part);
                    rest = after;
                }
                DIGEST => {
                    let (digest, after) = after.split_first_chunk().unwrap_or((&[0; 32], &[]));
                    Digest::from(*digest).append_hex(into);
                    rest = after;
                }
                high => {
                    let (low, after) = after.split_first().map_or((0, after), |(low, after)| (*low, after));
                    let number = usize::from(u16::from_be_bytes([high - KNOWN, low]));
                    into.extend_from_slice(self.parts.get(number).map_or(&[], |part| part));
                    rest = after;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_come_out_as_they_went_in() {
        let hex = "0f9a".repeat(16);
        let many: String = (0..40_000).map(|place| format!("\"{place}\"")).collect();
        let mut contents = vec![
            Vec::new(),
            b"\"".to_vec(),
            b"\"\"\"\"\"\"\"".to_vec(),
            format!(r#"{{"a":"{hex}","b":"{hex}","c":"{}"}}"#, hex.to_uppercase()).into_bytes(),
            vec![0, 1, 2, 255, b'"', 0],
            "x".repeat(LARGE).into_bytes(),
            "\"".repeat(LARGE + 1).into_bytes(),
            vec![1; 300],
        ];
        contents.extend(many.as_bytes().chunks(1_000).map(<[u8]>::to_vec));
        let mut texts = Texts::default();
        for round in 0..3 {
            let packed: Vec<_> = contents.iter().map(|bytes| texts.pack(bytes)).collect();
            for (bytes, packed) in contents.iter().zip(&packed) {
                let mut read = Vec::new();
                texts.unpack(packed, &mut read);
                assert_eq!(read, *bytes, "{round}");
            }
        }
        assert_eq!(texts.parts.len(), usize::from(MOST), "as many are remembered as can be");
    }

    #[test]
    fn what_came_before_is_short() {
        let record = |digit: &str| format!(r#"{{"body_digest":"{}","stem":"inv/{digit}"}}"#, digit.repeat(64));
        let mut texts = Texts::default();
        let packed = ["1", "2", "1"].map(|digit| texts.pack(record(digit).as_bytes()).len());
        // What is spelled out takes three bytes more than it is long, a digest 33, and what is known two.
        let spelled = ["{", "body_digest", ":", ",", "stem", "inv/1", "}"].map(|part| 3 + part.len());
        let first = 1 + spelled.iter().sum::<usize>() + 33 + 2;
        assert_eq!(packed, [first, 1 + 7 * 2 + 33 + 3 + "inv/2".len(), 1 + 9 * 2]);
    }
}
