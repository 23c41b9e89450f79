//! Members of a tar, one after the other.
//!
//! Headers are those of ustar, GNU (long names) and pax (path and size). An archive has an end of its own, a block of zeros: one without it
//! was cut off.

use std::{io, str};

use tar::{EntryType, Header};

use crate::{
    member::{Member, What},
    name::Named,
    stream::Stream,
};

const BLOCK: usize = 512;
/// Bytes of a header that extends the next one.
const EXTENSION: u64 = 64 << 10;

/// A tar that is read once.
pub(crate) struct Tar {
    stream: Stream,
    number: u64,
    /// Bytes that are left of the member, and those that fill its last block.
    left: u64,
    ended: bool,
}

/// What headers before it say of the next member.
#[derive(Default)]
struct Extended {
    path: Option<Vec<u8>>,
    size: Option<u64>,
    sparse: bool,
}

impl Tar {
    pub(crate) fn new(stream: Stream) -> Self {
        Self { stream, number: 0, left: 0, ended: false }
    }

    /// The next member; what was not read of the one before is passed over.
    pub(crate) fn next(&mut self) -> Result<Option<Member>, String> {
        if self.ended {
            return Ok(None);
        }
        self.pass_over()?;
        let mut extended = Extended::default();
        loop {
            let at = self.stream.at();
            let Some(header) = self.header()? else {
                if extended.path.is_some() || extended.size.is_some() {
                    return Err(format!("at byte {at} of the tar it ends, where a member was announced"));
                }
                self.end()?;
                return Ok(None);
            };
            let wrong = |what: &str| format!("at byte {at} of the tar: {what}");
            let size = header.entry_size().map_err(|_| wrong("the header has no size"))?;
            match header.entry_type() {
                EntryType::GNULongName => {
                    let mut name = self.extension(size)?;
                    name.truncate(name.iter().position(|byte| *byte == 0).unwrap_or(name.len()));
                    extended.path = Some(name);
                }
                // Where a link leads is of no use here.
                EntryType::GNULongLink => drop(self.extension(size)?),
                EntryType::XHeader => pax(&self.extension(size)?, &mut extended).map_err(|what| wrong(&what))?,
                EntryType::XGlobalHeader => {
                    let mut all = Extended::default();
                    pax(&self.extension(size)?, &mut all).map_err(|what| wrong(&what))?;
                    if all.path.is_some() || all.size.is_some() || all.sparse {
                        return Err(wrong("a header gives all members one path or size"));
                    }
                }
                kind => {
                    let size = extended.size.unwrap_or(size);
                    let path = extended.path.unwrap_or_else(|| header.path_bytes().into_owned());
                    let padded = size.checked_next_multiple_of(BLOCK as u64);
                    self.left = padded.ok_or_else(|| wrong("no archive holds a member of its size"))?;
                    self.number += 1;
                    if let Some(what) = bodiless(kind, &path).filter(|_| size > 0) {
                        // Whether bytes follow it or the next header is not told the same way by all who read a tar.
                        let path = Named::of(&path).path().chars().take(60).collect::<String>();
                        return Err(wrong(&format!("member {}, {path:?}: {what} with bytes of its own", self.number)));
                    }
                    let what = if extended.sparse { What::Other("a sparse file") } else { what(kind, &path) };
                    return Ok(Some(Member { number: self.number, name: Named::of(&path), what, size }));
                }
            }
        }
    }

    /// The bytes of the member that came last.
    pub(crate) fn read(&mut self, size: u64) -> Result<Vec<u8>, String> {
        let bytes = self.bytes(size)?;
        self.left -= size;
        Ok(bytes)
    }

    fn pass_over(&mut self) -> Result<(), String> {
        let skipped = self.stream.skip(self.left).map_err(|error| self.broken(&error))?;
        if skipped < self.left {
            return Err(self.cut_off());
        }
        self.left = 0;
        Ok(())
    }

    /// The next header; none at the end of the archive.
    fn header(&mut self) -> Result<Option<Header>, String> {
        let at = self.stream.at();
        let mut header = Header::new_old();
        let block = header.as_mut_bytes();
        match self.stream.fill(block) {
            Ok(BLOCK) => {}
            Ok(0) => {
                return Err(format!("it was cut off: at byte {at} of the tar it ends, without the zeros that end one"));
            }
            Ok(_) => return Err(self.cut_off()),
            Err(error) => return Err(self.broken(&error)),
        }
        if block.iter().all(|byte| *byte == 0) {
            return Ok(None);
        }
        // The sum is taken as if its own eight bytes were spaces.
        let sum =
            block.iter().enumerate().map(|(at, byte)| if (148..156).contains(&at) { 32 } else { u32::from(*byte) });
        let sum: u32 = sum.sum();
        if header.cksum().ok() != Some(sum) {
            return Err(format!("at byte {at} of the tar stands no header: its checksum is wrong"));
        }
        Ok(Some(header))
    }

