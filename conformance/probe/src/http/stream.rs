//! A body of server-sent events: the data of one after the other.

use std::io::{self, BufRead, BufReader, Read};

/// The next event of a stream.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next {
    Data(Vec<u8>),
    /// More than is taken; nothing is read after it.
    Overlong,
    End,
}

/// Reads events.
pub(super) struct Events<R> {
    body: BufReader<R>,
    longest: usize,
    /// Whether a line has ended in a carriage return, to which a line feed may belong that comes later.
    half: bool,
}

impl<R: Read> Events<R> {
    pub(super) fn new(body: R, longest: usize) -> Self {
        Self { body: BufReader::new(body), longest, half: false }
    }

    /// The data of the next message. An event without data, or of another type, is none.
    pub(super) fn next(&mut self) -> io::Result<Next> {
        let (mut data, mut typed) = (None::<Vec<u8>>, false);
        loop {
            let Some(line) = self.line()? else { return Ok(Next::Overlong) };
            let Some(line) = line else { return Ok(Next::End) };
            if line.is_empty() {
                match data.take() {
                    Some(data) if !typed && !data.is_empty() => return Ok(Next::Data(data)),
                    _ => typed = false,
                }
                continue;
            }
            let (name, value) = field(&line);
            match name {
                b"data" => {
                    if let Some(before) = &mut data {
                        before.push(b'\n');
                    }
                    let data = data.get_or_insert_with(Vec::new);
                    if data.len().saturating_add(value.len()) > self.longest {
                        return Ok(Next::Overlong);
                    }
                    data.extend_from_slice(value);
                }
                b"event" => typed = !value.is_empty() && value != b"message",
                _ => {}
            }
        }
    }

    /// A line without its end; `None` outside for one that is too long, inside at the end of the stream.
    fn line(&mut self) -> io::Result<Option<Option<Vec<u8>>>> {
        let mut line = Vec::new();
        loop {
            let (used, ended) = {
                let held = self.body.fill_buf()?;
                if held.is_empty() {
                    // An event that is not ended is none.
                    return Ok(Some(None));
                }
                if std::mem::take(&mut self.half) && held.first() == Some(&b'\n') {
                    self.body.consume(1);
                    continue;
                }
                let end = held.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
                let taken = held.get(..end.unwrap_or(held.len())).unwrap_or(held);
                line.extend_from_slice(taken);
                (taken.len(), end.and_then(|at| held.get(at).copied()))
            };
            self.body.consume(used.saturating_add(usize::from(ended.is_some())));
            // Beside the data, a line has its name.
            if line.len() > self.longest.saturating_add(64) {
                return Ok(None);
            }
            // Lines end in either, or in both.
            if let Some(end) = ended {
                self.half = end == b'\r';
                return Ok(Some(Some(line)));
            }
        }
    }
}

fn field(line: &[u8]) -> (&[u8], &[u8]) {
    let at = line.iter().position(|byte| *byte == b':').unwrap_or(line.len());
    let value = line.get(at.saturating_add(1)..).unwrap_or_default();
    (line.get(..at).unwrap_or_default(), value.strip_prefix(b" ").unwrap_or(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<Next> {
        let mut events = Events::new(text.as_bytes(), 10);
        let mut all = Vec::new();
        loop {
            all.push(events.next().unwrap());
            if !matches!(all.last(), Some(Next::Data(_))) {
                return all;
            }
        }
    }

    #[test]
    fn events_are_read_by_the_lines_of_their_data() {
        let data = |text: &str| Next::Data(text.as_bytes().to_vec());
        assert_eq!(all("data: a\n\ndata:b\r\ndata: c\r\n\r\n: kept alive\n\n"), [data("a"), data("b\nc"), Next::End]);
        assert_eq!(all("id: 1\ndata: \n\nevent: message\rdata: a\r\rdata\ndata: b"), [data("a"), Next::End]);
        assert_eq!(all("event: endpoint\ndata: a\n\nevent: other\n\ndata: b\n\n"), [data("b"), Next::End]);
        assert_eq!(all("data: 12345\ndata: 6789\n\n"), [data("12345\n6789"), Next::End]);
        assert_eq!(all("data: 12345\ndata: 67890\n\n"), [Next::Overlong]);
        assert_eq!(all(&format!("data: {}", "a".repeat(1000))), [Next::Overlong]);
    }
}
