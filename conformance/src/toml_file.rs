//! A TOML file that a user wrote, read with errors that say where and what to do.
//!
//! serde reads it into types that keep the place of each value, so that what is checked later is located as well.

use std::{collections::BTreeSet, ops::RangeInclusive};

use serde::de::DeserializeOwned;
use thiserror::Error;
use toml::Spanned;

use crate::suggest;

/// What is wrong with a file of settings, where, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{file}:{line}:{column}: {message}")]
pub struct ConfigError {
    file: String,
    line: usize,
    column: usize,
    message: String,
    help: String,
}

impl ConfigError {
    /// `column` counts characters; both count from 1.
    pub(crate) fn new(file: &str, (line, column): (usize, usize), message: String, help: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line, column, message, help: help.into() }
    }

    /// Line, from 1.
    #[must_use]
    pub fn line(&self) -> usize {
        self.line
    }

    /// Column in characters, from 1.
    #[must_use]
    pub fn column(&self) -> usize {
        self.column
    }

    /// What to do about it.
    #[must_use]
    pub fn help(&self) -> &str {
        &self.help
    }
}

/// The text of a file under the name by which messages call it.
#[derive(Debug)]
pub(crate) struct TomlFile<'t> {
    name: &'t str,
    text: &'t str,
    /// Offset of the first byte of each line.
    lines: Vec<usize>,
}

impl<'t> TomlFile<'t> {
    pub(crate) fn new(name: &'t str, bytes: &'t [u8]) -> Result<Self, ConfigError> {
        str::from_utf8(bytes).map(|text| Self::of(name, text)).map_err(|error| {
            // The part before the bad byte is sound by definition.
            let sound = bytes.get(..error.valid_up_to()).unwrap_or_default();
            let file = Self::of(name, str::from_utf8(sound).unwrap_or_default());
            file.error_at(sound.len(), "not UTF-8".to_owned(), "save the file as UTF-8")
        })
    }

    fn of(name: &'t str, text: &'t str) -> Self {
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { name, text, lines }
    }

