//! Archives that tests write, and what is gathered from them.

use std::{
    fs,
    io::{Cursor, Write as _},
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use assize_archives::{Damage, Gather, Held, Kind, Limits, Scope};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use tar::{Builder, EntryType, Header};

pub(crate) static GO_ON: AtomicBool = AtomicBool::new(false);

/// A file, or with a slash at the end of its name a folder.
pub(crate) type Made<'m> = (&'m str, &'m [u8]);

/// A tar with names as they are, whatever they are.
pub(crate) fn tar(members: &[Made<'_>]) -> Vec<u8> {
    let mut tar = Builder::new(Vec::new());
    for (name, bytes) in members {
        let kind = if name.ends_with('/') { EntryType::Directory } else { EntryType::Regular };
        tar.append(&header(name, kind, bytes.len()), *bytes).unwrap();
    }
    tar.into_inner().unwrap()
}

pub(crate) fn header(name: &str, kind: EntryType, size: usize) -> Header {
    let mut header = Header::new_gnu();
    header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
    header.set_entry_type(kind);
    header.set_mode(0o644);
    header.set_size(size as u64);
    header.set_cksum();
    header
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(bytes).unwrap();
    gzip.finish().unwrap()
}

pub(crate) fn zip(members: &[Made<'_>]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    for (name, bytes) in members {
        if name.ends_with('/') {
            zip.add_directory(*name, options).unwrap();
        } else {
            zip.start_file(*name, options).unwrap();
            zip.write_all(bytes).unwrap();
        }
    }
    zip.finish().unwrap().into_inner()
}

/// The same members in an archive of each kind.
pub(crate) fn each_kind(members: &[Made<'_>]) -> [(&'static str, Vec<u8>); 4] {
    let tar = tar(members);
    let (gz, zst) = (gzip(&tar), compress_to_vec(tar.as_slice(), CompressionLevel::Fastest));
    [("a.tar", tar), ("a.tar.gz", gz), ("a.tar.zst", zst), ("a.zip", zip(members))]
}

pub(crate) fn file(path: &str) -> Scope {
    Scope::File(path.to_owned())
}

pub(crate) fn folder(path: &str) -> Scope {
    Scope::Folder(path.to_owned())
}

/// Artefacts in the order in which they come.
pub(crate) type Came = Vec<(usize, Result<Held, Damage>)>;

pub(crate) fn gather(path: &Path, limits: Limits, wanted: &[Vec<Scope>]) -> Came {
    let kind = Kind::of(path.to_str().unwrap()).unwrap();
    Gather::new(path.to_owned(), kind, limits, &GO_ON, wanted.iter().cloned().enumerate().collect()).collect()
}

/// The same out of bytes.
pub(crate) fn gathered(name: &str, bytes: &[u8], wanted: &[Vec<Scope>]) -> Came {
    let (_folder, path) = written(name, bytes);
    gather(&path, Limits::default(), wanted)
}

pub(crate) fn written(name: &str, bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    (folder, path)
}

/// What lies in a folder that was gathered: files with their bytes, folders with none.
pub(crate) fn lies_in(held: &Held, folder: &str) -> Vec<(String, Option<Vec<u8>>)> {
    let root = held.folder(folder).expect("a folder that was asked for");
    root.files.below("").map(|(path, bytes)| (path.to_owned(), bytes.map(<[u8]>::to_vec))).collect()
}

/// The one message of an artefact that was asked for alone.
#[track_caller]
pub(crate) fn refused(name: &str, bytes: &[u8], scope: Scope) -> String {
    let mut came = gathered(name, bytes, &[vec![scope]]);
    assert_eq!(came.len(), 1);
    came.pop().unwrap().1.map(|held| format!("{held:?}")).unwrap_err().message
}
