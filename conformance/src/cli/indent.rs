//! Canonical JSON as people read it, indented as it comes: the whole of it may be too large to hold.

use super::{
    error::CliError,
    output::{Stop, clean},
};

/// Indents canonical JSON in the way of `serde_json`, line by line.
#[derive(Default)]
pub(crate) struct Indented {
    line: Vec<u8>,
    depth: usize,
    /// A container was opened, and nothing of it has come yet.
    opened: bool,
    in_text: bool,
    /// The next byte of the text stands for itself.
    escaped: bool,
}

impl Indented {
    /// Takes the next piece, and gives the lines that are whole with it, each of them clean and ended.
    pub(crate) fn take(&mut self, piece: &[u8], say: &mut dyn FnMut(&str) -> Result<(), Stop>) -> Result<(), Stop> {
        let mut rest = piece;
        while let Some((&byte, after)) = rest.split_first() {
            if self.in_text {
                let plain = rest.iter().position(|byte| self.escaped || matches!(byte, b'"' | b'\\'));
                let (text, left) = rest.split_at(plain.unwrap_or(rest.len()));
                self.line.extend_from_slice(text);
                rest = left;
                if let Some((&byte, left)) = rest.split_first() {
                    self.line.push(byte);
                    self.in_text = self.escaped || byte != b'"';
                    self.escaped = !self.escaped && byte == b'\\';
                    rest = left;
                }
                continue;
            }
            match byte {
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    if !std::mem::take(&mut self.opened) {
                        self.end_line(say)?;
                    }
                }
                b',' | b':' => {}
                _ if std::mem::take(&mut self.opened) => self.end_line(say)?,
                _ => {}
            }
            self.line.push(byte);
            match byte {
                b'{' | b'[' => {
                    self.depth += 1;
                    self.opened = true;
                }
                b',' => self.end_line(say)?,
                b':' => self.line.push(b' '),
                b'"' => self.in_text = true,
                _ => {}
            }
            rest = after;
        }
        Ok(())
    }

    /// Gives the last line.
    pub(crate) fn end(mut self, say: &mut dyn FnMut(&str) -> Result<(), Stop>) -> Result<(), Stop> {
        self.end_line(say)
    }

    fn end_line(&mut self, say: &mut dyn FnMut(&str) -> Result<(), Stop>) -> Result<(), Stop> {
        let line = str::from_utf8(&self.line).map_err(CliError::bug)?;
        say(&format!("{}\n", clean(line)))?;
        self.line.clear();
        self.line.resize(2 * self.depth, b' ');
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canonical_text_is_indented_as_serde_json_does_however_it_comes() {
        for text in [
            "{}",
            "[]",
            "0",
            r#""a\"{,:}\\""#,
            r#"{"a":[],"b":{},"c":[[1,-2.5e-7],{"d":null,"e\\\"":"x:y,{}[]\\"}],"é":"\u001f\n"}"#,
            r#"[[[[]]],{"a":{"b":{"c":true}}},"","\\",false]"#,
        ] {
            let value: serde_json::Value = serde_json::from_str(text).expect("JSON");
            let expected = serde_json::to_string_pretty(&value).expect("JSON");
            for size in [1, 2, 3, 7, text.len()] {
                let (mut indented, mut said) = (Indented::default(), String::new());
                let mut say = |line: &str| {
                    said.push_str(line);
                    Ok(())
                };
                let taken = text.as_bytes().chunks(size).try_for_each(|piece| indented.take(piece, &mut say));
                assert!(taken.and_then(|()| indented.end(&mut say)).is_ok());
                assert_eq!(said, format!("{expected}\n"));
            }
        }
    }
}
