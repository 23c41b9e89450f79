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

/// Bytes between places up to which characters are counted once.
const STEP: usize = 4096;

/// Where the lines of a text begin, so that no place asks for all that stands before it.
#[derive(Debug)]
pub(crate) struct Lines {
    starts: Vec<usize>,
    /// Characters before each step.
    counted: Vec<usize>,
}

impl Lines {
    pub(crate) fn new(text: &str) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        let mut counted = vec![0];
        let mut all = 0;
        for part in text.as_bytes().chunks(STEP) {
            all += characters(part);
            counted.push(all);
        }
        Self { starts: std::iter::once(0).chain(breaks).collect(), counted }
    }

    /// The line that a byte stands in, from 0.
    fn row(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at).saturating_sub(1)
    }

    /// From the first byte of a line to its end.
    fn span(&self, text: &str, row: usize) -> Span {
        let start = self.starts.get(row).copied().unwrap_or(text.len());
        let end = self.starts.get(row + 1).map_or(text.len(), |next| next.saturating_sub(1));
        Span { start, end }
    }

    /// A line, from 0.
    pub(crate) fn line<'t>(&self, text: &'t str, row: usize) -> &'t str {
        let Span { start, end } = self.span(text, row);
        text.get(start..end).unwrap_or_default()
    }

    pub(crate) fn count(&self) -> usize {
        self.starts.len()
    }

    /// Characters before a byte.
    fn before(&self, text: &str, at: usize) -> usize {
        let step = at / STEP;
        let rest = text.as_bytes().get(step * STEP..at).unwrap_or_default();
        self.counted.get(step).copied().unwrap_or_default() + characters(rest)
    }
}

/// Characters that begin in these bytes.
fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count()
}

/// Where a stretch of a source stands.
pub(crate) fn of(source: &Source, span: Span) -> Place {
    within(&source.text, &source.lines, &source.name, span)
}

/// Where a stretch of a text stands.
pub(crate) fn within(text: &str, lines: &Lines, file: &str, span: Span) -> Place {
    let row = lines.row(span.start);
    let line = lines.span(text, row);
    let own = text.get(span.start..span.end.min(line.end)).unwrap_or_default().trim_end_matches('\r');
    let start = lines.before(text, span.start);
    let column = start.saturating_sub(lines.before(text, line.start));
    let width = lines.before(text, span.start + own.len()).saturating_sub(start).max(1);
    // Of a line that is too long, what stands around the place.
    let caret = column.min(SHOWN / 2);
    let ahead = text.get(line.start..span.start).unwrap_or_default();
    let from = ahead.char_indices().rev().take(caret).last().map_or(span.start, |(at, _)| line.start + at);
    let after = text.get(from..).unwrap_or_default().chars();
    let shown: String = after.take_while(|letter| *letter != '\n').take(SHOWN).collect();
    Place {
        file: file.to_owned(),
        line: row + 1,
        column: column + 1,
        end_column: column + 1 + width,
        start: span.start,
        end: span.end,
        text: shown.trim_end_matches('\r').to_owned(),
        caret,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::string_slice, reason = "a test")]

    use super::{Lines, within};
    use crate::syntax::Span;

    /// What a walk from the first byte finds.
    fn walked(text: &str, at: usize) -> (usize, usize) {
        let before = &text[..at];
        (before.matches('\n').count() + 1, before.chars().rev().take_while(|letter| *letter != '\n').count() + 1)
    }

    #[test]
    fn a_place_is_where_a_walk_from_the_first_byte_finds_it() {
        let long = format!("{}\n{}\r\n\u{20ac}b\n", "\u{e9}x".repeat(5_000), "a\u{1f600}".repeat(3_000));
        for text in ["", "a", "a\n", "\n\na\u{e9}b\r\nc", long.as_str()] {
            let lines = Lines::new(text);
            for (at, letter) in text.char_indices().step_by(7).chain(text.char_indices().rev().take(9)) {
                let place = within(text, &lines, "a", Span { start: at, end: at + letter.len_utf8() });
                assert_eq!((place.line, place.column), walked(text, at), "{at}");
                assert_eq!(place.end_column, place.column + 1, "{at}");
                let shown = place.text.chars().nth(place.caret);
                assert!(shown == Some(letter) || matches!(letter, '\r' | '\n'), "{at}: {shown:?}");
            }
            let whole = within(text, &lines, "a", Span { start: 0, end: text.len() });
            let first = text.split('\n').next().unwrap().trim_end_matches('\r').chars().count();
            assert_eq!(whole.end_column, 1 + first.max(1));
        }
    }
}
