//! Reading what the command line names.

use std::{
    collections::BTreeMap,
    fs,
    io::{self, Read, Seek as _},
    path::Path,
};

use assize::catalogue::SYSTEMS;
use assize_corpus::{disk::Contained, store::Store, vector::DeclaredLaw};
use assize_verifier::json::{JsonError, JsonPointer};

use super::{error::CliError, output};

/// What standard input is called.
const STDIN: &str = "standard input";

/// The largest document that is taken in; the verifier's own limits are smaller.
const MOST: u64 = 4 << 30;

/// Room that is taken at once for what comes through a pipe, whose length nobody knows: a key has it in any case.
const PIPED: u64 = 128 << 10;

/// The bytes of a file that is not endless: a device is refused, a pipe is read up to the limit.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, CliError> {
    let name = path.display();
    let kind = readable(path)?;
    if kind.len() >= MOST {
        return Err(too_large(&name.to_string()));
    }
    if kind.is_file() {
        return filled(path, kind.len().saturating_add(1), MOST);
    }
    let stream = fs::File::open(path).map_err(|error| unreadable(path, &error))?;
    drain(stream, &name.to_string()).map_err(|error| error.unwrap_or_else(|error| unreadable(path, &error)))
}

/// The name and the bytes of a document; - is standard input.
pub(crate) fn document(path: &Path) -> Result<(String, Vec<u8>), CliError> {
    if path == Path::new("-") {
        return Ok((STDIN.to_owned(), stdin()?));
    }
    Ok((path.display().to_string(), read(path)?))
}

/// An input of any length, read piece by piece.
pub(crate) struct Stream {
    /// What to call it.
    pub(crate) name: String,
    /// Its bytes, where they are known before they are read.
    pub(crate) length: Option<u64>,
    /// Where they come from.
    pub(crate) source: Box<dyn Read + Send>,
}

/// Opens a file, or with - standard input.
pub(crate) fn stream(path: &Path) -> Result<Stream, CliError> {
    if path == Path::new("-") {
        return Ok(Stream { name: STDIN.to_owned(), length: None, source: Box::new(io::stdin()) });
    }
    let kind = readable(path)?;
    let file = fs::File::open(path).map_err(|error| unreadable(path, &error))?;
    let length = kind.is_file().then_some(kind.len());
    Ok(Stream { name: path.display().to_string(), length, source: Box::new(file) })
}

/// A name and a file that can be read twice: what comes through a pipe is first stored in a file.
pub(crate) fn rewindable(path: &Path) -> Result<(String, fs::File), CliError> {
    let mut stream = stream(path)?;
    let broken = |error: io::Error| {
        CliError::unreadable(
            format!("{}: cannot be laid down: {error}", stream.name),
            "write it to a file, and name that",
        )
    };
    let file = if stream.length.is_some() {
        fs::File::open(path).map_err(|error| unreadable(path, &error))?
    } else {
        let mut file = tempfile::tempfile().map_err(broken)?;
        io::copy(&mut stream.source, &mut file).and_then(|_| file.rewind()).map_err(broken)?;
        file
    };
    Ok((stream.name, file))
}

/// What a path leads to: a file or a pipe, which has an end.
fn readable(path: &Path) -> Result<fs::Metadata, CliError> {
    let name = path.display();
    let kind = fs::metadata(path).map_err(|error| unreadable(path, &error))?;
    if kind.is_dir() {
        return Err(CliError::unreadable(format!("{name}: is a folder, not a file"), "name a file in it"));
    }
    if !kind.is_file() && !is_stream(&kind) {
        let message = format!("{name}: is a device, not a file");
        return Err(CliError::unreadable(message, "name a regular file or a pipe"));
    }
    if is_stream(&kind) && has_a_place(path) {
        // Nobody may ever write to it, and opening it would wait for that.
        let message = format!("{name}: is a named pipe, not a file");
        return Err(CliError::unreadable(
            message,
            "name a regular file, or pass what comes through it to standard input",
        ));
    }
    if kind.is_file() && is_of_the_kernel(path, &kind) {
        // Some give what they have once and then wait for ever.
        let message = format!("{name}: is a file of the kernel, not of a disk");
        return Err(CliError::unreadable(message, "copy what it says to a regular file, and name that"));
    }
    Ok(kind)
}

/// Whether something is named by the file system, as what a shell hands over in place of a file is not.
fn has_a_place(path: &Path) -> bool {
    !path.starts_with("/dev/fd") && path.canonicalize().is_ok()
}

/// Whether a file is made up by the kernel while it is read.
#[cfg(target_os = "linux")]
fn is_of_the_kernel(path: &Path, found: &fs::Metadata) -> bool {
    // procfs, sysfs, debugfs, tracefs and securityfs.
    const MADE_UP: [rustix::fs::FsWord; 5] = [0x9fa0, 0x6265_6572, 0x6462_6720, 0x7472_6163, 0x7363_6673];
    thread_local! {
        /// The device of the file before, if it is a disk: one of many files is asked about it, and not each.
        static DISK: std::cell::Cell<Option<u64>> = const { std::cell::Cell::new(None) };
    }
    let device = std::os::unix::fs::MetadataExt::dev(found);
    if DISK.get() == Some(device) {
        return false;
    }
    match rustix::fs::statfs(path) {
        Ok(system) if MADE_UP.contains(&system.f_type) => true,
        Ok(_) => {
            DISK.set(Some(device));
            false
        }
        Err(_) => false,
    }
}

