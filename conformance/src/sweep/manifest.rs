//! The manifest of a sweep: an artefact a line, as JSON or as CSV.

use std::{
    collections::BTreeMap,
    io::{self, BufRead},
};

use assize_corpus::unique;
use assize_verifier::digest::Digest;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use thiserror::Error;

/// Bytes that a line may have.
pub const LINE: usize = 1 << 20;

/// An artefact, and how it is to be judged.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// What kind of artefact it is.
    pub kind: String,
    /// Where it is; a pair has two places.
    pub paths: Vec<String>,
    /// Options of the verb for one such artefact, without their dashes.
    #[serde(default, deserialize_with = "each_once")]
    pub options: BTreeMap<String, Value>,
}

/// A line of the manifest that holds something.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its place among those lines, from 1.
    pub row: u64,
    /// The number of the line, from 1.
    pub line: u64,
    /// SHA-256 of the line without its end.
    pub id: Digest,
    /// What it asks, or why it cannot be understood.
    pub asked: Result<Asked, Refused>,
}

/// Why something has no verdict, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
}

impl Refused {
    /// With what is wrong and what to do.
    pub fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { message: message.into(), help: help.into() }
    }
}

/// How the lines of a manifest are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// An object a line: `kind`, `paths`, `options`.
    Lines,
    /// The first line names the columns: `kind`, `path`, `path2`, and options.
    Csv,
}

/// A manifest of which no line can be understood.
#[derive(Debug, Error)]
pub enum ManifestError {
    /// It cannot be read.
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
    /// Its columns have no usable names.
    #[error("line 1: {0}")]
    Header(String),
}

/// A manifest that is read line by line.
#[derive(Debug)]
pub struct Manifest<R> {
    source: R,
    columns: Option<Vec<String>>,
    line: u64,
    row: u64,
    so_far: Sha256,
    buffer: Vec<u8>,
}

impl<R: BufRead> Manifest<R> {
    /// Reads what stands before the first artefact.
    ///
    /// # Errors
    /// The manifest cannot be read, or its columns have no usable names.
    pub fn new(source: R, layout: Layout) -> Result<Self, ManifestError> {
        let mut manifest = Self { source, columns: None, line: 0, row: 0, so_far: Sha256::new(), buffer: Vec::new() };
        if layout == Layout::Csv {
            let header = |why: &str| ManifestError::Header(why.to_owned());
            if manifest.next_line()? != Some(true) {
                return Err(header("no names of columns"));
            }
            let columns = fields(&manifest.buffer).map_err(|why| ManifestError::Header(why.message))?;
            let once = |name: &str| columns.iter().filter(|column| *column == name).count() == 1;
            if !(once("kind") && once("path")) {
                return Err(header("the columns `kind` and `path` are needed, each once"));
            }
            if let Some(twice) = columns.iter().find(|name| name.is_empty() || !once(name)) {
                return Err(ManifestError::Header(format!("the column {twice:?} has no name of its own")));
            }
            manifest.columns = Some(columns);
        }
        Ok(manifest)
    }

    /// SHA-256 of everything that was read: at the end, of the manifest.
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::from(<[u8; 32]>::from(self.so_far.clone().finalize()))
    }

    /// Puts the next line into the buffer, without its end, and says whether it has room there; none at the end.
    fn next_line(&mut self) -> io::Result<Option<bool>> {
        self.buffer.clear();
        let (mut begun, mut fits) = (false, true);
        loop {
            let part = match self.source.fill_buf() {
                Ok(part) => part,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let end = part.iter().position(|byte| *byte == b'\n').map(|end| end + 1);
            let taken = part.get(..end.unwrap_or(part.len())).unwrap_or_default();
            if taken.is_empty() && !begun {
                return Ok(None);
            }
            begun = true;
            self.so_far.update(taken);
            fits &= self.buffer.len() + taken.len() <= LINE;
            if fits {
                self.buffer.extend_from_slice(taken);
            } else {
                self.buffer.clear();
            }
            let (count, whole) = (taken.len(), end.is_some() || taken.is_empty());
            self.source.consume(count);
            if whole {
                break;
            }
        }
        for end in [b'\n', b'\r'] {
            self.buffer.pop_if(|last| *last == end);
        }
        if self.line == 0 && self.buffer.starts_with(b"\xef\xbb\xbf") {
            self.buffer.drain(..3);
        }
        self.line += 1;
        Ok(Some(fits))
    }

    /// Puts the line of the next artefact into the buffer, as [`Self::next_line`] does.
    fn advance(&mut self) -> io::Result<Option<bool>> {
        loop {
            let Some(fits) = self.next_line()? else { return Ok(None) };
            if !fits || !self.buffer.iter().all(u8::is_ascii_whitespace) {
                self.row += 1;
                return Ok(Some(fits));
            }
        }
    }

    /// Reads to the end without a look at what is asked, and says how many artefacts there are.
    ///
    /// # Errors
    /// The manifest cannot be read.
    pub fn to_end(&mut self) -> io::Result<u64> {
        while self.advance()?.is_some() {}
        Ok(self.row)
    }

    fn asked(&self) -> Result<Asked, Refused> {
        match &self.columns {
            Some(columns) => from_fields(columns, fields(&self.buffer)?),
            // A list of its members would be taken for an object too.
            None if !self.buffer.trim_ascii_start().starts_with(b"{") => {
                Err(Refused::new(format!("line {}: no JSON object", self.line), HELP))
            }
            None => serde_json::from_slice(&self.buffer).map_err(|error| {
                let message = format!("line {}, column {}: {}", self.line, error.column(), plain(&error));
                Refused::new(message, HELP)
            }),
        }
    }
}