    /// The document as a type. `missing` says what to write for keys that must be there.
    pub(crate) fn read<T: DeserializeOwned>(&self, missing: &[(&str, &str)]) -> Result<T, ConfigError> {
        let table = toml::de::Deserializer::parse(self.text).map_err(|error| {
            let message = format!("not TOML: {}", error.message().replace('\n', ", "));
            let at = error.span().map_or(self.text.len(), |span| span.start);
            self.error_at(at, message, "correct it: https://toml.io describes the notation")
        })?;
        T::deserialize(table).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            let message = error.message();
            if let Some((key, known)) = unknown_key(message) {
                return self.error_at(at, format!("`{}` is not a key", clipped(key)), meant(key, &known));
            }
            if let Some(key) = message.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`')) {
                let help = missing.iter().find(|(name, _)| *name == key).map_or("add it", |(_, help)| help);
                return self.error_at(at, format!("`{key}` is missing"), help);
            }
            self.error_at(at, clipped(message), "text stands in quotes, a number without them, a list in brackets")
        })
    }

    /// Line and column of a value.
    pub(crate) fn place<T>(&self, value: &Spanned<T>) -> (usize, usize) {
        self.place_at(value.span().start)
    }

    fn place_at(&self, at: usize) -> (usize, usize) {
        let line = self.lines.partition_point(|start| *start <= at);
        let start = self.lines.get(line.saturating_sub(1)).copied().unwrap_or(0);
        let before = self.text.get(start..at).unwrap_or_default();
        (line, before.trim_start_matches('\u{feff}').chars().count() + 1)
    }

    /// The error over a value; `label` is what the message calls it.
    pub(crate) fn error<T>(
        &self,
        label: &str,
        value: &Spanned<T>,
        message: impl std::fmt::Display,
        help: impl Into<String>,
    ) -> ConfigError {
        self.error_at(value.span().start, format!("{label} {message}"), help)
    }

    /// The error over a value that is no more, by its place.
    pub(crate) fn error_there(&self, place: (usize, usize), message: String, help: impl Into<String>) -> ConfigError {
        ConfigError::new(self.name, place, message, help)
    }

    fn error_at(&self, at: usize, message: String, help: impl Into<String>) -> ConfigError {
        ConfigError::new(self.name, self.place_at(at), message, help)
    }

    /// A whole number in a range.
    pub(crate) fn number(
        &self,
        key: &str,
        value: &Spanned<u64>,
        range: RangeInclusive<u64>,
    ) -> Result<u64, ConfigError> {
        let number = *value.get_ref();
        if range.contains(&number) {
            return Ok(number);
        }
        let help = format!("write a number from {} to {}", range.start(), range.end());
        Err(self.error(&format!("`{key}`"), value, format!("is {number}, out of range"), help))
    }

    /// Refuses a list in which a text stands twice.
    pub(crate) fn distinct(&self, key: &str, texts: &[Spanned<String>]) -> Result<(), ConfigError> {
        let mut seen = BTreeSet::new();
        match texts.iter().find(|text| !seen.insert(text.get_ref())) {
            Some(twice) => {
                Err(self.error(&element(key), twice, format!("repeats {}", quoted(twice.get_ref())), "name it once"))
            }
            None => Ok(()),
        }
    }

    /// The text, which must not be blank.
    pub(crate) fn filled(&self, label: &str, text: Spanned<String>, help: &str) -> Result<String, ConfigError> {
        if text.get_ref().trim().is_empty() {
            return Err(self.error(label, &text, "is blank", help));
        }
        Ok(text.into_inner())
    }

    /// The text, which the operating system must be able to take.
    pub(crate) fn plain(&self, label: &str, text: Spanned<String>) -> Result<String, ConfigError> {
        if text.get_ref().contains('\0') {
            return Err(self.error(label, &text, "holds a NUL character", "leave it out: no system can take it"));
        }
        Ok(text.into_inner())
    }

    /// The error over a name that is none of these.
    pub(crate) fn unknown(&self, label: &str, name: &Spanned<String>, known: &[&str]) -> ConfigError {
        let message = format!("is {}, an unknown name", quoted(name.get_ref()));
        self.error(label, name, message, meant(name.get_ref(), known))
    }
}

/// What messages call an element of a list.
pub(crate) fn element(key: &str) -> String {
    format!("an element of `{key}`")
}

/// The key that serde does not know, and those that it does, taken from its message.
fn unknown_key(message: &str) -> Option<(&str, Vec<&str>)> {
    let (key, known) = message.strip_prefix("unknown field `")?.rsplit_once("`, expected ")?;
    Some((key, known.split('`').skip(1).step_by(2).collect()))
}

/// What to write instead of an unknown name.
fn meant(name: &str, known: &[&str]) -> String {
    let all = known.join(", ");
    // A name that is longer than every known one is not a misspelling, and would cost time to compare.
    let name = if name.len() > 100 { "" } else { name };
    match suggest::matches(name, known.iter().copied(), 1).first() {
        Some(near) => format!("did you mean {near}? known: {all}"),
        None => format!("known: {all}"),
    }
}

/// A text of the file in quotes, with its control characters escaped.
pub(crate) fn quoted(text: &str) -> String {
    format!("{:?}", clipped(text))
}

/// A text of the file, cut where it is long.
fn clipped(text: &str) -> String {
    const MOST: usize = 120;
    match text.char_indices().nth(MOST) {
        Some((cut, _)) => format!("{}...", text.get(..cut).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Written {
        number: Spanned<u64>,
        #[serde(default)]
        list: Vec<Spanned<String>>,
    }

    #[track_caller]
    fn check(bytes: &[u8], shown: &str, help: &str) {
        let read = |bytes| -> Result<u64, ConfigError> {
            let file = TomlFile::new("f.toml", bytes)?;
            let written: Written = file.read(&[("number", "write number = 1")])?;
            file.distinct("list", &written.list)?;
            file.number("number", &written.number, 1..=9)
        };
        let error = read(bytes).unwrap_err();
        assert_eq!(error.to_string(), format!("f.toml:{shown}"));
        assert!(error.help().contains(help), "{}", error.help());
    }

    #[test]
    fn errors_say_where_and_what_to_do() {
        check(b"", "1:1: `number` is missing", "write number = 1");
        check(b"# \xc3\xa9\nnumbr = 1", "2:1: `numbr` is not a key", "did you mean number? known: number, list");
        check(b"number = '1'", "1:10: invalid type: string \"1\", expected u64", "a number without them");
        check(b"\n\n number = 10", "3:11: `number` is 10, out of range", "from 1 to 9");
        check(b"number = 0x0", "1:10: `number` is 0, out of range", "from 1 to 9");
        check(b"number = -1", "1:10: invalid value: integer `-1`, expected u64", "");
        check(
            b"number = 99999999999999999999",
            "1:10: invalid type: integer `99999999999999999999` as i128, expected u64",
            "",
        );
        check(b"number = 1.0", "1:10: invalid type: floating point `1.0`, expected u64", "");
        check(b"list = 1", "1:8: invalid type: integer `1`, expected a sequence", "a list in brackets");
        check(b"list = [\n'a',\n1979-05-27]", "3:1: invalid type: map, expected a string", "quotes");
        check("number = 1\nlist = ['é', 'é']".as_bytes(), "2:14: an element of `list` repeats \"é\"", "once");
        check(b"number = 1\r\nnumber = 2", "2:1: not TOML: duplicate key", "toml.io");
        check(
            b"number = \nlist = []",
            "1:10: not TOML: string values must be quoted, expected literal string",
            "toml.io",
        );
    }

    #[test]
    fn columns_count_characters_and_no_byte_order_mark() {
        let wrong = "invalid type: integer `1`, expected";
        check("list = ['é', '\u{1f600}', 1]".as_bytes(), &format!("1:19: {wrong} a string"), "");
        check("\u{feff}list = 1".as_bytes(), &format!("1:8: {wrong} a sequence"), "");
        check(b"list = ['a']\nnumber = '\xff'", "2:11: not UTF-8", "save the file as UTF-8");
    }

    #[test]
    fn long_and_deep_files_are_refused_in_a_line() {
        let name = "n".repeat(100_000);
        check(format!("{name} = 1").as_bytes(), &format!("1:1: `{}...` is not a key", "n".repeat(120)), "known");
        check(
            format!("number = '{name}'").as_bytes(),
            &format!("1:10: invalid type: string \"{}...", "n".repeat(120 - "invalid type: string \"".len())),
            "",
        );
        let file = "x = ".to_owned() + &"[".repeat(100_000);
        let error = TomlFile::new("f.toml", file.as_bytes()).unwrap().read::<Written>(&[]).unwrap_err();
        assert_eq!((error.line(), error.to_string().lines().count()), (1, 1), "{error}");
    }
}
