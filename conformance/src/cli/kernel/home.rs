//! A home in memory that takes little of it: scenarios of a million steps leave millions of small files, whose paths and
//! contents repeat each other.

mod name;
mod texts;

use std::{collections::BTreeMap, sync::Arc};

use assize_verifier::files::{EntryKind, HomeEntry, HomeError, HomeFiles, HomeReader};

use name::Name;
use texts::Texts;

/// Folders by number, the home itself first.
pub(super) struct SmallHome {
    folders: Vec<Folder>,
    /// Numbers of folders that are gone.
    free: Vec<u32>,
    texts: Texts,
}

/// What stands under a name.
enum Entry {
    Folder(u32),
    /// Packed by [`Texts`], and shared by all the names of one file.
    File(Arc<[u8]>),
}

/// What lies in a folder. Most folders hold one thing, and a map would take the room of eleven.
enum Folder {
    Few(Vec<(Name, Entry)>),
    Many(BTreeMap<Name, Entry>),
}

/// How much lies in a folder before a map is made of it.
const FEW: usize = 8;

const HOME: u32 = 0;

impl Default for SmallHome {
    fn default() -> Self {
        Self { folders: vec![Folder::Few(Vec::new())], free: Vec::new(), texts: Texts::default() }
    }
}

impl Folder {
    fn get(&self, name: &Name) -> Option<&Entry> {
        match self {
            Self::Few(few) => few.iter().find(|(known, _)| known == name).map(|(_, entry)| entry),
            Self::Many(many) => many.get(name),
        }
    }

    fn insert(&mut self, name: Name, entry: Entry) {
        self.remove(&name);
        match self {
            Self::Few(few) if few.len() == FEW => {
                let mut many: BTreeMap<_, _> = few.drain(..).collect();
                many.insert(name, entry);
                *self = Self::Many(many);
            }
            Self::Few(few) => {
                few.reserve_exact(1);
                few.push((name, entry));
            }
            Self::Many(many) => drop(many.insert(name, entry)),
        }
    }

    fn remove(&mut self, name: &Name) -> Option<Entry> {
        match self {
            Self::Few(few) => {
                let place = few.iter().position(|(known, _)| known == name)?;
                Some(few.swap_remove(place).1)
            }
            Self::Many(many) => many.remove(name),
        }
    }

    fn entries(&self) -> Box<dyn Iterator<Item = (&Name, &Entry)> + '_> {
        match self {
            Self::Few(few) => Box::new(few.iter().map(|(name, entry)| (name, entry))),
            Self::Many(many) => Box::new(many.iter()),
        }
    }
}