/// No such file systems are known here.
#[cfg(not(target_os = "linux"))]
fn is_of_the_kernel(_: &Path, _: &fs::Metadata) -> bool {
    false
}

/// The bytes of a file up to a limit, or one more if there are more: the caller refuses those.
pub(crate) fn at_most(path: &Path, most: usize) -> Result<Vec<u8>, CliError> {
    let kind = readable(path)?;
    let most = u64::try_from(most).map_or(MOST, |most| most.saturating_add(1));
    // Room for all of it at once: a buffer that grew would leave copies of a key behind.
    let length = if kind.is_file() { kind.len().saturating_add(1) } else { PIPED };
    filled(path, length.min(most), most)
}

/// At most so many bytes of a file, with room for its known length from the beginning: nothing has to ask for it once more.
fn filled(path: &Path, room: u64, most: u64) -> Result<Vec<u8>, CliError> {
    let read = |file: fs::File| {
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(usize::try_from(room).unwrap_or(usize::MAX))?;
        file.take(most).read_to_end(&mut bytes).map(|_| bytes)
    };
    fs::File::open(path).and_then(read).map_err(|error| unreadable(path, &error))
}

/// All of standard input.
pub(crate) fn stdin() -> Result<Vec<u8>, CliError> {
    drain(io::stdin().lock(), STDIN).map_err(|error| {
        error.unwrap_or_else(|error| {
            CliError::unreadable(format!("{STDIN}: cannot be read: {error}"), "name a file instead")
        })
    })
}

/// The corpus that was built in, or the one below a folder.
pub(crate) fn corpus(folder: Option<&Path>) -> Result<Store, CliError> {
    store(folder, None)
}

/// The same with the contracts below another folder, where one is named.
pub(crate) fn store(corpus: Option<&Path>, contracts: Option<&Path>) -> Result<Store, CliError> {
    if let Some(folder) = contracts.filter(|folder| !folder.join("laws").is_dir()) {
        let message = format!("{}: no contracts here: there is no folder `laws`", folder.display());
        return Err(CliError::unreadable(message, "name the folder that holds `laws`, `rulings` and so on"));
    }
    let Some(folder) = corpus else {
        const HELP: &str = "check that everything below it is a file that you may read";
        return Store::folders(None, contracts).map_err(|error| CliError::unreadable(error, HELP));
    };
    if folder.join("vectors").is_dir() {
        let message = format!("{}: holds a folder `vectors` and is not one itself", folder.display());
        return Err(CliError::unreadable(message, format!("name {}", folder.join("vectors").display())));
    }
    const HELP: &str = "name the folder that holds `canon`, `sovereign` and so on, readable to you";
    let store = Store::folders(Some(folder), contracts).map_err(|error| CliError::unreadable(error, HELP))?;
    if !SYSTEMS.iter().any(|system| folder.join(system).is_dir()) {
        let message = format!("{}: no vectors here: there is no folder of a system", folder.display());
        return Err(CliError::unreadable(message, HELP));
    }
    Ok(store)
}

/// The folder that the paths of a bundle start from.
pub(crate) fn turn_files(root: &Path) -> Result<Contained, CliError> {
    Contained::new(root).map_err(|error| {
        let message = format!("{}: cannot be opened as a folder: {error}", root.display());
        CliError::unreadable(message, "name the folder of the turn files with --root")
    })
}

/// Former ids of cases, with those of today.
pub(crate) fn renamed(store: &Store) -> Result<BTreeMap<String, String>, CliError> {
    DeclaredLaw::renamed(store).map_err(|error| CliError::unreadable(error, "restore the corpus"))
}

/// A document of the command line that is not JSON, or exceeds a limit.
pub(crate) fn not_json(name: &str, error: &JsonError) -> CliError {
    let message = format!("{name}: {}: {}", place(error.offset, &error.pointer), error.kind);
    CliError::unreadable(message, error.kind.help())
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
    Large(CliError),
    Broken(io::Error),
}

impl Stop {
    fn unwrap_or_else(self, broken: impl FnOnce(io::Error) -> CliError) -> CliError {
        match self {
            Self::Large(error) => error,
            Self::Broken(error) => broken(error),
        }
    }
}

fn drain(stream: impl io::Read, name: &str) -> Result<Vec<u8>, Stop> {
    let mut bytes = Vec::new();
    let count = stream.take(MOST).read_to_end(&mut bytes).map_err(Stop::Broken)?;
    if u64::try_from(count).is_ok_and(|count| count < MOST) { Ok(bytes) } else { Err(Stop::Large(too_large(name))) }
}

fn too_large(name: &str) -> CliError {
    CliError::unreadable(format!("{name}: larger than the limit of {MOST} bytes"), "split the document")
}

fn unreadable(path: &Path, error: &io::Error) -> CliError {
    let help = match error.kind() {
        io::ErrorKind::NotFound => "check the spelling, and the folder you are in",
        io::ErrorKind::PermissionDenied => "check the permissions of the file and of its folders",
        _ => "check that it is a readable file",
    };
    CliError::unreadable(format!("{}: cannot be read: {error}", path.display()), help)
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
