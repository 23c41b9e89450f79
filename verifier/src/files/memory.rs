//! A home in memory: for cases that are asked in this process, for tests and fuzzing, and for whoever only wants to see what
//! operations would do.
//!
//! It can be told to fail: to stop before any of its file operations as a process does that is ended, and to be full.

use std::{collections::BTreeMap, ops::Bound, sync::Arc};

use super::{EntryKind, HomeEntry, HomeError, HomeFiles, HomeReader, parent};

/// Names that common file systems hold.
const NAME_BYTES: usize = 255;

/// Files and folders by their path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryHome {
    entries: BTreeMap<String, Entry>,
    /// File operations that are done before everything stops.
    until_stop: Option<usize>,
    /// Bytes that may still be written.
    room: Option<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Entry {
    Folder,
    /// Shared by all the paths of one file, since none is changed in place.
    File(Arc<[u8]>),
    /// Where it leads, if that is known.
    Link(Option<Box<str>>),
}

/// The character after `/`: a folder's name with it comes after all that lies in the folder.
const AFTER_SLASH: char = '0';

const STOPPED: HomeError = HomeError::Failed("the process was stopped");

impl MemoryHome {
    /// Lets so many further file operations happen and none after them. Removing a folder is one operation for each thing
    /// in it; a file that is written when the stop comes is there in part.
    pub fn stop_after(&mut self, operations: usize) {
        self.until_stop = Some(operations);
    }

    /// Ends a stop, as a new process does.
    pub fn restart(&mut self) {
        self.until_stop = None;
    }

    /// Lets so many further bytes be written, or any number.
    pub fn set_room(&mut self, bytes: Option<usize>) {
        self.room = bytes;
    }

    /// Puts a link at a path, which leads wherever it likes.
    pub fn put_link(&mut self, path: &str) {
        self.put(path, None);
    }

    /// Puts a link at a path, of which it is known where it leads: a path from the folder that it lies in, or one of the system.
    pub fn put_link_to(&mut self, path: &str, to: &str) {
        self.put(path, Some(to.into()));
    }

    fn put(&mut self, path: &str, to: Option<Box<str>>) {
        let below: Vec<_> = self.range(path).map(|(below, _)| below.clone()).collect();
        below.iter().for_each(|below| drop(self.entries.remove(below)));
        self.entries.insert(path.to_owned(), Entry::Link(to));
    }

    /// Where a link leads.
    pub(super) fn link(&self, path: &str) -> Option<&str> {
        match self.entries.get(path)? {
            Entry::Link(to) => to.as_deref(),
            Entry::Folder | Entry::File(_) => None,
        }
    }

    /// The bytes of the file at a path without detours, if one stands there.
    #[must_use]
    pub fn bytes(&self, path: &str) -> Option<&[u8]> {
        match self.entries.get(path)? {
            Entry::File(bytes) => Some(bytes),
            Entry::Folder | Entry::Link(_) => None,
        }
    }

