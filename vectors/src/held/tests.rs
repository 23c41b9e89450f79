//! Memory and disk, side by side: every path that leads to something there, or to nothing in a way of its own.

use std::fs;

use super::*;
use crate::{
    disk::{CaseRoot, PackFolder},
    vector::Document,
};

fn text(text: &str) -> Entry {
    Entry::File(Document::Text(text.to_owned()))
}

/// The longest name that a folder holds.
fn longest() -> String {
    "n".repeat(255)
}

fn files() -> BTreeMap<String, Entry> {
    let long = longest();
    let entries = [
        ("a.json", text("{}")),
        ("a.json.b", text("between")),
        ("empty", text("")),
        ("sub/b.json", text("[]")),
        ("sub/deep/c", Entry::File(Document::Bytes(vec![0xff]))),
        ("hollow", Entry::Directory),
        ("\u{e9}", text("escaped")),
        (long.as_str(), text("long")),
    ];
    entries.into_iter().map(|(path, entry)| (path.to_owned(), entry)).collect()
}

/// Paths in the spelling of a bundle.
fn paths() -> Vec<Vec<u8>> {
    let plain = [
        "a.json",
        "./a.json",
        "sub/../a.json",
        "sub/b.json",
        "empty",
        "sub//b.json",
        "sub/./deep/c",
        "sub/deep/../../empty",
        "\u{e9}",
        "a.json.b",
        // Nothing there, each for its own reason.
        "gone",
        "gone/x",
        "gone/../a.json",
        "a.json/",
        "a.json/x",
        "a.json/..",
        "a.json/../empty",
        "a\0b",
        "hollow/x",
        "sub/a.json",
        "A.json",
        // Folders.
        ".",
        "./",
        "sub",
        "sub/",
        "sub/..",
        "hollow",
        "hollow/.",
        // Out of the root, and back.
        "..",
        "../x",
        "sub/../../x",
        "/",
        "/dev/null",
        "/no/such/file",
        "//a.json",
        "sub/../..",
        "hollow/../../../dev/null",
    ];
    let long = longest();
    let made = [
        long.clone(),
        format!("{long}n"),
        format!("sub/{long}n"),
        format!("gone/{long}n"),
        format!("a.json/{long}n"),
        format!("{}a.json", "./".repeat(511)),
        format!("{}a.json", "./".repeat(600)),
        format!("{}a.json", "./".repeat(2_500)),
        format!("{}a.json", "sub/../".repeat(100)),
    ];
    let bytes: [&[u8]; 5] =
        [b"\xed\xb3\x83\xed\xb2\xa9", b"a\xed\xb2\x80", b"a.json/\xed\xb2\x80", b"\xed\xa0\x80", b"x\xed\xb3\xbf/.."];
    plain
        .iter()
        .map(|path| path.as_bytes().to_vec())
        .chain(made.map(String::into_bytes))
        .chain(bytes.map(<[u8]>::to_vec))
        .collect()
}

#[test]
fn turn_files_are_read_as_from_a_folder() {
    let files = files();
    let (held, folder) = (Held::new(&files).unwrap().unwrap(), Folder::create(&files).unwrap());
    // Beside the folder of the case, which has a name that no path of a case knows.
    let beside = tempfile::NamedTempFile::new_in(folder.here().parent().unwrap()).unwrap();
    fs::write(&beside, "beside").unwrap();
    let name = beside.path().file_name().unwrap().to_str().unwrap();
    let mut paths = paths();
    paths.extend([format!("../{name}"), format!("sub/../../{name}")].map(String::into_bytes));
    paths.push(beside.path().to_str().unwrap().as_bytes().to_vec());
    let read = |files: &dyn Files, path: &[u8]| {
        let mut into = b"left over".to_vec();
        files.read(path, &mut into).map(|()| into)
    };
    let on_disk = CaseRoot::new(folder.here());
    let mut found = 0;
    for path in &paths {
        let shown = path.escape_ascii().to_string();
        let law = read(&*held.turn_files(), path);
        assert_eq!(law, read(&*on_disk.turn_files(), path), "law mode, {shown:.80}");
        let reference = read(&*held.parity_files(), path);
        assert_eq!(reference, read(&*on_disk.parity_files(), path), "reference mode, {shown:.80}");
        found += usize::from(law.is_ok()) + usize::from(reference.is_ok());
    }
    assert!(found > 20, "{found}");
}

