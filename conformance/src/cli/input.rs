//! Reading what the command line names.

use std::{
    fs,
    io::{self, Read as _},
    path::Path,
};

use assize_corpus::store::Store;
use assize_verifier::json::{JsonError, JsonPointer};

use super::{output, trouble::Trouble};

/// The largest document that is taken in; the verifier's own limits are smaller.
const MOST: u64 = 4 << 30;

/// The bytes of a file that is not endless: a device is refused, a pipe is read up to the limit.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Trouble> {
    let name = path.display();
    let kind = fs::metadata(path).map_err(|error| unreadable(path, &error))?;
    if kind.is_dir() {
        return Err(Trouble::unreadable(format!("{name}: is a folder, not a file"), "name a file in it"));
    }
    if kind.len() >= MOST {
        return Err(too_large(&name.to_string()));
    }
    if kind.is_file() {
        return fs::read(path).map_err(|error| unreadable(path, &error));
    }
    if !is_stream(&kind) {
        let message = format!("{name}: is a device, not a file");
        return Err(Trouble::unreadable(message, "name a regular file or a pipe"));
    }
    let stream = fs::File::open(path).map_err(|error| unreadable(path, &error))?;
    drain(stream, &name.to_string()).map_err(|error| error.unwrap_or_else(|error| unreadable(path, &error)))
}

/// The bytes of a file that has no more than so many of them, or one more than that: whoever reads them refuses these.
pub(crate) fn at_most(path: &Path, most: usize) -> Result<Vec<u8>, Trouble> {
    let kind = fs::metadata(path).map_err(|error| unreadable(path, &error))?;
    if !kind.is_file() && !is_stream(&kind) {
        return read(path);
    }
    let file = fs::File::open(path).map_err(|error| unreadable(path, &error))?;
    let most = u64::try_from(most).map_or(MOST, |most| most.saturating_add(1));
    // Room for all of it at once: a buffer that grew would leave copies of a key behind.
    let mut bytes = Vec::with_capacity(usize::try_from(kind.len().saturating_add(1).min(most)).unwrap_or(0));
    file.take(most).read_to_end(&mut bytes).map_err(|error| unreadable(path, &error))?;
    Ok(bytes)
}

/// All of standard input.
pub(crate) fn stdin() -> Result<Vec<u8>, Trouble> {
    drain(io::stdin().lock(), "standard input").map_err(|error| {
        error.unwrap_or_else(|error| {
            Trouble::unreadable(format!("standard input: cannot be read: {error}"), "name a file instead")
        })
    })
}

/// The corpus that was built in, or the one below a folder.
pub(crate) fn corpus(folder: Option<&Path>) -> Result<Store, Trouble> {
    let Some(folder) = folder else {
        return Ok(Store::embedded());
    };
    if folder.join("vectors").is_dir() {
        let message = format!("{}: holds a folder `vectors` and is not one itself", folder.display());
        return Err(Trouble::unreadable(message, format!("name {}", folder.join("vectors").display())));
    }
    Store::folder(folder).map_err(|error| {
        Trouble::unreadable(error, "name the folder that holds `canon`, `sovereign` and so on, readable to you")
    })
}

/// A document of the command line that is not JSON, or exceeds a limit.
pub(crate) fn not_json(name: &str, error: &JsonError) -> Trouble {
    let message = format!("{name}: {}: {}", place(error.offset, &error.pointer), error.kind);
    Trouble::unreadable(message, error.kind.help())
}

/// Offset and pointer of a place in a document.
pub(crate) fn place(offset: usize, pointer: &JsonPointer) -> String {
    if pointer.is_root() {
        format!("byte {offset}")
    } else {
        format!("byte {offset}, at {}", output::middle(pointer.as_str()))
    }
}

enum Stop {
    Large(Trouble),
    Broken(io::Error),
}

impl Stop {
    fn unwrap_or_else(self, broken: impl FnOnce(io::Error) -> Trouble) -> Trouble {
        match self {
            Self::Large(trouble) => trouble,
            Self::Broken(error) => broken(error),
        }
    }
}

fn drain(stream: impl io::Read, name: &str) -> Result<Vec<u8>, Stop> {
    let mut bytes = Vec::new();
    let count = stream.take(MOST).read_to_end(&mut bytes).map_err(Stop::Broken)?;
    if u64::try_from(count).is_ok_and(|count| count < MOST) { Ok(bytes) } else { Err(Stop::Large(too_large(name))) }
}

fn too_large(name: &str) -> Trouble {
    Trouble::unreadable(format!("{name}: larger than the limit of {MOST} bytes"), "split the document")
}

fn unreadable(path: &Path, error: &io::Error) -> Trouble {
    let help = match error.kind() {
        io::ErrorKind::NotFound => "check the spelling, and the folder you are in",
        io::ErrorKind::PermissionDenied => "check the permissions of the file and of its folders",
        _ => "check that it is a readable file",
    };
    Trouble::unreadable(format!("{}: cannot be read: {error}", path.display()), help)
}

#[cfg(unix)]
fn is_stream(kind: &fs::Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    kind.file_type().is_fifo()
}

#[cfg(not(unix))]
fn is_stream(_: &fs::Metadata) -> bool {
    false
}
