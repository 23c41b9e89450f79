//! The files that a manifest lists are there, inside the pack, and what they were.

use std::collections::{BTreeMap, BTreeSet};

use super::manifest::{ListedFile, Manifest};
use crate::digest::Digest;
use crate::episode::inquiry::{CONTRACT, INPUTS, Inquiry, MANIFEST, RECEIPTS, TRACES, unread};
use crate::episode::{limits, path_safety};
use crate::files::PackFileError;
use crate::finding::Finding;
use crate::json::JsonPointer;
use crate::law::Law;

/// The raw signature beside the manifest.
pub(super) const SIGNATURE: &str = "pack_signature.sig";

/// Entries that a pack of the public tool has at its root.
const KNOWN: [&str; 9] = [
    MANIFEST,
    SIGNATURE,
    RECEIPTS,
    "verify_report.json",
    "verify_transcript.md",
    "_unsigned",
    CONTRACT,
    INPUTS,
    TRACES,
];

pub(super) fn check(inquiry: &mut Inquiry<'_>, manifest: &Manifest) {
    let pack = inquiry.pack;
    let paths: Vec<_> = manifest.files.iter().map(|file| path_safety::listed(&file.path)).collect();
    // However often a file is listed, it is read once.
    let read: BTreeSet<&str> = paths.iter().flatten().map(String::as_str).collect();
    let read: Vec<&str> = read.into_iter().collect();
    let digest = |buffer: &mut Vec<u8>, path: &&str| {
        pack.read(path, limits::FILE_BYTES, buffer).map(|()| (Digest::of(buffer).to_hex(), buffer.len()))
    };
    let digests = inquiry.options.threads.map(&read, 1, Vec::new, digest);
    let digests: BTreeMap<&str, _> = read.into_iter().zip(digests).collect();
    for (index, (file, path)) in manifest.files.iter().zip(&paths).enumerate() {
        let place = JsonPointer::root().member("files").index(index);
        let found = match path {
            Ok(path) => digests.get(path.as_str()).and_then(|read| judge(place, file, path, read)),
            Err(why) => {
                let finding = Finding::error(Law::PathSafety, place.member("path"), format!("{:?}: {why}", file.path));
                Some((MANIFEST, finding.with_code("E_PATH_ESCAPE")))
            }
        };
        if let Some((file, finding)) = found {
            inquiry.findings.add(file, finding);
        }
    }
    for (index, name) in manifest.expected_files.iter().enumerate() {
        let pointer = JsonPointer::root().member("expected_files").index(index);
        match path_safety::listed(name) {
            Err(why) => {
                let message = format!("{name:?}: {why}");
                inquiry.findings.coded("E_PATH_ESCAPE", Law::PathSafety, MANIFEST, pointer, message);
            }
            Ok(path) if !pack.exists(&path) => {
                let message = format!("{name:?} is expected, and not there");
                inquiry.findings.coded("E_MANIFEST_TAMPER", Law::PackIntegrity, MANIFEST, pointer, message);
            }
            Ok(_) => {}
        }
    }
}

/// Judges one entry by what was read; what is wrong goes with the file that it is wrong about.
fn judge<'p>(
    place: JsonPointer,
    file: &ListedFile,
    path: &'p str,
    read: &Result<(String, usize), PackFileError>,
) -> Option<(&'p str, Finding)> {
    let (digest, length) = match read {
        Ok(read) => read,
        Err(why) => {
            let finding = unread(Law::PackIntegrity, why);
            return Some((path, if finding.code.is_some() { finding } else { finding.with_code("E_MANIFEST_TAMPER") }));
        }
    };
    if *digest != file.sha256 {
        let message = format!("the manifest lists SHA-256 {}, and the file has {digest}", file.sha256);
        let finding = Finding::error(Law::PackIntegrity, JsonPointer::root(), message);
        return Some((path, finding.with_code("E_MANIFEST_TAMPER")));
    }
    if file.bytes != u64::try_from(*length).ok() {
        let message = format!("{:?} has {length} bytes", file.path);
        return Some((MANIFEST, Finding::error(Law::PackIntegrity, place.member("bytes"), message).as_warning()));
    }
    None
}

/// What lies at the root and nobody names is worth a word, and no more.
pub(super) fn note_unlisted(inquiry: &mut Inquiry<'_>, manifest: &Manifest) {
    let listed = manifest.files.iter().map(|file| &file.path).chain(&manifest.expected_files);
    let listed = listed.filter_map(|path| path_safety::listed(path).ok());
    let roots: BTreeSet<String> =
        listed.filter_map(|path| path.split('/').next().map(str::to_owned)).chain(KNOWN.map(str::to_owned)).collect();
    match inquiry.pack.entries() {
        Ok(entries) => {
            for entry in entries.iter().filter(|entry| !roots.contains(*entry)) {
                let message = "nothing in the manifest names this entry";
                inquiry.findings.warn(Law::PackIntegrity, entry, JsonPointer::root(), message);
            }
        }
        Err(why) => {
            let message = format!("the pack's folder cannot be listed: {why}");
            inquiry.findings.warn(Law::PackIntegrity, "", JsonPointer::root(), message);
        }
    }
}