/// The folder that a path lies in, and its name there.
fn parted(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

fn kind(entry: &Entry) -> EntryKind {
    match entry {
        Entry::Folder(_) => EntryKind::Folder,
        Entry::File(_) => EntryKind::File,
    }
}

impl SmallHome {
    fn folder(&self, number: u32) -> Option<&Folder> {
        self.folders.get(number as usize)
    }

    /// What stands at a path, if the way there leads over folders alone.
    fn at(&self, path: &str) -> Result<Option<&Entry>, HomeError> {
        const TOP: Entry = Entry::Folder(HOME);
        let mut found = &TOP;
        for name in path.split('/').filter(|_| !path.is_empty()) {
            let Entry::Folder(number) = found else { return Ok(None) };
            let name = Name::checked(name)?;
            match self.folder(*number).and_then(|folder| folder.get(&name)) {
                Some(entry) => found = entry,
                None => return Ok(None),
            }
        }
        Ok(Some(found))
    }

    /// Where something new may stand: the number of its folder.
    fn vacant(&self, path: &str) -> Result<u32, HomeError> {
        if self.at(path)?.is_some() {
            return Err(HomeError::Occupied);
        }
        match self.at(parted(path).0)? {
            Some(Entry::Folder(number)) => Ok(*number),
            Some(Entry::File(_)) => Err(HomeError::NotAFolder),
            None => Err(HomeError::Absent),
        }
    }

    fn put(&mut self, folder: u32, path: &str, entry: Entry) -> Result<(), HomeError> {
        let name = Name::checked(parted(path).1)?;
        if let Some(folder) = self.folders.get_mut(folder as usize) {
            folder.insert(name, entry);
        }
        Ok(())
    }

    /// Takes what stands at a path out of its folder.
    fn take(&mut self, path: &str) -> Result<Option<Entry>, HomeError> {
        let (folder, name) = parted(path);
        let Some(Entry::Folder(number)) = self.at(folder)? else { return Ok(None) };
        let number = *number as usize;
        let name = Name::checked(name)?;
        Ok(self.folders.get_mut(number).and_then(|folder| folder.remove(&name)))
    }

    fn new_folder(&mut self) -> Result<u32, HomeError> {
        if let Some(number) = self.free.pop() {
            return Ok(number);
        }
        let number = u32::try_from(self.folders.len()).map_err(|_| HomeError::Full)?;
        self.folders.push(Folder::Few(Vec::new()));
        Ok(number)
    }
}

impl HomeReader for SmallHome {
    fn kind(&self, path: &str) -> Result<Option<EntryKind>, HomeError> {
        Ok(self.at(path)?.map(kind))
    }

    fn list(&self, path: &str) -> Result<Vec<HomeEntry>, HomeError> {
        match self.at(path)? {
            Some(Entry::Folder(number)) => {
                let entries = self.folder(*number).into_iter().flat_map(Folder::entries);
                let mut listed: Vec<_> =
                    entries.map(|(name, entry)| HomeEntry { name: name.text(), kind: kind(entry) }).collect();
                listed.sort_unstable_by(|one, other| one.name.cmp(&other.name));
                Ok(listed)
            }
            Some(Entry::File(_)) => Err(HomeError::NotAFolder),
            None => Err(HomeError::Absent),
        }
    }

    fn read(&self, path: &str, limit: u64, into: &mut Vec<u8>) -> Result<(), HomeError> {
        into.clear();
        match self.at(path)? {
            Some(Entry::File(packed)) => {
                self.texts.unpack(packed, into);
                if u64::try_from(into.len()).is_ok_and(|len| len <= limit) {
                    return Ok(());
                }
                into.clear();
                Err(HomeError::TooLarge { limit })
            }
            Some(Entry::Folder(_)) => Err(HomeError::NotAFile),
            None => Err(HomeError::Absent),
        }
    }
}

impl HomeFiles for SmallHome {
    fn create(&mut self, path: &str, bytes: &[u8]) -> Result<(), HomeError> {
        let folder = self.vacant(path)?;
        let packed = self.texts.pack(bytes);
        self.put(folder, path, Entry::File(packed))
    }

    fn create_folder(&mut self, path: &str) -> Result<(), HomeError> {
        if matches!(self.at(path), Ok(Some(Entry::Folder(_)))) {
            return Ok(());
        }
        let ends = path.match_indices('/').map(|(end, _)| end).chain([path.len()]);
        for path in ends.filter_map(|end| path.get(..end)).filter(|path| !path.is_empty()) {
            match self.at(path)? {
                Some(Entry::Folder(_)) => {}
                Some(Entry::File(_)) => return Err(HomeError::Occupied),
                None => {
                    let folder = self.vacant(path)?;
                    let number = self.new_folder()?;
                    self.put(folder, path, Entry::Folder(number))?;
                }
            }
        }
        Ok(())
    }

    fn rename(&mut self, from: &str, to: &str) -> Result<(), HomeError> {
        let source = self.at(from)?.map(kind).ok_or(HomeError::Absent)?;
        let folder = match (source, self.at(to)?.map(kind)) {
            (EntryKind::File, Some(EntryKind::File)) => match self.at(parted(to).0)? {
                Some(Entry::Folder(number)) => *number,
                _ => return Err(HomeError::Absent),
            },
            (_, Some(_)) => return Err(HomeError::Occupied),
            (_, None) => self.vacant(to)?,
        };
        match self.take(from)? {
            Some(entry) => self.put(folder, to, entry),
            None => Err(HomeError::Absent),
        }
    }

    fn share(&mut self, from: &str, to: &str) -> Result<(), HomeError> {
        let folder = self.vacant(to)?;
        let packed = match self.at(from)? {
            Some(Entry::File(packed)) => Arc::clone(packed),
            Some(Entry::Folder(_)) => return Err(HomeError::NotAFile),
            None => return Err(HomeError::Absent),
        };
        self.put(folder, to, Entry::File(packed))
    }

    fn remove(&mut self, path: &str) -> Result<(), HomeError> {
        let mut pending = match self.at(path)? {
            Some(_) if path.is_empty() => vec![HOME],
            Some(_) => match self.take(path)? {
                Some(Entry::Folder(number)) => vec![number],
                _ => Vec::new(),
            },
            None => Vec::new(),
        };
        while let Some(number) = pending.pop() {
            let Some(folder) = self.folders.get_mut(number as usize) else { continue };
            let gone = std::mem::replace(folder, Folder::Few(Vec::new()));
            pending.extend(gone.entries().filter_map(|(_, entry)| match entry {
                Entry::Folder(number) => Some(*number),
                Entry::File(_) => None,
            }));
            if number != HOME {
                self.free.push(number);
            }
        }
        Ok(())
    }

    fn settle(&mut self) -> Result<(), HomeError> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use assize_verifier::kernel::MemoryHome;

    use super::*;

    #[test]
    fn nothing_takes_more_room_than_it_has_to() {
        assert_eq!((size_of::<Name>(), size_of::<Entry>()), (24, 16));
    }

    /// Everything below a folder, with the bytes of files.
    fn below(home: &dyn HomeReader, folder: &str) -> Vec<(String, EntryKind, Vec<u8>)> {
        let (mut all, mut pending) = (Vec::new(), vec![folder.to_owned()]);
        while let Some(folder) = pending.pop() {
            for entry in home.list(&folder).expect("a folder") {
                let path = if folder.is_empty() { entry.name } else { format!("{folder}/{}", entry.name) };
                let mut bytes = Vec::new();
                match entry.kind {
                    EntryKind::Folder => pending.push(path.clone()),
                    _ => home.read(&path, u64::MAX, &mut bytes).expect("a file"),
                }
                all.push((path, entry.kind, bytes));
            }
        }
        all
    }

    /// A plain home in memory is the measure: whatever is done to both gives the same answer, and leaves the same.
    #[test]
    fn it_does_what_a_plain_home_does() {
        let hex = "0123456789abcdef".repeat(4);
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..200 {
            let (mut small, mut plain) = (SmallHome::default(), MemoryHome::default());
            let path = |random: &mut fastrand::Rng| {
                let names = ["a", "b", "c", "a.x", &hex, "name-of-more-than-twenty-two-letters", "..", "", "é"];
                let usual = |random: &mut fastrand::Rng| {
                    let most = if random.u8(..20) == 0 { names.len() } else { 6 };
                    names.get(random.usize(..most)).copied().unwrap_or_default()
                };
                let levels = random.usize(1..4);
                let mut path: Vec<_> = (0..levels).map(|_| usual(random).to_owned()).collect();
                if random.bool() {
                    path.push(random.u8(..30).to_string());
                }
                path.join("/")
            };
            for _ in 0..120 {
                let (one, other) = (path(&mut random), path(&mut random));
                let text = format!(r#"{{"a":"{one}","digest":"{hex}"}}"#);
                let within =
                    |path: &str, other: &str| other.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'));
                let (done, expected) = match random.u8(..8) {
                    0 | 1 => (small.create_folder(&one), plain.create_folder(&one)),
                    2..5 => (small.create(&one, text.as_bytes()), plain.create(&one, text.as_bytes())),
                    // A kernel moves nothing into itself.
                    5 if !within(&one, &other) && one != other => {
                        (small.rename(&one, &other), plain.rename(&one, &other))
                    }
                    6 => (small.share(&one, &other), plain.share(&one, &other)),
                    _ if !one.is_empty() => (small.remove(&one), plain.remove(&one)),
                    _ => continue,
                };
                assert_eq!(done, expected, "{one} {other}");
                assert_eq!(small.kind(&other), plain.kind(&other), "{other}");
                assert_eq!(small.list(&other), plain.list(&other), "{other}");
                let (mut read, mut due) = (Vec::new(), Vec::new());
                assert_eq!(small.read(&other, 90, &mut read), plain.read(&other, 90, &mut due), "{other}");
                assert_eq!(read, due);
            }
            assert_eq!(below(&small, ""), below(&plain, ""));
        }
    }
}
