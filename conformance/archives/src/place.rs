//! Paths that lead into archives.
//!
//! A name with the ending of an archive, then `!`, then `/`: what comes before the `!` is the archive, what comes after the `/` a path in it.
//! A folder whose own name is like that is written with one `!` more. What is there decides nothing: a path has one meaning.

use crate::{Damage, Kind};

/// Where a path leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// To what has this path of its own.
    Plain(String),
    /// Into an archive.
    Member {
        /// The archive.
        archive: String,
        /// Its kind, by its name.
        kind: Kind,
        /// The path in it, without detours; empty for everything that it holds.
        inner: String,
    },
}

/// Reads a path.
///
/// # Errors
/// It leads into an archive of an archive, or out of one.
pub fn place(path: &str) -> Result<Place, Damage> {
    let mut plain = String::with_capacity(path.len());
    let mut rest = path;
    while let Some((name, after)) = rest.split_once('/') {
        match marked(name) {
            Some((archive, kind, 1)) => {
                plain.push_str(archive);
                return Ok(Place::Member { archive: plain, kind, inner: inner(path, after)? });
            }
            Some(_) => plain.push_str(name.strip_suffix('!').unwrap_or(name)),
            None => plain.push_str(name),
        }
        plain.push('/');
        rest = after;
    }
    plain.push_str(rest);
    Ok(Place::Plain(plain))
}

/// A path of a file or folder as it has to be spelled to lead there.
#[must_use]
pub fn spelled(path: &str) -> String {
    let mut spelled = String::with_capacity(path.len());
    for (count, name) in path.split('/').enumerate() {
        if count > 0 {
            // Only a name that something follows is taken for an archive.
            if path_name(&spelled).is_some_and(|last| marked(last).is_some()) {
                spelled.push('!');
            }
            spelled.push('/');
        }
        spelled.push_str(name);
    }
    spelled
}

fn path_name(path: &str) -> Option<&str> {
    path.rsplit('/').next()
}

/// The name of an archive, its kind, and how many `!` follow it.
fn marked(name: &str) -> Option<(&str, Kind, usize)> {
    let archive = name.trim_end_matches('!');
    let marks = name.len() - archive.len();
    if marks == 0 { None } else { Kind::of(archive).map(|kind| (archive, kind, marks)) }
}

fn inner(path: &str, inner: &str) -> Result<String, Damage> {
    const HELP: &str = "unpack the outer one, or name a path in it";
    let inner = match place(inner) {
        Ok(Place::Plain(inner)) => inner,
        Ok(Place::Member { .. }) | Err(_) => {
            return Err(Damage::new(format!("{path:?}: leads into an archive in an archive"), HELP));
        }
    };
    let mut names = Vec::new();
    for name in inner.split('/') {
        match name {
            "" | "." => {}
            ".." => return Err(Damage::new(format!("{path:?}: leads out of the archive"), "write it without `..`")),
            name => names.push(name),
        }
    }
    Ok(names.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(archive: &str, kind: Kind, inner: &str) -> Place {
        Place::Member { archive: archive.to_owned(), kind, inner: inner.to_owned() }
    }

    #[test]
    fn a_path_has_one_meaning() {
        for (path, due) in [
            ("day.tar!/a/b", member("day.tar", Kind::Tar, "a/b")),
            ("x/day.tar.gz!/a", member("x/day.tar.gz", Kind::TarGz, "a")),
            ("day.TGZ!/./a//b/", member("day.TGZ", Kind::TarGz, "a/b")),
            ("day.tar.zst!/", member("day.tar.zst", Kind::TarZst, "")),
            ("day.tzst!/a!/b", member("day.tzst", Kind::TarZst, "a!/b")),
            ("day.zip!/in.zip", member("day.zip", Kind::Zip, "in.zip")),
            ("day.zip!/in.zip!!/x", member("day.zip", Kind::Zip, "in.zip!/x")),
        ] {
            assert_eq!(place(path), Ok(due), "{path}");
        }
        for (path, due) in [
            ("day.tar", "day.tar"),
            ("day.tar/a", "day.tar/a"),
            ("day.tar!", "day.tar!"),
            ("day.tar!!/a", "day.tar!/a"),
            ("day.tar!!!/a", "day.tar!!/a"),
            ("day.txt!/a", "day.txt!/a"),
            ("!/a", "!/a"),
        ] {
            assert_eq!(place(path), Ok(Place::Plain(due.to_owned())), "{path}");
        }
        assert!(place("a.tar!/b.zip!/c").unwrap_err().message.contains("an archive in an archive"));
        assert!(place("a.tar!/../c").unwrap_err().message.contains("leads out"));
    }

    #[test]
    fn whatever_a_folder_is_called_it_can_be_spelled() {
        for path in ["a/b", "x.tar!/a", "x.tar!!/y.zip!/z.tgz!", "x.tar/a", "x.tar!"] {
            assert_eq!(place(&spelled(path)), Ok(Place::Plain(path.to_owned())), "{path}");
        }
    }
}
