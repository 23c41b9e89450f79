//! From a path of any kind to what stands there in memory, as a system goes: name by name, and over nothing but folders.

use super::{EntryKind, HomeError, HomeReader as _, MemoryHome, Unreadable};

/// Links on the way of one path: as many as Linux follows, so that a circle has an end.
const LINKS: usize = 40;

/// What a path leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// A file, by its path without detours.
    File(String),
    /// A folder.
    Folder,
}

/// Why a path leads to nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    /// Nothing stands there.
    Absent,
    /// A file stands where a folder would have to.
    BelowFile,
    /// No file has such a name.
    Name,
    /// It leads out: a system knows what is there.
    Elsewhere,
}

impl MemoryHome {
    /// Follows a path of any kind, and links on its way whose ends are known; an absolute path and the empty one lead elsewhere.
    ///
    /// # Errors
    /// Nothing of this home stands there.
    pub fn find(&self, path: &str) -> Result<Found, Lost> {
        if path.contains('\0') {
            return Err(Lost::Name);
        }
        if path.is_empty() || path.starts_with('/') {
            return Err(Lost::Elsewhere);
        }
        self.walk(String::with_capacity(path.len()), path, LINKS)
    }

    /// Follows a path from the top, and no link.
    ///
    /// # Errors
    /// Nothing of this home stands there.
    pub fn down(&self, path: &str) -> Result<Found, Lost> {
        self.walk(String::with_capacity(path.len()), path, 0)
    }

    /// Follows a path from a folder, over no more than so many links.
    fn walk(&self, mut place: String, path: &str, links: usize) -> Result<Found, Lost> {
        let (mut kind, mut rest) = (EntryKind::Folder, Some(path));
        while let Some(path) = rest {
            // Whatever comes after the name of a file, be it nothing.
            if kind != EntryKind::Folder {
                return Err(Lost::BelowFile);
            }
            let (name, after) = path.split_once('/').map_or((path, None), |(name, after)| (name, Some(after)));
            rest = after;
            match name {
                "" | "." => {}
                ".." if place.is_empty() => return Err(Lost::Elsewhere),
                ".." => place.truncate(place.rfind('/').unwrap_or_default()),
                name => {
                    let folder = place.len();
                    if !place.is_empty() {
                        place.push('/');
                    }
                    place.push_str(name);
                    if let Some((to, links)) = self.link(&place).zip(links.checked_sub(1)) {
                        if to.starts_with('/') {
                            return Err(Lost::Elsewhere);
                        }
                        let path = after.map_or_else(|| to.to_owned(), |after| format!("{to}/{after}"));
                        place.truncate(folder);
                        return self.walk(place, &path, links);
                    }
                    kind = match self.kind(&place) {
                        Ok(Some(kind)) => kind,
                        Err(HomeError::Name) => return Err(Lost::Name),
                        Ok(None) | Err(_) => return Err(Lost::Absent),
                    };
                }
            }
        }
        if kind == EntryKind::Folder { Ok(Found::Folder) } else { Ok(Found::File(place)) }
    }

    /// Reads a turn file that was found, or says of what was not what a reader of a disk says.
    ///
    /// # Errors
    /// It was not found, or is no file.
    pub fn read_found(&self, here: Result<Found, Lost>, into: &mut Vec<u8>) -> Result<(), Unreadable> {
        into.clear();
        match here {
            Ok(Found::File(path)) => self.read(&path, u64::MAX, into).map_err(|error| match error {
                // Nothing that is opened is a link: one more than is followed stands there.
                HomeError::Symlink => Unreadable::UNOPENED,
                _ => Unreadable::FAILED,
            }),
            Ok(Found::Folder) => Err(Unreadable::FOLDER),
            Err(Lost::Absent) => Err(Unreadable::ABSENT),
            Err(Lost::Name) => Err(Unreadable::NOT_A_NAME),
            Err(Lost::BelowFile | Lost::Elsewhere) => Err(Unreadable::UNOPENED),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::HomeFiles as _;

    #[test]
    fn links_lead_where_a_system_follows_them() {
        let mut home = MemoryHome::default();
        home.create_folder("d/e").unwrap();
        home.create("d/f", b"1").unwrap();
        for (path, to) in [
            ("file", "d/f"),
            ("folder", "d/e"),
            ("d/e/up", "../f"),
            ("twice", "folder/up"),
            ("out", "../d/f"),
            ("d/out", "../../d/f"),
            ("root", "/d/f"),
            ("gone", "d/g"),
            ("below", "d/f/"),
            ("circle", "circle"),
            ("there", "back"),
            ("back", "there"),
        ] {
            home.put_link_to(path, to);
        }
        home.put_link("unknown");
        for path in ["file", "d/e/up", "twice", "folder/up", "folder/../f", "d/../file"] {
            assert_eq!(home.find(path), Ok(Found::File("d/f".to_owned())), "{path}");
        }
        assert_eq!(home.find("folder"), Ok(Found::Folder));
        assert_eq!(home.find("folder/."), Ok(Found::Folder));
        for (path, lost) in [
            ("out", Lost::Elsewhere),
            ("d/out", Lost::Elsewhere),
            ("root", Lost::Elsewhere),
            ("gone", Lost::Absent),
            ("gone/../d/f", Lost::Absent),
            ("below", Lost::BelowFile),
            ("file/", Lost::BelowFile),
            ("circle/f", Lost::BelowFile),
        ] {
            assert_eq!(home.find(path), Err(lost), "{path}");
        }
        let mut bytes = Vec::new();
        for path in ["circle", "there", "unknown"] {
            assert_eq!(home.read_found(home.find(path), &mut bytes), Err(Unreadable::UNOPENED), "{path}");
        }
        // Whoever follows no link is not led by one.
        assert!(home.read_found(home.down("file"), &mut bytes).is_err());
        assert_eq!(home.down("folder/up"), Err(Lost::BelowFile));
    }

    /// A circle ends, however far each turn of it leads.
    #[test]
    fn links_are_followed_as_often_as_a_system_does() {
        let mut home = MemoryHome::default();
        home.create("f", b"").unwrap();
        home.put_link_to("l1", "f");
        for count in 2..=LINKS + 1 {
            home.put_link_to(&format!("l{count}"), &format!("l{}", count - 1));
        }
        assert_eq!(home.find(&format!("l{LINKS}")), Ok(Found::File("f".to_owned())));
        assert_ne!(home.find(&format!("l{}", LINKS + 1)), Ok(Found::File("f".to_owned())));
        home.put_link_to("wide", &"wide/".repeat(800));
        assert_eq!(home.find("wide"), Err(Lost::BelowFile));
    }
}
