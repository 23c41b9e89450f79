//! What the harness and its launcher say to each other: one JSON text after its length, with open files beside it.
//!
//! The two are one binary, so nothing here is a contract. The socket reaches no testee: it is closed when one begins.

use std::{
    ffi::OsString,
    io::{self, IoSlice, IoSliceMut, Read as _, Write as _},
    mem::MaybeUninit,
    os::{
        fd::{AsFd as _, BorrowedFd, OwnedFd},
        unix::net::UnixStream,
    },
};

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, ReturnFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, recvmsg, sendmsg,
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// Open files that one message brings at most.
const MOST: usize = 3;
/// The longest text: a command line has less.
const LONGEST: u32 = 64 << 20;

/// The first message: what the first stage has to know before it can read the rest.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct Stage {
    /// Whether the testee gets namespaces of its own.
    pub(super) namespaces: bool,
}

/// The second message: the testee and its surroundings. With it come its input, output and standard error.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Plan {
    /// The program, by its path.
    pub(crate) program: OsString,
    /// What it is called by, and its arguments.
    pub(crate) argv: Vec<OsString>,
    /// Its whole environment.
    pub(crate) environment: Vec<(OsString, OsString)>,
    /// Its working folder, from the root.
    pub(crate) directory: OsString,
    /// A folder of the caller's, empty: where the testee's view is put together, and then its scratch folder.
    pub(crate) scratch: OsString,
    /// Files and folders that it reads.
    pub(crate) readable: Vec<OsString>,
    /// Folders that it writes beside its scratch folder.
    pub(crate) writable: Vec<OsString>,
    /// Files and folders that it must not see, wherever they lie.
    pub(crate) hidden: Vec<OsString>,
    /// Whether everything else is readable too.
    pub(crate) open: bool,
    /// Seconds of CPU time.
    pub(crate) cpu_s: Option<u64>,
    /// Mebibytes of data.
    pub(crate) memory_mb: Option<u64>,
    /// Whether the caller is the administrator of the whole system, whom no count of processes holds.
    pub(crate) administrator: bool,
}

impl Plan {
    /// Surroundings without a testee: everything is tried, and nothing is started.
    pub(crate) fn nobody() -> Self {
        Self {
            program: OsString::new(),
            argv: Vec::new(),
            environment: Vec::new(),
            directory: OsString::from("/"),
            scratch: OsString::new(),
            readable: vec![OsString::from("/usr/lib")],
            writable: Vec::new(),
            hidden: Vec::new(),
            open: false,
            cpu_s: None,
            memory_mb: None,
            administrator: rustix::process::geteuid().is_root(),
        }
    }

    /// Whether there is somebody to start.
    pub(super) fn is_a_try(&self) -> bool {
        self.argv.is_empty()
    }
}

/// What comes back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Note {
    /// Everything is in place, and by which measures. Beside it: process 1 of the namespace, the testee, the folder of its
    /// cases. Without namespaces nothing is beside it, and the testee begins when the socket closes.
    Ready(Vec<String>),
    /// A measure that cannot be taken here, with the system's own number for why, where it gave one.
    Refused(Option<i32>, String),
    /// The system would not start the program.
    Unstarted(Option<i32>, String),
    /// The testee has ended, in the system's own number for how.
    Ended(i32),
}

/// Sends a message.
pub(super) fn send(mut socket: &UnixStream, message: &impl Serialize, files: &[BorrowedFd<'_>]) -> io::Result<()> {
    let text = serde_json::to_vec(message)?;
    let length = u32::try_from(text.len()).map_err(io::Error::other)?.to_le_bytes();
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST))];
    let mut beside = SendAncillaryBuffer::new(&mut space);
    if !files.is_empty() && !beside.push(SendAncillaryMessage::ScmRights(files)) {
        return Err(io::Error::other("too many open files for one message"));
    }
    // Four bytes go at once or not at all.
    rustix::io::retry_on_intr(|| sendmsg(socket.as_fd(), &[IoSlice::new(&length)], &mut beside, SendFlags::NOSIGNAL))?;
    socket.write_all(&text)
}

/// Receives a message; nothing when the other side has closed.
///
/// A side that says nothing for as long as the socket waits is an error of its own, which is none of a system that is short of
/// something; files for which there is no room here are one that is.
pub(super) fn receive<T: DeserializeOwned>(socket: &UnixStream) -> io::Result<Option<(T, Vec<OwnedFd>)>> {
    read(socket).map_err(|error| match error.kind() {
        io::ErrorKind::WouldBlock => io::Error::new(io::ErrorKind::TimedOut, "nothing is said for too long"),
        _ => error,
    })
}

fn read<T: DeserializeOwned>(mut socket: &UnixStream) -> io::Result<Option<(T, Vec<OwnedFd>)>> {
    let mut length = [0; 4];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST))];
    let mut beside = RecvAncillaryBuffer::new(&mut space);
    let got = rustix::io::retry_on_intr(|| {
        recvmsg(socket.as_fd(), &mut [IoSliceMut::new(&mut length)], &mut beside, RecvFlags::CMSG_CLOEXEC)
    })?;
    if got.bytes == 0 {
        return Ok(None);
    }
    if got.flags.contains(ReturnFlags::CTRUNC) {
        return Err(rustix::io::Errno::MFILE.into());
    }
    let mut files = Vec::new();
    for message in beside.drain() {
        if let RecvAncillaryMessage::ScmRights(received) = message {
            files.extend(received);
        }
    }
    if let Some(rest) = length.get_mut(got.bytes..) {
        socket.read_exact(rest)?;
    }
    let length = u32::from_le_bytes(length);
    if length > LONGEST {
        return Err(io::Error::other("a message of the launcher is too long"));
    }
    let mut text = Vec::new();
    socket.take(length.into()).read_to_end(&mut text)?;
    Ok(Some((serde_json::from_slice(&text)?, files)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_keep_their_order_and_bring_files() {
        let (here, there) = UnixStream::pair().unwrap();
        let (mut read, write) = io::pipe().unwrap();
        send(&here, &Note::Ended(7), &[]).unwrap();
        send(&here, &Note::Ready(vec!["a".to_owned()]), &[write.as_fd()]).unwrap();
        drop((here, write));
        let (note, files) = receive::<Note>(&there).unwrap().unwrap();
        assert_eq!((note, files.len()), (Note::Ended(7), 0));
        let (note, files) = receive::<Note>(&there).unwrap().unwrap();
        assert_eq!((note, files.len()), (Note::Ready(vec!["a".to_owned()]), 1));
        io::PipeWriter::from(files.into_iter().next().unwrap()).write_all(b"x").unwrap();
        let mut text = String::new();
        read.read_to_string(&mut text).unwrap();
        assert_eq!(text, "x");
        assert!(receive::<Note>(&there).unwrap().is_none());
    }
}
