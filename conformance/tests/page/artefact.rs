//! Cases of the corpus as people would hand them over: files of a folder, or a zip.

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
};

use assize_corpus::vector::{Case, Entry};
use flate2::{Compression, Crc, write::DeflateEncoder};

/// What stands at a path.
enum Content {
    File(Vec<u8>),
    Folder,
    Link(String),
}

/// The documents of a case, each in a file of its name, and what lies in its folder, below another or beside them.
fn tree(case: &Case, below: &str) -> Vec<(String, Content)> {
    let docs = case.inputs.iter().map(|(name, doc)| (format!("{name}.json"), Content::File(doc.bytes())));
    let files = case.files.iter().map(|(path, entry)| {
        let content = match entry {
            Entry::File(doc) => Content::File(doc.bytes()),
            Entry::Directory => Content::Folder,
            Entry::Symlink { to } => Content::Link(to.clone()),
            Entry::Unreadable { .. } => panic!("{}: nobody hands over what cannot be read", case.id),
        };
        (format!("{below}{path}"), content)
    });
    docs.chain(files).collect()
}

/// Writes a case as a folder; its only file if it has no other.
pub(crate) fn folder(case: &Case, place: &Path) -> PathBuf {
    let tree = tree(case, "");
    for (path, content) in &tree {
        let path = place.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        match content {
            Content::File(bytes) => fs::write(path, bytes).unwrap(),
            Content::Folder => fs::create_dir_all(path).unwrap(),
            Content::Link(_) => panic!("{}: a browser follows links", case.id),
        }
    }
    match tree.as_slice() {
        [(path, _)] => place.join(path),
        _ => place.to_owned(),
    }
}

/// The folder of a zip that holds everything.
pub(crate) const TOP: &str = "handed over/";

/// Writes a case as a zip, all of it below `top`, every second file deflated.
pub(crate) fn zip(case: &Case, place: &Path, top: &str, below: &str) -> PathBuf {
    let entries = tree(case, below).into_iter().enumerate().map(|(number, (path, content))| match content {
        Content::File(bytes) => Packed::new(&format!("{top}{path}"), &bytes, number % 2 == 0, FILE),
        Content::Folder => Packed::new(&format!("{top}{path}/"), &[], false, FOLDER),
        Content::Link(to) => Packed::new(&format!("{top}{path}"), to.as_bytes(), false, LINK),
    });
    fs::create_dir_all(place).unwrap();
    let path = place.join("artefact.zip");
    fs::write(&path, zipped(&entries.collect::<Vec<_>>())).unwrap();
    path
}

/// Modes of Unix.
const FILE: u32 = 0o100_644;
const FOLDER: u32 = 0o040_755;
const LINK: u32 = 0o120_777;

/// An entry of a zip.
pub(crate) struct Packed {
    name: String,
    content: Vec<u8>,
    /// What the zip says of its length when it is unpacked.
    pub(crate) length: u32,
    sum: u32,
    method: u16,
    mode: u32,
}

impl Packed {
    pub(crate) fn file(name: &str, bytes: &[u8]) -> Self {
        Self::new(name, bytes, true, FILE)
    }

    fn new(name: &str, bytes: &[u8], deflated: bool, mode: u32) -> Self {
        let mut sum = Crc::new();
        sum.update(bytes);
        let content = if deflated {
            let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        } else {
            bytes.to_vec()
        };
        let (length, method) = (u32::try_from(bytes.len()).unwrap(), if deflated { 8 } else { 0 });
        Self { name: name.to_owned(), content, length, sum: sum.sum(), method, mode }
    }
}

/// A zip of these entries.
pub(crate) fn zipped(entries: &[Packed]) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    let size = |part: &[u8]| u32::try_from(part.len()).unwrap().to_le_bytes();
    for entry in entries {
        let place = size(&bytes);
        // Version, names in UTF-8, method, no time, sum, both lengths, length of the name, nothing more.
        let common = [
            [20, 0, 0, 8].as_slice(),
            &entry.method.to_le_bytes(),
            &[0; 4],
            &entry.sum.to_le_bytes(),
            &size(&entry.content),
            &entry.length.to_le_bytes(),
            &u16::try_from(entry.name.len()).unwrap().to_le_bytes(),
            &[0; 2],
        ]
        .concat();
        bytes.extend([b"PK\x03\x04".as_slice(), &common, entry.name.as_bytes(), &entry.content].concat());
        let (made_by, mode) = ([20, 3], (entry.mode << 16).to_le_bytes());
        let rest = [[0; 6].as_slice(), &mode, &place, entry.name.as_bytes()].concat();
        directory.extend([b"PK\x01\x02".as_slice(), &made_by, &common, &rest].concat());
    }
    let count = u16::try_from(entries.len()).unwrap().to_le_bytes();
    let end = [[0; 4].as_slice(), &count, &count, &size(&directory), &size(&bytes), &[0; 2]].concat();
    [bytes, directory, b"PK\x05\x06".to_vec(), end].concat()
}
