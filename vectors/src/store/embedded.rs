//! The files of `contracts/` and `vectors/` as this build has them: packed into a release build, those beside the sources in
//! every other, so that a changed vector costs no build.

#[cfg(built_in)]
use packed as origin;
#[cfg(not(built_in))]
use repository as origin;

#[cfg(built_in)]
mod packed;
#[cfg(not(built_in))]
mod repository;

/// One of these files by its path; no read is counted. Nothing where there is no such file.
#[must_use]
pub fn embedded(path: &str) -> Option<&'static [u8]> {
    origin::find(path)
}

/// Every path, sorted, with the place that [`content`] takes.
pub(super) fn files() -> impl Iterator<Item = (&'static str, usize)> {
    (0..origin::count()).filter_map(|place| Some((origin::path(place)?, place)))
}

/// The content of the file at a place; nothing where it cannot be had.
pub(super) fn content(place: usize) -> Option<&'static [u8]> {
    origin::content(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_every_file() {
        let paths: Vec<_> = files().map(|(path, _)| path).collect();
        assert!(paths.len() == origin::count() && paths.is_sorted() && paths.len() > 100);
        for (path, place) in files().step_by(13) {
            assert_eq!(embedded(path), content(place), "{path}");
        }
        for absent in ["", "contracts/gone", "zzz"] {
            assert_eq!(embedded(absent), None, "{absent}");
        }
    }

    #[test]
    fn contents_are_those_of_the_files() {
        let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        for (path, number) in files() {
            let beside = path.strip_prefix("vectors/").unwrap_or(path);
            assert_eq!(std::fs::read(here.join(beside)).unwrap(), content(number).unwrap(), "{path}");
        }
    }
}
