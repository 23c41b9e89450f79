//! Members of a zip, in the order of its list.

use std::{
    fs::File,
    io::{self, BufReader, Read as _, Seek as _, SeekFrom},
};

use zip::ZipArchive;

use crate::{
    Limits,
    member::{Member, What},
    name::Named,
};

/// A zip whose members are read as they are wanted.
pub(crate) struct Zip {
    archive: ZipArchive<BufReader<File>>,
    /// Members that came.
    came: usize,
}

impl Zip {
    /// Reads the list of members, and holds it against the members.
    pub(crate) fn new(mut file: File, size: u64, limits: &Limits) -> Result<Self, String> {
        let end = end(&mut file, size).map_err(|error| error.to_string())?;
        let End { list, comment } = end.ok_or("it has no end that a zip has, or something behind it")?;
        if list > limits.directory {
            return Err(format!("its list of members has {list} bytes, and {} at most are read", limits.directory));
        }
        let mut archive = ZipArchive::new(BufReader::new(file)).map_err(|error| error.to_string())?;
        if archive.comment().len() as u64 != comment {
            return Err("its comment holds what can be taken for its end".to_owned());
        }
        if archive.has_duplicate_names() {
            return Err("a name is repeated in it".to_owned());
        }
        // One who reads it from the front sees the same members.
        archive.validate_header_consistency().map_err(|error| error.to_string())?;
        let most = limits.most(size);
        let mut sum = 0_u64;
        for index in 0..archive.len() {
            sum = sum.saturating_add(archive.by_index_data(index).map_err(|error| error.to_string())?.size());
        }
        if sum > most {
            return Err(format!(
                "more than {most} bytes come out of it, which is more than an archive of its size may hold"
            ));
        }
        Ok(Self { archive, came: 0 })
    }

    /// The next member.
    pub(crate) fn next(&mut self) -> Result<Option<Member>, String> {
        if self.came == self.archive.len() {
            return Ok(None);
        }
        let member = self.archive.by_index_data(self.came).map_err(|error| error.to_string())?;
        let name = member.name().map_err(|error| error.to_string())?;
        // The kind of file as on Unix; what was made elsewhere says none.
        let kind = member.unix_mode().map_or(0, |mode| mode & 0o170_000);
        let what = match kind {
            _ if member.is_symlink() => What::Other("a link"),
            0o040_000 | 0 if member.is_dir() => What::Folder,
            0o100_000 | 0 if member.is_dir() && member.size() > 0 => What::Other("a folder with bytes of its own"),
            0o100_000 | 0 if member.is_dir() => What::Folder,
            _ if member.encrypted() => What::Other("encrypted"),
            0o100_000 | 0 => What::File,
            _ => What::Other("no file and no folder"),
        };
        self.came += 1;
        let number = self.came as u64;
        Ok(Some(Member { number, name: Named::of_any_system(&name), what, size: member.size() }))
    }

    /// The bytes of the member that came last.
    pub(crate) fn read(&mut self, size: u64) -> Result<Vec<u8>, String> {
        let failed = |error: io::Error| error.to_string();
        let index = self.came.checked_sub(1).ok_or("no member came yet")?;
        let mut member = self.archive.by_index(index).map_err(|error| error.to_string())?;
        let mut bytes = Vec::new();
        // What it says of its size is not believed before so much has come.
        bytes.try_reserve(usize::try_from(size.min(1 << 20)).unwrap_or_default()).map_err(|error| error.to_string())?;
        member.by_ref().take(size).read_to_end(&mut bytes).map_err(failed)?;
        // Only at the end the checksum is looked at.
        let more = member.read(&mut [0]).map_err(failed)?;
        if more > 0 || bytes.len() as u64 != size {
            return Err(format!("it has another size than the {size} bytes that the list says"));
        }
        Ok(bytes)
    }
}

/// What stands at the end of a zip.
struct End {
    /// How many bytes the list of members has, as it says.
    list: u64,
    /// How many the comment has.
    comment: u64,
}

/// The end of a zip, if there is one: what has a comment that reaches up to the last byte, not what a comment holds.
fn end(file: &mut File, size: u64) -> io::Result<Option<End>> {
    const END: usize = 22;
    const END_64: u64 = 56;
    const COMMENT: usize = 1 << 16;
    let number = |bytes: Option<&[u8]>| {
        let bytes = bytes.unwrap_or_default();
        bytes.iter().rev().fold(0_u64, |number, byte| number << 8 | u64::from(*byte))
    };
    let tail = size.min((END + COMMENT) as u64);
    file.seek(SeekFrom::Start(size - tail))?;
    let mut bytes = Vec::new();
    file.by_ref().take(tail).read_to_end(&mut bytes)?;
    let reaches =
        |at: usize| number(bytes.get(at + 20..at + END)) == (bytes.len() as u64).wrapping_sub((at + END) as u64);
    let mut marks = bytes.windows(4).enumerate().rev().filter(|(_, bytes)| *bytes == b"PK\x05\x06");
    let Some((at, _)) = marks.find(|(at, _)| at + END <= bytes.len() && reaches(*at)) else { return Ok(None) };
    let list = number(bytes.get(at + 12..at + 16));
    let large =
        at.checked_sub(20).and_then(|at| bytes.get(at..at + 20)).filter(|bytes| bytes.starts_with(b"PK\x06\x07"));
    let list = match large {
        None => list,
        Some(locator) => {
            file.seek(SeekFrom::Start(number(locator.get(8..16))))?;
            let mut end = Vec::new();
            file.by_ref().take(END_64).read_to_end(&mut end)?;
            if end.starts_with(b"PK\x06\x06") { number(end.get(40..48)) } else { list }
        }
    };
    file.rewind()?;
    let comment = bytes.len().saturating_sub(at + END) as u64;
    Ok(Some(End { list, comment }))
}
