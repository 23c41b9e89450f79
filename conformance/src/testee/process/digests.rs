//! Digests of files, in pieces of a bounded size.

use std::{fs::File, io, path::Path};

use sha2::{Digest as _, Sha256};

/// Digest of a regular file; nothing else is opened, because that could wait for ever.
pub(super) fn digest(path: &Path) -> io::Result<String> {
    if !path.metadata()?.is_file() {
        return Err(io::Error::other("no regular file"));
    }
    digest_of(File::open(path)?)
}

/// Digest of all that can be read there.
pub(super) fn digest_of(mut from: impl io::Read) -> io::Result<String> {
    let (mut hash, mut chunk) = (Sha256::new(), vec![0; 64 << 10]);
    loop {
        match from.read(&mut chunk) {
            Ok(0) => return Ok(hex(hash.finalize())),
            Ok(length) => hash.update(chunk.get(..length).unwrap_or_default()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

pub(super) fn hex(bytes: impl AsRef<[u8]>) -> String {
    bytes.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What went wrong, with where.
pub(super) fn at(path: &Path, error: &io::Error) -> String {
    format!("{}: {error}", path.display())
}
