//! From a path to what stands there, as a system goes: name by name, and over nothing but folders.

use assize_verifier::files::{EntryKind, HomeError, HomeReader as _, MemoryHome};

/// What a path leads to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// A file, by its path without detours.
    File(String),
    Folder,
}

/// Why a path leads to nothing.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Lost {
    Absent,
    /// A file stands where a folder would have to.
    BelowFile,
    /// No file has such a name.
    Name,
    /// It leads out, or may: the system knows.
    Elsewhere,
}

/// The longest path that is followed here. A system takes no more than some thousand bytes, the way to the folder among them.
const LONGEST: usize = 1024;

/// Follows a path of any kind.
pub(super) fn find(home: &MemoryHome, path: &str) -> Result<Found, Lost> {
    if path.contains('\0') {
        return Err(Lost::Name);
    }
    if path.is_empty() || path.starts_with('/') || path.len() > LONGEST {
        return Err(Lost::Elsewhere);
    }
    down(home, path)
}

/// Follows a path from the top.
pub(super) fn down(home: &MemoryHome, path: &str) -> Result<Found, Lost> {
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
                kind = match home.kind(&place) {
                    Ok(Some(kind)) => kind,
                    Err(HomeError::Name) => return Err(Lost::Name),
                    Ok(None) | Err(_) => return Err(Lost::Absent),
                };
            }
        }
    }
    if kind == EntryKind::Folder { Ok(Found::Folder) } else { Ok(Found::File(place)) }
}
