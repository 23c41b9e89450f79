//! The file of results while a sweep is made: whole lines in the order in which they come, and where each row is.

use std::{
    fs::File,
    io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _},
    num::NonZeroU64,
};

use assize_verifier::digest::Digest;

use super::row::Row;

/// Where a row begins, and the first bytes of its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// One more than the offset, so that a place that is free takes no room of its own.
    after: NonZeroU64,
    id: u64,
}

impl Place {
    fn new(offset: u64, id: u64) -> Self {
        Self { after: NonZeroU64::MIN.saturating_add(offset), id }
    }

    /// Where the row begins.
    pub(super) fn offset(&self) -> u64 {
        self.after.get() - 1
    }
}

/// The file of results while rows are added to it.
#[derive(Debug)]
pub struct Rows {
    file: File,
    /// Where the last whole row ends.
    end: u64,
    /// By the number of the row.
    index: Vec<Option<Place>>,
    there: u64,
}

impl Rows {
    /// Finds the rows that are there, of so many, and cuts off what follows the last whole one.
    pub(super) fn read(file: File, most: u64) -> io::Result<Self> {
        let mut rows = Self { file, end: 0, index: vec![None; index(most)], there: 0 };
        rows.find()?;
        rows.file.set_len(rows.end)?;
        Ok(rows)
    }

    /// The file, and where in it each row begins.
    pub(super) fn into_parts(self) -> (File, Vec<Option<Place>>) {
        (self.file, self.index)
    }

    fn find(&mut self) -> io::Result<()> {
        let mut source = BufReader::new(&self.file);
        let mut line = Vec::new();
        loop {
            line.clear();
            let count = source.by_ref().read_until(b'\n', &mut line)? as u64;
            let row = line.strip_suffix(b"\n").and_then(|line| serde_json::from_slice::<Row>(line).ok());
            let id = row.as_ref().and_then(|row| Digest::from_hex(row.id.as_bytes()));
            let (Some(row), Some(id)) = (row, id) else { return Ok(()) };
            let Some(place) = self.index.get_mut(index(row.row).wrapping_sub(1)) else { return Ok(()) };
            if place.is_none() {
                *place = Some(Place::new(self.end, short(&id)));
                self.there += 1;
            }
            self.end += count;
        }
    }

    /// How many rows are there.
    #[must_use]
    pub fn there(&self) -> u64 {
        self.there
    }

    /// Whether the row of this line is there; one of another line under its number is forgotten.
    pub fn has(&mut self, row: u64, id: &Digest) -> bool {
        match self.index.get_mut(index(row).wrapping_sub(1)) {
            Some(Some(place)) if place.id == short(id) => true,
            Some(place) => {
                self.there -= u64::from(place.take().is_some());
                false
            }
            None => false,
        }
    }

    /// Appends a row as one whole line.
    ///
    /// # Errors
    /// It cannot be written; then nothing of it is.
    pub fn append(&mut self, row: &Row) -> io::Result<()> {
        let mut line = serde_json::to_vec(row)?;
        line.push(b'\n');
        self.file.seek(SeekFrom::Start(self.end))?;
        if let Err(error) = self.file.write_all(&line) {
            self.file.set_len(self.end)?;
            return Err(error);
        }
        let id = Digest::from_hex(row.id.as_bytes()).map_or(0, |id| short(&id));
        if let Some(place) = self.index.get_mut(index(row.row).wrapping_sub(1)) {
            self.there += u64::from(place.is_none());
            *place = Some(Place::new(self.end, id));
        }
        self.end += line.len() as u64;
        Ok(())
    }
}

/// Rows of a file of results by the place where they begin; neighbours are read ahead.
#[derive(Debug)]
pub(super) struct Reader {
    source: BufReader<File>,
    at: u64,
}

impl Reader {
    /// Of a file, wherever it was read before.
    pub(super) fn new(mut file: File) -> io::Result<Self> {
        file.rewind()?;
        Ok(Self { source: BufReader::new(file), at: 0 })
    }

    /// Puts the line that begins there in place of what `line` holds.
    pub(super) fn line(&mut self, offset: u64, line: &mut Vec<u8>) -> io::Result<()> {
        line.clear();
        self.source.seek_relative(offset.cast_signed() - self.at.cast_signed())?;
        self.at = offset + self.source.read_until(b'\n', line)? as u64;
        Ok(())
    }

    /// The row that begins there.
    pub(super) fn at(&mut self, offset: u64) -> io::Result<Row> {
        let mut line = Vec::new();
        self.line(offset, &mut line)?;
        Ok(serde_json::from_slice(&line)?)
    }
}

/// The first bytes of an id.
pub(super) fn short(id: &Digest) -> u64 {
    let [a, b, c, d, e, f, g, h, ..] = *id.as_bytes();
    u64::from_be_bytes([a, b, c, d, e, f, g, h])
}

fn index(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_takes_sixteen_bytes_whether_it_is_there_or_not() {
        assert_eq!(size_of::<Option<Place>>(), 16);
        assert_eq!(Place::new(0, 7).offset(), 0);
    }
}