    /// What a header holds that extends the next one.
    fn extension(&mut self, size: u64) -> Result<Vec<u8>, String> {
        if size > EXTENSION {
            return Err(format!(
                "at byte {} of the tar a name or header has more than {EXTENSION} bytes",
                self.stream.at()
            ));
        }
        let bytes = self.bytes(size)?;
        self.left = size.next_multiple_of(BLOCK as u64) - size;
        self.pass_over()?;
        Ok(bytes)
    }

    fn bytes(&mut self, size: u64) -> Result<Vec<u8>, String> {
        let size = usize::try_from(size).map_err(|error| error.to_string())?;
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(size).map_err(|error| error.to_string())?;
        bytes.resize(size, 0);
        match self.stream.fill(&mut bytes) {
            Ok(count) if count == size => Ok(bytes),
            Ok(_) => Err(self.cut_off()),
            Err(error) => Err(self.broken(&error)),
        }
    }

    /// Behind the end stand zeros alone, and what is compressed has a sum that is looked at there.
    fn end(&mut self) -> Result<(), String> {
        self.ended = true;
        let mut buffer = [0; BLOCK];
        loop {
            let at = self.stream.at();
            let count = self.stream.fill(&mut buffer).map_err(|error| self.broken(&error))?;
            if buffer.get(..count).unwrap_or_default().iter().any(|byte| *byte != 0) {
                return Err(format!("behind the end of the tar, at byte {at} or later, stands something"));
            }
            if count < BLOCK {
                return Ok(());
            }
        }
    }

    fn cut_off(&self) -> String {
        format!(
            "it was cut off: at byte {} of the tar it ends, in the middle of member {}",
            self.stream.at(),
            self.number.max(1)
        )
    }

    fn broken(&self, error: &io::Error) -> String {
        format!("behind byte {} of the tar: {error}", self.stream.at())
    }
}

/// What has no bytes, in words.
fn bodiless(kind: EntryType, path: &[u8]) -> Option<&'static str> {
    Some(match kind {
        EntryType::Regular | EntryType::Continuous if path.last() == Some(&b'/') => "a folder",
        EntryType::Directory => "a folder",
        EntryType::Symlink => "a link",
        EntryType::Link => "a second name of another member",
        EntryType::Char | EntryType::Block => "a device",
        EntryType::Fifo => "a pipe",
        _ => return None,
    })
}

fn what(kind: EntryType, path: &[u8]) -> What {
    match (kind, bodiless(kind, path)) {
        (_, Some("a folder")) => What::Folder,
        (_, Some(what)) => What::Other(what),
        (EntryType::Regular | EntryType::Continuous, None) => What::File,
        (EntryType::GNUSparse, None) => What::Other("a sparse file"),
        _ => What::Other("no file and no folder"),
    }
}

/// The records of a pax header: `LENGTH KEY=VALUE` and a line feed, each as long as it says.
fn pax(bytes: &[u8], extended: &mut Extended) -> Result<(), String> {
    let mut rest = bytes;
    while !rest.is_empty() {
        let record = || {
            let space = rest.iter().position(|byte| *byte == b' ')?;
            let length: usize = str::from_utf8(rest.get(..space)?).ok()?.parse().ok()?;
            let record = rest.get(space + 1..length)?.strip_suffix(b"\n")?;
            let equals = record.iter().position(|byte| *byte == b'=')?;
            Some((length, record.get(..equals)?, record.get(equals + 1..)?))
        };
        let (length, key, value) = record().ok_or("a pax header cannot be read")?;
        match key {
            b"path" => extended.path = Some(value.to_vec()),
            b"size" => {
                let size = str::from_utf8(value).ok().and_then(|value| value.parse().ok());
                extended.size = Some(size.ok_or("a pax header gives a size that is no number")?);
            }
            key => extended.sparse |= key.starts_with(b"GNU.sparse."),
        }
        rest = rest.get(length..).unwrap_or_default();
    }
    Ok(())
}
