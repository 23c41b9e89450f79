//! Every find below `fuzz/regressions` is judged again, as the documents that it is.
use std::{fs, path::Path};

use assize_fuzzing::{find::Find, targets};

const REGRESSIONS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../fuzz/regressions");

#[test]
fn every_find_is_judged_again() {
    for folder in fs::read_dir(Path::new(REGRESSIONS)).unwrap() {
        let folder = folder.unwrap();
        // The file that keeps the folder in version control.
        if folder.file_name() == ".gitkeep" {
            continue;
        }
        let name = folder.file_name().into_string().unwrap();
        let target = targets::ALL.iter().find(|target| target.name == name);
        let target = target.unwrap_or_else(|| panic!("fuzz/regressions/{name}: no such target"));
        for file in fs::read_dir(folder.path()).unwrap() {
            let path = file.unwrap().path();
            let find: Find = serde_json::from_slice(&fs::read(&path).unwrap())
                .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            assert_eq!(find.target, name, "{}", path.display());
            assert!(!find.note.trim().is_empty(), "{}: the note is empty", path.display());
            let again = (target.find)(&find.documents).unwrap();
            assert_eq!(find, Find { note: find.note.clone(), ..again }, "{}: asks or documents", path.display());
            if let Err(disagreement) = (target.replay)(&find.documents) {
                panic!("{}: {disagreement}", path.display());
            }
        }
    }
}
