//! Rows of an earlier sweep, taken over for lines that stand as they stood.

use std::{
    collections::HashMap,
    fs::File,
    io::{self, BufRead as _, BufReader},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use assize_verifier::digest::Digest;

use super::{
    manifest::Entry,
    row::Row,
    rows::short,
    store::{Order, StoreError, order_of, results_of},
};

/// The rows of an earlier sweep, by the line that each was written for.
#[derive(Debug)]
pub struct Earlier {
    path: PathBuf,
    /// Where each row begins.
    places: HashMap<u64, u64>,
    source: Mutex<Reader>,
}

impl Earlier {
    /// Opens the results of a sweep in another folder of the same root. What another version judged is not taken over, and what had no
    /// verdict is judged anew.
    ///
    /// # Errors
    /// There are none, or they are of another version or another root.
    pub fn open(folder: &Path, order: &Order) -> Result<Self, StoreError> {
        let known = order_of(folder)?.ok_or_else(|| StoreError::Nothing(folder.to_path_buf()))?;
        if let Some(what) = order.not_to_be_continued(&known) {
            return Err(StoreError::Other { path: folder.to_path_buf(), what });
        }
        let path = results_of(folder);
        let failed = |error| StoreError::Io { path: path.clone(), error };
        let mut source = BufReader::new(File::open(&path).map_err(failed)?);
        let mut places = HashMap::new();
        each(&mut source, |at, row| {
            if let Some(id) = Digest::from_hex(row.id.as_bytes()).filter(|_| row.judged.error.is_none()) {
                places.insert(short(&id), at);
            }
        })
        .map_err(failed)?;
        Ok(Self { path, places, source: Mutex::new(Reader::open(folder)?) })
    }

    /// The row of a line, with its number of now.
    ///
    /// # Errors
    /// It cannot be read again.
    pub fn row(&self, entry: &Entry) -> Result<Option<Row>, StoreError> {
        let Some(offset) = self.places.get(&short(&entry.id)) else { return Ok(None) };
        let failed = |error| StoreError::Io { path: self.path.clone(), error };
        let row = self.source.lock().unwrap_or_else(PoisonError::into_inner).at(*offset).map_err(failed)?;
        // In CSV the first line of the manifest says what the others mean.
        let same = entry.asked.as_ref().is_ok_and(|asked| {
            (row.id == entry.id.to_hex())
                && (row.kind.as_ref(), &row.paths, &row.options) == (Some(&asked.kind), &asked.paths, &asked.options)
        });
        Ok(same.then_some(Row { row: entry.row, line: entry.line, earlier: true, ..row }))
    }
}

/// Shows each row of results with the place where it begins. A last line without an end was being written when a sweep was broken off, and
/// is no row.
///
/// # Errors
/// The file cannot be read, or another line is no row.
pub(super) fn each(source: &mut BufReader<File>, mut show: impl FnMut(u64, Row)) -> io::Result<()> {
    let (mut at, mut line) = (0, Vec::new());
    loop {
        line.clear();
        let count = source.read_until(b'\n', &mut line)? as u64;
        let Some(whole) = line.strip_suffix(b"\n") else { return Ok(()) };
        let row = serde_json::from_slice::<Row>(whole)
            .map_err(|error| io::Error::other(format!("at byte {at} stands no row of a sweep: {error}")))?;
        show(at, row);
        at += count;
    }
}

/// Rows of a file of results by the place where they begin; neighbours are read ahead.
#[derive(Debug)]
pub(super) struct Reader {
    source: BufReader<File>,
    at: u64,
}

impl Reader {
    /// Of the results of a folder.
    pub(super) fn open(folder: &Path) -> Result<Self, StoreError> {
        let path = results_of(folder);
        match File::open(&path) {
            Ok(file) => Ok(Self { source: BufReader::new(file), at: 0 }),
            Err(error) => Err(StoreError::Io { path, error }),
        }
    }

    /// The row that begins there.
    pub(super) fn at(&mut self, offset: u64) -> io::Result<Row> {
        let mut line = Vec::new();
        self.source.seek_relative(offset.cast_signed() - self.at.cast_signed())?;
        self.at = offset + self.source.read_until(b'\n', &mut line)? as u64;
        Ok(serde_json::from_slice(&line)?)
    }
}