const HELP: &str =
    r#"write an artefact a line, as in {"kind":"pack","paths":["run-1/pack"],"options":{"numbers":"assay"}}"#;

/// What is wrong with JSON, without the place: the line that it counts is its own.
fn plain(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.clone(), |(what, _)| what.to_owned())
}

impl<R: BufRead> Iterator for Manifest<R> {
    type Item = io::Result<Entry>;

    fn next(&mut self) -> Option<Self::Item> {
        let fits = match self.advance() {
            Ok(fits) => fits?,
            Err(error) => return Some(Err(error)),
        };
        let asked = if fits {
            let numbered = |why: Refused| match why.message.starts_with("line ") {
                true => why,
                false => Refused { message: format!("line {}: {}", self.line, why.message), ..why },
            };
            self.asked().map_err(numbered)
        } else {
            let message = format!("line {}: longer than the limit of {LINE} bytes", self.line);
            Err(Refused::new(message, "name an artefact a line"))
        };
        Some(Ok(Entry { row: self.row, line: self.line, id: Digest::of(&self.buffer), asked }))
    }
}

/// Options of which none is named twice: the last of them would hold in silence.
fn each_once<'de, D: Deserializer<'de>>(options: D) -> Result<BTreeMap<String, Value>, D::Error> {
    unique::members(options, "an object of options", |name| format!("the option {name:?} is given twice"))
}

/// The fields of one line of CSV.
fn fields(line: &[u8]) -> Result<Vec<String>, Refused> {
    const HELP: &str =
        "quote a field that holds a comma or a quote, and write quotes in it twice; a field ends on its line";
    if line.iter().filter(|byte| **byte == b'"').count() % 2 == 1 {
        return Err(Refused::new("a quote is opened and not closed on this line", HELP));
    }
    let mut reader = csv::ReaderBuilder::new().has_headers(false).buffer_capacity(256).from_reader(line);
    let mut record = csv::StringRecord::new();
    match reader.read_record(&mut record) {
        Ok(_) => Ok(record.iter().map(str::to_owned).collect()),
        Err(_) => Err(Refused::new("not in UTF-8", HELP)),
    }
}

/// What a line of CSV asks; an empty field says nothing.
fn from_fields(columns: &[String], fields: Vec<String>) -> Result<Asked, Refused> {
    if fields.len() != columns.len() {
        let message = format!("{} fields, where the first line names {}", fields.len(), columns.len());
        return Err(Refused::new(message, "write a field for each column, if need be an empty one"));
    }
    let mut named: BTreeMap<&str, String> = columns.iter().map(String::as_str).zip(fields).collect();
    named.retain(|_, field| !field.is_empty());
    let (Some(kind), Some(path)) = (named.remove("kind"), named.remove("path")) else {
        return Err(Refused::new("no kind or no path", "fill in the columns `kind` and `path`"));
    };
    let paths = [Some(path), named.remove("path2")].into_iter().flatten().collect();
    let options = named.into_iter().map(|(name, field)| (name.to_owned(), field.into())).collect();
    Ok(Asked { kind, paths, options })
}

#[cfg(test)]
mod tests;