    /// How many files, folders and links there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.entries.len()
    }

    /// Lays a file at a path, in folders that are there: its bytes are those of whoever else holds them, and none is copied.
    ///
    /// # Errors
    /// Nothing may stand there.
    pub fn lay(&mut self, path: &str, bytes: Arc<[u8]>) -> Result<(), HomeError> {
        self.vacant(path)?;
        self.entries.insert(path.to_owned(), Entry::File(bytes));
        Ok(())
    }

    /// What lies at a path and below it: files with their bytes, anything else with none.
    pub fn below<'m>(&'m self, path: &'m str) -> impl Iterator<Item = (&'m str, Option<&'m [u8]>)> {
        self.range(path).map(|(path, entry)| match entry {
            Entry::File(bytes) => (path.as_str(), Some(&**bytes)),
            Entry::Folder | Entry::Link(_) => (path.as_str(), None),
        })
    }

    fn range<'m>(&'m self, path: &'m str) -> impl Iterator<Item = (&'m String, &'m Entry)> {
        let inside = if path.is_empty() { String::new() } else { format!("{path}/") };
        let from = (Bound::Included(inside.as_str()), Bound::Unbounded);
        let below = self.entries.range::<str, _>(from);
        self.entries
            .get_key_value(path)
            .into_iter()
            .chain(below.take_while(move |(below, _)| below.starts_with(&inside)))
    }

    /// What stands at a path, if the way there leads over folders alone.
    fn at(&self, path: &str) -> Result<Option<&Entry>, HomeError> {
        const HOME: Entry = Entry::Folder;
        if path.is_empty() {
            return Ok(Some(&HOME));
        }
        // Everything lies in folders that are there.
        if let found @ Some(_) = self.entries.get(path) {
            return Ok(found);
        }
        // As a system goes: name by name, and no farther than there are folders.
        for (folder, name) in on_the_way(path) {
            named(name)?;
            match self.entries.get(folder) {
                Some(Entry::Folder) => {}
                Some(Entry::Link(_)) => return Err(HomeError::Symlink),
                Some(Entry::File(_)) | None => return Ok(None),
            }
        }
        Ok(None)
    }

    /// Counts one file operation, unless it does not happen any more.
    fn begin(&mut self) -> Result<(), HomeError> {
        match &mut self.until_stop {
            Some(0) => Err(STOPPED),
            Some(left) => {
                *left -= 1;
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Where something new may stand.
    fn vacant(&self, path: &str) -> Result<(), HomeError> {
        if self.at(path)?.is_some() {
            return Err(HomeError::Occupied);
        }
        match self.at(parent(path))? {
            Some(Entry::Folder) => Ok(()),
            Some(Entry::File(_) | Entry::Link(_)) => Err(HomeError::NotAFolder),
            None => Err(HomeError::Absent),
        }
    }
}

impl HomeReader for MemoryHome {
    fn kind(&self, path: &str) -> Result<Option<EntryKind>, HomeError> {
        Ok(self.at(path)?.map(kind))
    }

    fn list(&self, path: &str) -> Result<Vec<HomeEntry>, HomeError> {
        match self.at(path)? {
            Some(Entry::Folder) => {}
            Some(Entry::Link(_)) => return Err(HomeError::Symlink),
            Some(Entry::File(_)) => return Err(HomeError::NotAFolder),
            None => return Err(HomeError::Absent),
        }
        let start = if path.is_empty() { String::new() } else { format!("{path}/") };
        let (mut found, mut from) = (Vec::new(), start.clone());
        // What lies deeper is leapt over, or listing a folder would cost all that is anywhere below it.
        while let Some((below, entry)) =
            self.entries.range::<str, _>((Bound::Included(from.as_str()), Bound::Unbounded)).next()
        {
            let Some(name) = below.strip_prefix(&start) else { break };
            from = match name.split_once('/') {
                Some((folder, _)) => format!("{start}{folder}{AFTER_SLASH}"),
                None => {
                    found.push(HomeEntry { name: name.to_owned(), kind: kind(entry) });
                    format!("{below}\0")
                }
            };
        }
        Ok(found)
    }

    fn read(&self, path: &str, limit: u64, into: &mut Vec<u8>) -> Result<(), HomeError> {
        into.clear();
        match self.at(path)? {
            Some(Entry::File(bytes)) if u64::try_from(bytes.len()).is_ok_and(|len| len <= limit) => {
                into.extend_from_slice(bytes);
                Ok(())
            }
            Some(Entry::File(_)) => Err(HomeError::TooLarge { limit }),
            Some(Entry::Folder) => Err(HomeError::NotAFile),
            Some(Entry::Link(_)) => Err(HomeError::Symlink),
            None => Err(HomeError::Absent),
        }
    }
}

impl HomeFiles for MemoryHome {
    fn create(&mut self, path: &str, bytes: &[u8]) -> Result<(), HomeError> {
        self.vacant(path)?;
        self.begin()?;
        let fits = self.room.is_none_or(|room| bytes.len() <= room);
        let written = if fits { bytes } else { bytes.get(..self.room.unwrap_or_default()).unwrap_or_default() };
        if let Some(room) = &mut self.room {
            *room -= written.len();
        }
        // The second half comes as an operation of its own, so that a stop can come between.
        let half = written.get(..written.len() / 2).unwrap_or_default();
        self.entries.insert(path.to_owned(), Entry::File(half.into()));
        self.begin()?;
        self.entries.insert(path.to_owned(), Entry::File(written.into()));
        if fits { Ok(()) } else { Err(HomeError::Full) }
    }

    fn create_folder(&mut self, path: &str) -> Result<(), HomeError> {
        if matches!(self.at(path), Ok(Some(Entry::Folder))) {
            return Ok(());
        }
        // All that was passed is a folder, so each is looked up once, however deep the way goes.
        for (folder, name) in on_the_way(path) {
            named(name)?;
            match self.entries.get(folder) {
                Some(Entry::Folder) => {}
                Some(Entry::File(_) | Entry::Link(_)) => return Err(HomeError::Occupied),
                None => {
                    self.begin()?;
                    self.entries.insert(folder.to_owned(), Entry::Folder);
                }
            }
        }
        Ok(())
    }

    fn rename(&mut self, from: &str, to: &str) -> Result<(), HomeError> {
        let source = self.at(from)?.map(kind).ok_or(HomeError::Absent)?;
        match (source, self.at(to)?.map(kind)) {
            (EntryKind::File, Some(EntryKind::File)) => {}
            (_, Some(_)) => return Err(HomeError::Occupied),
            (_, None) => self.vacant(to)?,
        }
        self.begin()?;
        let moved: Vec<String> = self.range(from).map(|(path, _)| path.clone()).collect();
        for path in moved {
            let Some(entry) = self.entries.remove(&path) else { continue };
            let below = path.strip_prefix(from).unwrap_or_default();
            self.entries.insert(format!("{to}{below}"), entry);
        }
        Ok(())
    }

    fn share(&mut self, from: &str, to: &str) -> Result<(), HomeError> {
        self.vacant(to)?;
        let entry = match self.at(from)? {
            Some(entry @ Entry::File(_)) => entry.clone(),
            Some(Entry::Folder) => return Err(HomeError::NotAFile),
            Some(Entry::Link(_)) => return Err(HomeError::Symlink),
            None => return Err(HomeError::Absent),
        };
        self.begin()?;
        self.entries.insert(to.to_owned(), entry);
        Ok(())
    }

    fn remove(&mut self, path: &str) -> Result<(), HomeError> {
        if self.at(path)?.is_none() {
            return Ok(());
        }
        let doomed: Vec<String> = self.range(path).map(|(path, _)| path.clone()).collect();
        // What a folder holds goes before it does.
        for path in doomed.iter().rev() {
            self.begin()?;
            self.entries.remove(path);
        }
        Ok(())
    }

    fn settle(&mut self) -> Result<(), HomeError> {
        self.begin()
    }
}

/// Each folder on the way to a path and what stands there at last, from the top, with its own name.
fn on_the_way(path: &str) -> impl Iterator<Item = (&str, &str)> {
    let ends = path.match_indices('/').map(|(end, _)| end).chain([path.len()]);
    ends.filter_map(|end| path.get(..end)).map(|way| (way, way.rsplit_once('/').map_or(way, |(_, name)| name)))
}

/// Refuses a name that leads elsewhere, or that no file has.
fn named(name: &str) -> Result<(), HomeError> {
    if matches!(name, "" | "." | "..") || name.contains('\0') || name.len() > NAME_BYTES {
        return Err(HomeError::Name);
    }
    Ok(())
}

fn kind(entry: &Entry) -> EntryKind {
    match entry {
        Entry::Folder => EntryKind::Folder,
        Entry::File(_) => EntryKind::File,
        Entry::Link(_) => EntryKind::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn home() -> MemoryHome {
        let mut home = MemoryHome::default();
        home.create_folder("a/b").expect("folders");
        home.create("a/b/f", b"1234").expect("a file");
        home.create("a.x", b"").expect("a file that sorts between a folder and its own");
        home.put_link("a/l");
        home
    }

    fn read(home: &MemoryHome, path: &str) -> Result<Vec<u8>, HomeError> {
        let mut bytes = Vec::new();
        home.read(path, 100, &mut bytes).map(|()| bytes)
    }

    #[test]
    fn folders_hold_what_lies_in_them_and_no_more() {
        let home = home();
        let names = |path| home.list(path).map(|all| all.into_iter().map(|one| one.name).collect::<Vec<_>>());
        assert_eq!(names(""), Ok(vec!["a".to_owned(), "a.x".to_owned()]));
        assert_eq!(names("a"), Ok(vec!["b".to_owned(), "l".to_owned()]));
        let mut deep = home.clone();
        deep.create_folder("a/b.c").expect("a folder that sorts between another and what that holds");
        deep.create("a/b0", b"").expect("a file that sorts after what the folder holds");
        let names_of = deep.list("a").map(|all| all.into_iter().map(|one| one.name).collect::<Vec<_>>());
        assert_eq!(names_of, Ok(["b", "b.c", "b0", "l"].map(str::to_owned).to_vec()));
        assert_eq!(names("a/l"), Err(HomeError::Symlink));
        assert_eq!(names("a/b/f"), Err(HomeError::NotAFolder));
        assert_eq!(home.kind("a/l/x"), Err(HomeError::Symlink));
        assert_eq!(home.kind("a/b/f/x"), Ok(None));
        assert_eq!(home.kind("../a"), Err(HomeError::Name));
    }

    #[test]
    fn renaming_moves_what_lies_below_and_replaces_files_alone() {
        let mut home = home();
        assert_eq!(home.rename("a", "c"), Ok(()));
        assert_eq!(read(&home, "c/b/f"), Ok(b"1234".to_vec()));
        assert_eq!(home.kind("a"), Ok(None));
        assert_eq!(home.rename("a.x", "c"), Err(HomeError::Occupied));
        assert_eq!(home.rename("a.x", "c/b/f"), Ok(()));
        assert_eq!(read(&home, "c/b/f"), Ok(Vec::new()));
        assert_eq!(home.share("c/b/f", "c/g"), Ok(()));
        assert_eq!(home.share("c/l", "c/h"), Err(HomeError::Symlink));
        assert_eq!(home.create("c/g", b""), Err(HomeError::Occupied));
        assert_eq!(home.create("no/g", b""), Err(HomeError::Absent));
    }

    #[test]
    fn removing_takes_a_folder_with_all_that_it_holds() {
        let mut home = home();
        assert_eq!(home.remove("a"), Ok(()));
        assert_eq!(home.remove("a"), Ok(()));
        assert_eq!(home.below("").map(|(path, _)| path).collect::<Vec<_>>(), ["a.x"]);
    }

    #[test]
    fn what_is_laid_is_shared_and_counted() {
        let (mut one, mut other) = (home(), MemoryHome::default());
        let bytes: Arc<[u8]> = b"1234".as_slice().into();
        assert_eq!(one.lay("a/b/g", Arc::clone(&bytes)), Ok(()));
        assert_eq!(other.lay("g", Arc::clone(&bytes)), Ok(()));
        assert_eq!(one.bytes("a/b/g").map(<[u8]>::as_ptr), other.bytes("g").map(<[u8]>::as_ptr));
        assert_eq!((one.count(), other.count()), (6, 1));
        assert_eq!(one.lay("a/b/g", Arc::clone(&bytes)), Err(HomeError::Occupied));
        assert_eq!(one.lay("a/b/f/g", Arc::clone(&bytes)), Err(HomeError::NotAFolder));
        assert_eq!(one.lay("no/g", Arc::clone(&bytes)), Err(HomeError::Absent));
        assert_eq!(one.lay("a/l/g", bytes), Err(HomeError::Symlink));
    }

    #[test]
    fn folders_are_made_up_to_what_cannot_be_one() {
        let mut home = home();
        for (path, due, made) in [
            ("a/b/f/g", HomeError::Occupied, "a/b"),
            ("a/l/g", HomeError::Occupied, "a"),
            ("c/../g", HomeError::Name, "c"),
            ("d//g", HomeError::Name, "d"),
            ("/g", HomeError::Name, "a"),
        ] {
            assert_eq!(home.create_folder(path), Err(due), "{path}");
            assert_eq!(home.kind(made), Ok(Some(EntryKind::Folder)), "{path}");
        }
        assert_eq!(home.create_folder(&format!("e/{}", "n".repeat(256))), Err(HomeError::Name));
        assert_eq!(home.create_folder(""), Ok(()));
    }

    #[test]
    fn a_stop_comes_between_operations_and_inside_of_a_write() {
        let mut stopped = home();
        stopped.stop_after(1);
        assert_eq!(stopped.create("a/g", b"1234"), Err(STOPPED));
        assert_eq!(stopped.remove("a"), Err(STOPPED));
        stopped.restart();
        assert_eq!(read(&stopped, "a/g"), Ok(b"12".to_vec()));
        assert_eq!(read(&stopped, "a/b/f"), Ok(b"1234".to_vec()));
    }

    #[test]
    fn a_full_home_writes_what_it_can() {
        let mut full = home();
        full.set_room(Some(3));
        assert_eq!(full.create("a/g", b"1234"), Err(HomeError::Full));
        assert_eq!(read(&full, "a/g"), Ok(b"123".to_vec()));
        assert_eq!(full.share("a/b/f", "a/h"), Ok(()));
    }
}
