//! One line at a time, of a bounded length, from any source of bytes.

use std::io::{BufRead, Read as _};

use super::Event;

/// What is kept of a line that is too long.
const QUOTED: usize = 1 << 10;

/// The next line of at most `limit` bytes without its line feed, or why there is none. Where the input cuts its bytes into
/// pieces does not matter; an input that cannot be read counts as ended.
pub fn next_line(input: &mut impl BufRead, limit: usize) -> Event {
    let bound = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    let mut line = Vec::new();
    let ended = input.take(bound).read_until(b'\n', &mut line).is_err();
    if line.pop_if(|last| *last == b'\n').is_some() {
        Event::Line(line)
    } else if !ended && line.len() > limit {
        line.truncate(QUOTED);
        Event::Overlong(line)
    } else if line.is_empty() {
        Event::Eof
    } else {
        Event::Unended(line)
    }
}
