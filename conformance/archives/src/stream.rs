//! The bytes of a tar, by whatever it is compressed, with an eye on how many they are.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read},
};

use flate2::bufread::GzDecoder;
use ruzstd::decoding::{
    BlockDecodingStrategy, FrameDecoder,
    errors::{FrameDecoderError, ReadFrameHeaderError},
};

use crate::Kind;

/// Bytes that are read ahead of a file.
const AHEAD: usize = 256 << 10;

/// What comes out of a file, and how much has come.
pub(crate) struct Stream {
    bytes: Bytes,
    at: u64,
    most: u64,
}

enum Bytes {
    Plain { file: BufReader<File>, size: u64 },
    Gzip(Box<Gzip<BufReader<File>>>),
    Zstd(Box<Zstd<BufReader<File>>>),
}

impl Stream {
    /// What comes out of a file of this size, and no more than `most` bytes of it.
    pub(crate) fn new(file: File, size: u64, kind: Kind, most: u64) -> Self {
        let file = BufReader::with_capacity(AHEAD, file);
        let bytes = match kind {
            Kind::TarGz => Bytes::Gzip(Box::new(Gzip(Some(GzDecoder::new(file))))),
            Kind::TarZst => Bytes::Zstd(Box::new(Zstd { decoder: FrameDecoder::new(), source: file, open: false })),
            Kind::Tar | Kind::Zip => Bytes::Plain { file, size },
        };
        Self { bytes, at: 0, most }
    }

    /// How many bytes have come.
    pub(crate) fn at(&self) -> u64 {
        self.at
    }

    /// Fills the buffer, or as much of it as there still is.
    pub(crate) fn fill(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while let Some(rest) = into.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            let read = match &mut self.bytes {
                Bytes::Plain { file, .. } => file.read(rest),
                Bytes::Gzip(source) => source.read(rest),
                Bytes::Zstd(source) => source.read(rest),
            };
            match read {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.at += filled as u64;
        if self.at > self.most {
            return Err(io::Error::other(format!(
                "more than {} bytes come out of it, which is more than an archive of its size may hold",
                self.most
            )));
        }
        Ok(filled)
    }

    /// Goes on behind so many bytes, and says how many of them there are.
    pub(crate) fn skip(&mut self, count: u64) -> io::Result<u64> {
        if let Bytes::Plain { file, size } = &mut self.bytes {
            let count = count.min(size.saturating_sub(self.at));
            file.seek_relative(i64::try_from(count).map_err(io::Error::other)?)?;
            self.at += count;
            return Ok(count);
        }
        let mut left = count;
        let mut buffer = [0; 16 << 10];
        while left > 0 {
            let some = usize::try_from(left).unwrap_or(usize::MAX).min(buffer.len());
            let filled = self.fill(buffer.get_mut(..some).unwrap_or_default())?;
            left -= filled as u64;
            if filled < some {
                break;
            }
        }
        Ok(count - left)
    }
}

/// Members of gzip, one behind the other, and zeros behind the last: tapes and some programs fill up with them. None once all has come.
struct Gzip<R>(Option<GzDecoder<R>>);

impl<R: BufRead> Read for Gzip<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.0 {
            let count = member.read(into)?;
            if count > 0 || into.is_empty() {
                return Ok(count);
            }
            let Some(mut source) = self.0.take().map(GzDecoder::into_inner) else { break };
            match uninterrupted(&mut source)?.first() {
                None => {}
                Some(0) => only_zeros(source)?,
                Some(_) => self.0 = Some(GzDecoder::new(source)),
            }
        }
        Ok(0)
    }
}

/// What comes next: whoever asks again after an interruption would find no member any more.
fn uninterrupted(source: &mut impl BufRead) -> io::Result<&[u8]> {
    while source.fill_buf().is_err_and(|error| error.kind() == io::ErrorKind::Interrupted) {}
    source.fill_buf()
}

fn only_zeros(mut source: impl BufRead) -> io::Result<()> {
    loop {
        let some = uninterrupted(&mut source)?;
        if some.iter().any(|byte| *byte != 0) {
            return Err(io::Error::other("behind its end, and zeros, stands something"));
        }
        let count = some.len();
        if count == 0 {
            return Ok(());
        }
        source.consume(count);
    }
}

/// Frames of Zstandard, one behind the other, each held against its checksum.
struct Zstd<R> {
    decoder: FrameDecoder,
    source: R,
    /// Whether a frame has begun.
    open: bool,
}

impl<R: BufRead> Zstd<R> {
    /// Begins the next frame; false where none is left.
    fn begin(&mut self) -> io::Result<bool> {
        loop {
            if self.source.fill_buf()?.is_empty() {
                return Ok(false);
            }
            match self.decoder.reset(&mut self.source) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                    let skipped = io::copy(&mut self.source.by_ref().take(length.into()), &mut io::sink())?;
                    if skipped < u64::from(length) {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(error) => return Err(io::Error::other(error)),
            }
        }
    }
}

impl<R: BufRead> Read for Zstd<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.open && (into.is_empty() || !self.begin()?) {
                return Ok(0);
            }
            self.open = true;
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                let some = BlockDecodingStrategy::UptoBlocks(1);
                self.decoder.decode_blocks(&mut self.source, some).map_err(io::Error::other)?;
            }
            let count = self.decoder.read(into)?;
            if count > 0 || into.is_empty() {
                return Ok(count);
            }
            let due = self.decoder.get_checksum_from_data();
            if due.is_some() && due != self.decoder.get_calculated_checksum() {
                return Err(io::Error::other("its checksum is not that of what comes out of it"));
            }
            self.open = false;
        }
    }
}