#[test]
fn nothing_is_laid_out_for_paths_that_stay_within() {
    let files = files();
    let held = Held::new(&files).unwrap().unwrap();
    for path in ["a.json", "sub/../a.json", "gone", "a.json/x", "sub"] {
        let _ = held.turn_files().read(path.as_bytes(), &mut Vec::new());
        let _ = held.parity_files().read(path.as_bytes(), &mut Vec::new());
    }
    assert!(held.laid.get().is_none());
    let _ = held.parity_files().read(b"/no/such/file", &mut Vec::new());
    let laid = held.laid.get().unwrap().as_ref().unwrap();
    assert!(laid.here().join("sub/b.json").exists());
    assert!(held.fault().is_none());
}

#[test]
fn packs_are_read_as_from_a_folder() {
    let files = files();
    let (held, folder) = (Held::new(&files).unwrap().unwrap(), Folder::create(&files).unwrap());
    let (in_memory, on_disk) = (held.pack().unwrap(), PackFolder::open(folder.here()).unwrap());
    assert_eq!(in_memory.entries(), on_disk.entries());
    let mut found = 0;
    for path in paths().iter().filter_map(|path| std::str::from_utf8(path).ok()) {
        for limit in [0, 1, 1 << 20] {
            let read = |files: &dyn PackFiles| {
                let mut into = b"left over".to_vec();
                files.read(path, limit, &mut into).map(|()| into)
            };
            let here = read(&*in_memory);
            assert_eq!(here, read(&on_disk), "{path:.80}");
            found += usize::from(here.is_ok());
        }
        assert_eq!(in_memory.exists(path), on_disk.exists(path), "{path:.80}");
    }
    assert!(found > 6, "{found}");
}

#[test]
fn homes_are_looked_at_and_changed_as_on_disk() {
    let files = files();
    let (mut held, folder) = (Held::new(&files).unwrap().unwrap(), Folder::create(&files).unwrap());
    let mut on_disk = CaseRoot::new(folder.here());
    let (in_memory, on_disk) = (held.home().unwrap(), on_disk.home().unwrap());
    let mut found = 0;
    for path in paths().iter().filter_map(|path| std::str::from_utf8(path).ok()) {
        assert_eq!(in_memory.kind(path), on_disk.kind(path), "{path:.80}");
        assert_eq!(in_memory.list(path).ok(), on_disk.list(path).ok(), "{path:.80}");
        let read = |home: &dyn assize_verifier::files::HomeFiles| home.read(path, 100, &mut Vec::new()).is_ok();
        let here = read(in_memory);
        assert_eq!(here, read(on_disk), "{path:.80}");
        found += usize::from(here);
    }
    assert!(found > 3, "{found}");
    for path in
        ["gone/x", &format!("gone/{}", longest() + "n"), &format!("a.json/{}", longest() + "n"), "sub/b.json", "sub"]
    {
        assert_eq!(in_memory.remove(path), on_disk.remove(path), "{path:.80}");
        assert_eq!(in_memory.list("").ok(), on_disk.list("").ok(), "{path:.80}");
    }
}

#[test]
fn what_is_written_is_read_again_and_nothing_of_it_lies_on_disk() {
    let files = files();
    let mut held = Held::new(&files).unwrap().unwrap();
    held.home().unwrap().create("sub/new", b"x").unwrap();
    let mut into = Vec::new();
    held.pack().unwrap().read("sub/new", 1, &mut into).unwrap();
    assert_eq!(into, b"x");
    assert!(held.laid.get().is_none());
}

#[test]
fn what_memory_does_not_hold_is_left_to_a_folder() {
    for entry in [Entry::Symlink { to: "a".to_owned() }, Entry::Unreadable { text: String::new() }] {
        assert!(Held::new(&BTreeMap::from([("x".to_owned(), entry)])).unwrap().is_none());
    }
    let long = BTreeMap::from([("n".repeat(256), text(""))]);
    assert!(Held::new(&long).unwrap().is_none());
    for path in ["../x", "/x", "a//b", ""] {
        let given = BTreeMap::from([(path.to_owned(), text(""))]);
        assert!(matches!(Held::new(&given), Err(FolderError::Path { .. })), "{path}");
    }
}
