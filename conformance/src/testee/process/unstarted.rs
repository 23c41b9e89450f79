//! Why nothing was started.

use std::{
    io,
    path::{Path, PathBuf},
};

use thiserror::Error;

/// Why nothing was started.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StartError {
    /// There are no words, or the first is empty.
    #[error("no command is given: name the program to start and its arguments")]
    Empty,
    /// The working folder does not exist.
    #[error("the working folder {} is not there, or is not a folder: create it, or name another", .0.display())]
    Directory(PathBuf),
    /// Nothing on the path has this name.
    #[error("no program {0:?} is on the path: install it, or name it by its path, as in ./{0}")]
    NotFound(String),
    /// There is no such file.
    #[error("there is no program at {}: build it, or correct the path (it starts at the working folder)", .0.display())]
    NoFile(PathBuf),
    /// The file is not a program.
    #[error(
        "{} is not an executable file: make it one (chmod +x), or start it through its interpreter, as in python3 FILE",
        .0.display()
    )]
    NotExecutable(PathBuf),
    /// There is no room for its scratch folder.
    #[error("the scratch folder of the testee cannot be made in {}: {error}; set TMPDIR to a folder that can be written to", .folder.display())]
    Scratch {
        /// Where it was to be.
        folder: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The system is short of what every start takes: nothing follows for the program.
    #[error(
        "no process can be made for the testee: {0}; that is no verdict on it: raise what this user may have \
         (ulimit -u for processes and threads, ulimit -n for open files), make room on the disk, or run with fewer --jobs, and start again"
    )]
    Short(String),
    /// The system refused.
    #[error(
        "{} cannot be started: {error}; check that it is built for this system and that the interpreter in its #! line is installed",
        .program.display()
    )]
    Spawn {
        /// What was to be started.
        program: PathBuf,
        /// Why it was not.
        error: io::Error,
    },
    /// It was started, but not under the conditions that a report would claim, and ended.
    #[error(
        "{} cannot be contained: {error}; start it without set-user-ID bits, and raise the number of threads that this user may have",
        .program.display()
    )]
    Contain {
        /// What was started.
        program: PathBuf,
        /// Why it was not kept.
        error: io::Error,
    },
}

impl StartError {
    /// The refusal of a system that is short of something, or else what `other` makes of it.
    pub(super) fn or_short(error: io::Error, other: impl FnOnce(io::Error) -> Self) -> Self {
        if is_short(error.raw_os_error()) { Self::Short(error.to_string()) } else { other(error) }
    }

    /// The system would not start a program.
    pub(super) fn spawn(program: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        |error| Self::Spawn { program: program.to_owned(), error }
    }

    /// It could not be kept to the conditions.
    pub(super) fn contain(program: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        |error| Self::Contain { program: program.to_owned(), error }
    }
}

/// Whether an error of the system tells that it has no more processes, memory or open files to give, whatever was asked for.
#[cfg(unix)]
pub(super) fn is_short(number: Option<i32>) -> bool {
    use rustix::io::Errno;
    let errors = [Errno::AGAIN, Errno::NOMEM, Errno::MFILE, Errno::NFILE].map(Errno::raw_os_error);
    number.is_some_and(|number| errors.contains(&number))
}

/// Here a system does not tell that apart.
#[cfg(not(unix))]
pub(super) fn is_short(_: Option<i32>) -> bool {
    false
}
