//! From a path of any kind to what stands there in memory, as a system goes: name by name, and over nothing but folders.

use super::{EntryKind, HomeError, HomeReader as _, MemoryHome, Unreadable};

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
    /// Follows a path of any kind; an absolute one and the empty one lead elsewhere.
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
        self.down(path)
    }

    /// Follows a path from the top.
    ///
    /// # Errors
    /// Nothing of this home stands there.
    pub fn down(&self, path: &str) -> Result<Found, Lost> {
        let (mut place, mut kind) = (String::with_capacity(path.len()), EntryKind::Folder);
        for name in path.split('/') {
            // Whatever comes after the name of a file, be it nothing.
            if kind != EntryKind::Folder {
                return Err(Lost::BelowFile);
            }
            match name {
                "" | "." => {}
                ".." if place.is_empty() => return Err(Lost::Elsewhere),
                ".." => place.truncate(place.rfind('/').unwrap_or_default()),
                name => {
                    if !place.is_empty() {
                        place.push('/');
                    }
                    place.push_str(name);
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
            Ok(Found::File(path)) => self.read(&path, u64::MAX, into).map_err(|_| Unreadable::FAILED),
            Ok(Found::Folder) => Err(Unreadable::FOLDER),
            Err(Lost::Absent) => Err(Unreadable::ABSENT),
            Err(Lost::Name) => Err(Unreadable::NOT_A_NAME),
            Err(Lost::BelowFile | Lost::Elsewhere) => Err(Unreadable::UNOPENED),
        }
    }
}
