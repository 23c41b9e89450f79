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
    rows::{Reader, short},
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
        let source = Reader::new(source.into_inner()).map_err(failed)?;
        Ok(Self { path, places, source: Mutex::new(source) })
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
