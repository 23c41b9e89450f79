//! The files that the build packed into this crate: contents and paths end to end, and where each ends.
//!
//! Nothing is unpacked or parsed: a look-up is a binary search, and a file is a slice of the pack.

use std::cmp::Ordering;

/// Every content, in the order of the paths.
static CONTENTS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/contents"));

/// Every path, sorted, with nothing in between.
static PATHS: &str = include_str!(concat!(env!("OUT_DIR"), "/paths"));

/// For each file where its path and where its content ends, as two little-endian numbers of 32 bits.
static ENDS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/ends"));

/// One file that was built in, by its path; no read is counted.
#[must_use]
pub fn embedded(path: &str) -> Option<&'static [u8]> {
    let (mut low, mut high) = (0, count());
    while low < high {
        let middle = low.midpoint(high);
        let (known, content) = file(middle)?;
        match known.cmp(path) {
            Ordering::Equal => return Some(content),
            Ordering::Less => low = middle + 1,
            Ordering::Greater => high = middle,
        }
    }
    None
}

/// Every file, sorted by path.
pub(super) fn files() -> impl Iterator<Item = (&'static str, &'static [u8])> {
    (0..count()).filter_map(file)
}

fn count() -> usize {
    ENDS.as_chunks::<8>().0.len()
}

fn file(index: usize) -> Option<(&'static str, &'static [u8])> {
    let (path_from, content_from) = match index.checked_sub(1) {
        Some(before) => ends(before)?,
        None => (0, 0),
    };
    let (path_to, content_to) = ends(index)?;
    Some((PATHS.get(path_from..path_to)?, CONTENTS.get(content_from..content_to)?))
}

fn ends(index: usize) -> Option<(usize, usize)> {
    let [p0, p1, p2, p3, c0, c1, c2, c3] = *ENDS.as_chunks::<8>().0.get(index)?;
    let wide = |end| usize::try_from(u32::from_le_bytes(end)).ok();
    Some((wide([p0, p1, p2, p3])?, wide([c0, c1, c2, c3])?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_built_in_files() {
        let paths: Vec<_> = files().map(|(path, _)| path).collect();
        assert!(paths.len() == count() && paths.is_sorted() && paths.len() > 100);
        for (path, content) in files() {
            assert_eq!(embedded(path), Some(content), "{path}");
        }
        for absent in ["", "contracts/gone", "zzz"] {
            assert_eq!(embedded(absent), None, "{absent}");
        }
    }

    #[test]
    fn contents_are_those_of_the_repository() {
        let top = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        for (path, content) in files().step_by(97) {
            assert_eq!(std::fs::read(top.join(path)).unwrap(), content, "{path}");
        }
        let (last, content) = files().last().unwrap();
        assert_eq!(std::fs::read(top.join(last)).unwrap(), content, "{last}");
    }
}
