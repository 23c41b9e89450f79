//! Places in sources, as people and machines are told of them.

use serde::Serialize;

use crate::{Source, syntax::Span};

/// Characters of a line that are shown.
const SHOWN: usize = 160;

/// A stretch of one line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[non_exhaustive]
pub struct Place {
    /// The file, by its path below the root.
    pub file: String,
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// The column after it, on the same line.
    pub end_column: usize,
    /// The first byte in the file.
    pub start: usize,
    /// The byte after it.
    pub end: usize,
    /// The line, or as much of it around the place as can be shown.
    pub text: String,
    /// Where in that text it begins, from 0, in characters.
    pub caret: usize,
}

/// Where a stretch of a source stands.
pub(crate) fn of(source: &Source, span: Span) -> Place {
    within(&source.text, &source.name, span)
}

/// Where a stretch of a text stands.
pub(crate) fn within(text: &str, file: &str, span: Span) -> Place {
    let before = text.get(..span.start).unwrap_or_default();
    let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
    let begin = before.rfind('\n').map_or(0, |at| at + 1);
    let ahead = text.get(begin..span.start).unwrap_or_default();
    let column = ahead.chars().count();
    let own = text.get(span.start..span.end).unwrap_or_default();
    let width = own.split('\n').next().unwrap_or_default().trim_end_matches('\r').chars().count().max(1);
    // Of a line that is too long, what stands around the place.
    let caret = column.min(SHOWN / 2);
    let from = ahead.char_indices().rev().take(caret).last().map_or(span.start, |(at, _)| begin + at);
    let after = text.get(from..).unwrap_or_default().chars();
    let shown: String = after.take_while(|letter| *letter != '\n').take(SHOWN).collect();
    Place {
        file: file.to_owned(),
        line,
        column: column + 1,
        end_column: column + 1 + width,
        start: span.start,
        end: span.end,
        text: shown.trim_end_matches('\r').to_owned(),
        caret,
    }
}
