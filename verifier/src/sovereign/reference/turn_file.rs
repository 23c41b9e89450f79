//! Finding and reading turn files as the comparator does.
//!
//! Spec: Sealed comparator v1.2.1, `load_turn`; rulings FILE-01 to FILE-24.

use std::borrow::Cow;

use super::python::{self, Value};
use super::{Abort, subscript};
use crate::files::Files;
use crate::json::{Dialect, JsonError, Kind, NodeRef, Reader, Skip};

/// Memory that is reused from turn to turn.
#[derive(Default)]
pub(super) struct Scratch {
    /// The text of side A's turn file.
    pub(super) a: Vec<u8>,
    /// The text of side B's.
    pub(super) b: Vec<u8>,
    pub(super) fast: super::fast::Memory,
}

/// Whether a turn can be looked at.
pub(super) enum Loaded {
    /// Some side has no usable file.
    Missing,
    /// Both texts have been read; that they are JSON is still to be seen.
    Both,
}

/// Why one side could not be read.
enum Failure {
    /// A ValueError inside the load, which the comparator takes for missing input.
    Missing,
    Abort(Abort),
}

impl From<Abort> for Failure {
    fn from(abort: Abort) -> Self {
        Self::Abort(abort)
    }
}

/// Reads both sides, A before B: what is wrong with A's file counts before B's entry is looked at.
pub(super) fn load(a: NodeRef<'_>, b: NodeRef<'_>, files: &dyn Files, scratch: &mut Scratch) -> Result<Loaded, Abort> {
    match read(a, files, &mut scratch.a) {
        Err(Failure::Abort(abort)) => return Err(abort),
        Err(Failure::Missing) => return Ok(Loaded::Missing),
        Ok(()) => {}
    }
    match read(b, files, &mut scratch.b) {
        Ok(()) => Ok(Loaded::Both),
        Err(failure) => {
            if !parses(&scratch.a)? {
                return Ok(Loaded::Missing);
            }
            match failure {
                Failure::Missing => Ok(Loaded::Missing),
                Failure::Abort(abort) => Err(abort),
            }
        }
    }
}

/// Whether a text is JSON to Python; too much nesting escapes as an exception.
fn parses(text: &[u8]) -> Result<bool, Abort> {
    let read: Result<(), JsonError> =
        Reader::new(text, &Dialect::PYTHON).and_then(|mut reader| reader.document(&mut Skip));
    match read.map_err(|error| Abort::of_reading(error.kind)) {
        Ok(()) => Ok(true),
        Err(Abort::RecursionError) => Err(Abort::RecursionError),
        Err(_) => Ok(false),
    }
}

/// Opens the entry's paths in sorted order until one can be read.
fn read(entry: NodeRef<'_>, files: &dyn Files, into: &mut Vec<u8>) -> Result<(), Failure> {
    let paths = subscript(entry, "paths")?;
    if paths.is_array() {
        let mut elements = paths.elements();
        // Nothing to sort: open the one path without building values.
        if let (Some(only), None) = (elements.next(), elements.next())
            && let Some(path) = only.as_string()
        {
            return match open(path.as_bytes(), files, into) {
                Some(result) => result,
                None => Err(Failure::Missing),
            };
        }
    }
    let paths: Vec<Value> = match paths.kind() {
        Kind::Array => paths.elements().map(Value::of).collect(),
        // A string gives its characters, an object its names.
        Kind::String => paths.as_string().map(|text| characters(text.as_bytes())).unwrap_or_default(),
        Kind::Object => match Value::of(paths) {
            Value::Dict(members) => members.into_iter().map(|(name, _)| Value::Str(name)).collect(),
            _ => Vec::new(),
        },
        _ => return Err(Abort::TypeError.into()),
    };
    for path in python::sort(paths, &Value::less_than).map_err(Abort::from)? {
        let tried = match &path {
            Value::Str(path) => open(path, files, into),
            Value::Int(token) => open_descriptor(token)?,
            // 0 and 1 as descriptors, which FILE-21 excludes; taken as closed.
            Value::Bool(_) => None,
            Value::None | Value::Float(_) | Value::List(_) | Value::Dict(_) => return Err(Abort::TypeError.into()),
        };
        if let Some(result) = tried {
            return result;
        }
    }
    Err(Failure::Missing)
}

/// Opens a path; `None` means that the next one is to be tried.
fn open(path: &[u8], files: &dyn Files, into: &mut Vec<u8>) -> Option<Result<(), Failure>> {
    if path.contains(&0) {
        return Some(Err(Failure::Missing));
    }
    let Some(path) = encode_for_system(path) else { return Some(Err(Failure::Missing)) };
    if path.is_empty() {
        return None;
    }
    files.read(&path, into).is_ok().then_some(Ok(()))
}

/// UTF-8 with `surrogateescape`: U+DC80 to U+DCFF stand for single bytes, other surrogates cannot be encoded.
fn encode_for_system(path: &[u8]) -> Option<Cow<'_, [u8]>> {
    if std::str::from_utf8(path).is_ok() {
        return Some(Cow::Borrowed(path));
    }
    let mut out = Vec::with_capacity(path.len());
    let mut rest = path;
    while let Some((&byte, after)) = rest.split_first() {
        rest = match rest {
            // WTF-8 of U+DC80 to U+DCFF.
            [0xED, middle @ 0xB2..=0xB3, last, after @ ..] => {
                out.push((middle - 0xB2) * 0x40 + (last - 0x80) + 0x80);
                after
            }
            [0xED, 0xA0..=0xBF, ..] => return None,
            _ => {
                out.push(byte);
                after
            }
        };
    }
    Some(Cow::Owned(out))
}

/// `open(n)`: negative numbers raise a ValueError, numbers beyond 32 bits a TypeError, all others are taken as closed
/// descriptors (FILE-21).
fn open_descriptor(token: &str) -> Result<Option<Result<(), Failure>>, Abort> {
    match token.parse::<i32>() {
        Err(_) => Err(Abort::TypeError),
        Ok(descriptor) if descriptor < 0 => Ok(Some(Err(Failure::Missing))),
        Ok(_) => Ok(None),
    }
}

/// The characters of a WTF-8 string.
fn characters(wtf8: &[u8]) -> Vec<Value> {
    let mut out: Vec<Vec<u8>> = Vec::new();
    for &byte in wtf8 {
        match out.last_mut() {
            Some(character) if byte & 0xC0 == 0x80 => character.push(byte),
            _ => out.push(vec![byte]),
        }
    }
    out.into_iter().map(|character| Value::Str(character.into())).collect()
}
