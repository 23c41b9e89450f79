//! The files of a question in memory, for callers without a disk.

use crate::{
    files::{Files, HomeError, HomeFiles, HomeReader as _, Lost, MemoryHome, PackFileError, PackFiles, Unreadable},
    operation::Root,
};

/// Files and folders that the caller holds in memory, and that an operation may change.
#[derive(Clone, Debug, Default)]
pub struct MemoryRoot {
    /// What lies there.
    pub files: MemoryHome,
}

impl Root for MemoryRoot {
    fn turn_files(&self) -> Box<dyn Files + '_> {
        Box::new(Turns { files: &self.files, elsewhere: Unreadable::OUTSIDE })
    }

    fn parity_files(&self) -> Box<dyn Files + '_> {
        Box::new(Turns { files: &self.files, elsewhere: Unreadable::ABSENT })
    }

    fn pack(&self) -> Option<Box<dyn PackFiles + '_>> {
        Some(Box::new(Pack(&self.files)))
    }

    fn home(&mut self) -> Option<&mut dyn HomeFiles> {
        Some(&mut self.files)
    }
}

/// The same files for whoever reads turns.
struct Turns<'m> {
    files: &'m MemoryHome,
    /// What is said of a path that leads out of the root, where nothing is.
    elsewhere: Unreadable,
}

impl Files for Turns<'_> {
    fn read(&self, path: &[u8], into: &mut Vec<u8>) -> Result<(), Unreadable> {
        into.clear();
        let Ok(path) = std::str::from_utf8(path) else { return Err(Unreadable::NOT_A_NAME) };
        match self.files.find(path) {
            Err(Lost::Elsewhere) => Err(self.elsewhere),
            here => self.files.read_found(here, into),
        }
    }
}

/// The same files as a proof pack.
struct Pack<'m>(&'m MemoryHome);

impl PackFiles for Pack<'_> {
    fn read(&self, path: &str, limit: u64, into: &mut Vec<u8>) -> Result<(), PackFileError> {
        self.0.read(path, limit, into).map_err(|error| match error {
            HomeError::Absent => PackFileError::Absent,
            HomeError::Symlink => PackFileError::Symlink,
            HomeError::NotAFile => PackFileError::NotAFile,
            HomeError::TooLarge { limit } => PackFileError::TooLarge { limit },
            _ => PackFileError::Unreadable("reading failed"),
        })
    }

    fn exists(&self, path: &str) -> bool {
        self.0.kind(path).is_ok_and(|kind| kind.is_some())
    }

    fn entries(&self) -> Result<Vec<String>, PackFileError> {
        let listed = self.0.list("").map_err(|_| PackFileError::Unreadable("listing failed"))?;
        Ok(listed.into_iter().map(|entry| entry.name).collect())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::{Map, Value};

    use super::*;
    use crate::operation::{Answer, Output, Question, answer};

    fn ask(root: &mut MemoryRoot, op: &str, args: Map<String, Value>, docs: &[(&str, &str)]) -> Answer {
        let docs = docs.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec()));
        let docs: BTreeMap<_, _> = docs.collect();
        answer(&mut Question { op, args: &args, docs: &docs, root, platform: "any" })
    }

    #[test]
    fn a_path_is_selected_among_files_in_memory() {
        let mut root = MemoryRoot::default();
        root.files.create_folder("a").unwrap();
        root.files.create("a/turn.json", b"{}").unwrap();
        let entry = r#"{"paths": ["/a/turn.json", "../a/turn.json", "a/../a/./turn.json"]}"#;
        let said = ask(&mut root, "sovereign.select_path", Map::new(), &[("entry", entry)]);
        assert_eq!(said, Answer::accept([("path", Output::Value("a/../a/./turn.json".into()))]));
    }

    #[test]
    fn a_scenario_leaves_its_home_in_memory() {
        let mut root = MemoryRoot::default();
        let operations = r#"[{"op": "stage_deletions", "run_id": "r", "turn_id": "turn-0001", "stems": ["a"]}]"#;
        let said = ask(&mut root, "kernel.scenario", Map::new(), &[("operations", operations)]);
        assert!(matches!(said, Answer::Accept { .. }), "{said:?}");
        assert!(root.files.below("index/staging").next().is_some());
    }

    #[test]
    fn a_pack_in_memory_is_judged() {
        let said = ask(&mut MemoryRoot::default(), "episode.verify", Map::new(), &[]);
        let Answer::Accept { out } = said else { panic!("{said:?}") };
        assert_eq!(out["verdict"], Output::Value("INTEGRITY_FAIL".into()));
    }
}
