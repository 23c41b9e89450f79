//! The files that the build packed into this crate, in compressed blocks.
//!
//! A block is unpacked when the first of its files is read, by whichever thread asks: threads that read the whole corpus unpack
//! side by side, and a command that reads one contract unpacks one block.

use std::{cmp::Ordering, io::Read as _, sync::OnceLock};

use flate2::read::DeflateDecoder;

/// The blocks end to end.
static PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/packed"));

/// Every path, sorted, with nothing in between.
static PATHS: &str = include_str!(concat!(env!("OUT_DIR"), "/paths"));

/// For each file where its path ends, and where its content ends among all contents.
static FILES: Table = Table(include_bytes!(concat!(env!("OUT_DIR"), "/files")));

/// For each block where it ends, and where its contents end among all contents.
static BLOCKS: Table = Table(include_bytes!(concat!(env!("OUT_DIR"), "/blocks")));

/// What was unpacked already.
static UNPACKED: OnceLock<Vec<OnceLock<Vec<u8>>>> = OnceLock::new();

/// Pairs of offsets, as little-endian numbers of 32 bits.
struct Table(&'static [u8]);

impl Table {
    fn len(&self) -> usize {
        self.0.as_chunks::<8>().0.len()
    }

    fn get(&self, index: usize) -> Option<[usize; 2]> {
        let [a0, a1, a2, a3, b0, b1, b2, b3] = *self.0.as_chunks::<8>().0.get(index)?;
        let wide = |end| usize::try_from(u32::from_le_bytes(end)).ok();
        Some([wide([a0, a1, a2, a3])?, wide([b0, b1, b2, b3])?])
    }

    /// Where the entry at a place begins: where the one before it ends.
    fn start(&self, index: usize) -> Option<[usize; 2]> {
        index.checked_sub(1).map_or(Some([0, 0]), |before| self.get(before))
    }

    /// The entry in which this offset of the second kind lies.
    fn holding(&self, offset: usize) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            match self.get(middle) {
                Some([_, end]) if end < offset => low = middle + 1,
                _ => high = middle,
            }
        }
        low
    }
}

pub(super) fn count() -> usize {
    FILES.len()
}

pub(super) fn path(place: usize) -> Option<&'static str> {
    PATHS.get(FILES.start(place)?[0]..FILES.get(place)?[0])
}

pub(super) fn find(path: &str) -> Option<&'static [u8]> {
    let (mut low, mut high) = (0, count());
    while low < high {
        let middle = low.midpoint(high);
        match self::path(middle)?.cmp(path) {
            Ordering::Equal => return content(middle),
            Ordering::Less => low = middle + 1,
            Ordering::Greater => high = middle,
        }
    }
    None
}

pub(super) fn content(place: usize) -> Option<&'static [u8]> {
    let [[_, from], [_, to]] = [FILES.start(place)?, FILES.get(place)?];
    // By its end: a file of no bytes lies in the block of the file before it.
    let block = BLOCKS.holding(to);
    let [_, base] = BLOCKS.start(block)?;
    unpacked(block)?.get(from.checked_sub(base)?..to.checked_sub(base)?)
}

fn unpacked(block: usize) -> Option<&'static [u8]> {
    let blocks = UNPACKED.get_or_init(|| (0..BLOCKS.len()).map(|_| OnceLock::new()).collect());
    Some(blocks.get(block)?.get_or_init(|| unpack(block).unwrap_or_default()))
}

fn unpack(block: usize) -> Option<Vec<u8>> {
    let [[packed_from, from], [packed_to, to]] = [BLOCKS.start(block)?, BLOCKS.get(block)?];
    let mut contents = Vec::with_capacity(to.checked_sub(from)?);
    DeflateDecoder::new(PACKED.get(packed_from..packed_to)?).read_to_end(&mut contents).ok()?;
    Some(contents)
}
