//! A TOML file that a user wrote, read with errors that say where.
//!
//! The parsed document is walked key by key rather than handed to serde: an unknown key is reported before the missing one
//! that it may be a misspelling of, and every value keeps its place, so that what is checked later is located as well.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::RangeInclusive,
};

use thiserror::Error;
use toml::de::{DeTable, DeValue};

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

/// The text of a file with the places of its lines.
#[derive(Debug)]
pub(crate) struct TomlFile<'t> {
    name: &'t str,
    text: &'t str,
    /// Offset of the first byte of each line.
    lines: Vec<usize>,
}

impl<'t> TomlFile<'t> {
    pub(crate) fn new(name: &'t str, bytes: &'t [u8]) -> Result<Self, ConfigError> {
        match str::from_utf8(bytes) {
            Ok(text) => Ok(Self::of(name, text)),
            Err(error) => {
                let sound = bytes.get(..error.valid_up_to()).unwrap_or_default();
                // The part before the bad byte is sound by definition.
                let file = Self::of(name, str::from_utf8(sound).unwrap_or_default());
                Err(file.error(sound.len(), "not UTF-8".to_owned(), "save the file as UTF-8"))
            }
        }
    }

    fn of(name: &'t str, text: &'t str) -> Self {
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { name, text, lines }
    }

    /// The document as a table.
    pub(crate) fn top(&self) -> Result<Table<'_>, ConfigError> {
        let table = DeTable::parse(self.text).map_err(|error| {
            let at = error.span().map_or(self.text.len(), |span| span.start);
            let message = format!("not TOML: {}", error.message().replace('\n', ", "));
            self.error(at, message, "correct it: https://toml.io describes the notation")
        })?;
        Ok(Table::new(self, String::new(), 0, table.into_inner()))
    }

    /// Line and column of a byte.
    fn place(&self, at: usize) -> (usize, usize) {
        let line = self.lines.partition_point(|start| *start <= at);
        let start = self.lines.get(line.saturating_sub(1)).copied().unwrap_or(0);
        let before = self.text.get(start..at).unwrap_or_default();
        (line, before.trim_start_matches('\u{feff}').chars().count() + 1)
    }

    fn error(&self, at: usize, message: String, help: impl Into<String>) -> ConfigError {
        ConfigError::new(self.name, self.place(at), message, help)
    }
}

/// The keys of a table that were not taken yet.
#[derive(Debug)]
pub(crate) struct Table<'f> {
    file: &'f TomlFile<'f>,
    /// Its name; empty for the document.
    name: String,
    at: usize,
    entries: BTreeMap<String, (usize, Value<'f>)>,
}

impl<'f> Table<'f> {
    fn new(file: &'f TomlFile<'f>, name: String, at: usize, table: DeTable<'f>) -> Self {
        let entry = |(key, value): (toml::Spanned<std::borrow::Cow<'_, str>>, toml::Spanned<DeValue<'f>>)| {
            let (from, key) = (key.span().start, key.into_inner().into_owned());
            let label = format!("`{}`", clipped(&key));
            let value = Located { file, label, at: value.span().start, value: value.into_inner() };
            (key, (from, value))
        };
        Self { file, name, at, entries: table.into_iter().map(entry).collect() }
    }

    /// Refuses every key but these.
    pub(crate) fn only(&self, known: &[&str]) -> Result<(), ConfigError> {
        let unknown = self.entries.iter().filter(|(key, _)| !known.contains(&key.as_str()));
        let Some((key, (at, _))) = unknown.min_by_key(|(_, (at, _))| *at) else {
            return Ok(());
        };
        let place = if self.name.is_empty() { String::new() } else { format!(" in `{}`", self.name) };
        let message = format!("`{}` is no key{place}", clipped(key));
        Err(self.file.error(*at, message, meant(key, known)))
    }

    pub(crate) fn take(&mut self, key: &str) -> Option<Value<'f>> {
        self.entries.remove(key).map(|(_, value)| value)
    }

    /// A key that must be there; `help` says what to write.
    pub(crate) fn demand(&mut self, key: &str, help: &str) -> Result<Value<'f>, ConfigError> {
        self.take(key).ok_or_else(|| self.file.error(self.at, format!("`{key}` is missing"), help))
    }
}

/// A value of the file, or what it was turned into, with its place.
#[derive(Debug)]
pub(crate) struct Located<'f, T> {
    file: &'f TomlFile<'f>,
    /// What messages call it.
    label: String,
    at: usize,
    pub(crate) value: T,
}

/// A value as it was parsed.
pub(crate) type Value<'f> = Located<'f, DeValue<'f>>;

impl<'f, T> Located<'f, T> {
    pub(crate) fn error(&self, message: impl std::fmt::Display, help: impl Into<String>) -> ConfigError {
        self.file.error(self.at, format!("{} {message}", self.label), help)
    }

    /// Line and column, from 1.
    pub(crate) fn place(&self) -> (usize, usize) {
        self.file.place(self.at)
    }

    fn with<U>(&self, value: U) -> Located<'f, U> {
        Located { file: self.file, label: self.label.clone(), at: self.at, value }
    }
}

impl<'f> Value<'f> {
    fn not(&self, wanted: &str, help: &str) -> ConfigError {
        let is = match self.value {
            DeValue::String(_) => "a string",
            DeValue::Integer(_) => "a whole number",
            DeValue::Float(_) => "a number with a fraction or an exponent",
            DeValue::Boolean(_) => "a truth value",
            DeValue::Datetime(_) => "a date or a time",
            DeValue::Array(_) => "an array",
            DeValue::Table(_) => "a table",
        };
        self.error(format!("is {is}, not {wanted}"), help)
    }

    pub(crate) fn text(self) -> Result<Located<'f, String>, ConfigError> {
        match &self.value {
            DeValue::String(text) => Ok(self.with(text.clone().into_owned())),
            _ => Err(self.not("a string", "write text in quotes")),
        }
    }

    /// An array of strings, none of them twice where `distinct`.
    pub(crate) fn texts(self, distinct: bool) -> Result<Vec<Located<'f, String>>, ConfigError> {
        let values = self.elements("an array of strings", r#"write ["one", "two"]"#)?;
        let texts = values.into_iter().map(Self::text).collect::<Result<Vec<_>, _>>()?;
        let mut seen = BTreeSet::new();
        if let Some(twice) = texts.iter().find(|text| distinct && !seen.insert(&text.value)) {
            return Err(twice.error(format!("repeats {}", quoted(&twice.value)), "name it once"));
        }
        Ok(texts)
    }

    /// A whole number in a range.
    pub(crate) fn number(self, range: RangeInclusive<u64>) -> Result<u64, ConfigError> {
        let DeValue::Integer(number) = &self.value else {
            return Err(self.not("a whole number", "write digits, without quotes and without a fraction"));
        };
        let value = i64::from_str_radix(number.as_str(), number.radix()).ok().and_then(|value| value.try_into().ok());
        value.filter(|value| range.contains(value)).ok_or_else(|| {
            let message = format!("is {}, out of range", clipped(&number.to_string()));
            self.error(message, format!("write a number from {} to {}", range.start(), range.end()))
        })
    }

    pub(crate) fn table(self) -> Result<Table<'f>, ConfigError> {
        let name = self.label.trim_matches('`').to_owned();
        match self.value {
            DeValue::Table(table) => Ok(Table::new(self.file, name, self.at, table)),
            _ => Err(self.not("a table", format!("write a line [{name}] and its keys below it").as_str())),
        }
    }

    pub(crate) fn tables(self) -> Result<Vec<Table<'f>>, ConfigError> {
        let name = self.label.trim_matches('`').to_owned();
        let help = format!("write a line [[{name}]] before each entry");
        let table = |value: Self| match value.value {
            DeValue::Table(table) => Ok(Table::new(value.file, name.clone(), value.at, table)),
            _ => Err(value.not("a table", &help)),
        };
        self.elements("an array of tables", &help)?.into_iter().map(table).collect()
    }

    fn elements(self, wanted: &str, help: &str) -> Result<Vec<Self>, ConfigError> {
        let Self { file, label, at, value } = self;
        match value {
            DeValue::Array(values) => {
                let element = |value: toml::Spanned<DeValue<'f>>| Self {
                    file,
                    label: format!("an element of {label}"),
                    at: value.span().start,
                    value: value.into_inner(),
                };
                Ok(values.into_iter().map(element).collect())
            }
            value => Err(Self { file, label, at, value }.not(wanted, help)),
        }
    }
}

impl Located<'_, String> {
    /// The text, which must not be blank.
    pub(crate) fn filled(self, help: &str) -> Result<String, ConfigError> {
        if self.value.trim().is_empty() {
            return Err(self.error("is blank", help));
        }
        Ok(self.value)
    }

    /// The text, which the operating system must be able to take.
    pub(crate) fn plain(self) -> Result<String, ConfigError> {
        if self.value.contains('\0') {
            return Err(self.error("holds a NUL character", "leave it out: no system can take it"));
        }
        Ok(self.value)
    }

    /// The text, which must be one of these names.
    pub(crate) fn one_of(self, known: &[&str]) -> Result<String, ConfigError> {
        if known.contains(&self.value.as_str()) {
            return Ok(self.value);
        }
        Err(self.unknown(known))
    }

    /// The error for a name that is none of these.
    pub(crate) fn unknown(&self, known: &[&str]) -> ConfigError {
        self.error(format!("is {}, an unknown name", quoted(&self.value)), meant(&self.value, known))
    }
}

/// What to write instead of an unknown name.
fn meant(name: &str, known: &[&str]) -> String {
    let all = known.join(", ");
    // A name beyond every length of a known one is nothing misspelt, and would cost time to compare.
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
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], shown: &str, help: &str) {
        let read = |bytes| -> Result<u64, ConfigError> {
            let file = TomlFile::new("f.toml", bytes)?;
            let mut top = file.top()?;
            top.only(&["number", "list"])?;
            if let Some(list) = top.take("list") {
                list.texts(true)?;
            }
            top.demand("number", "write number = 1")?.number(1..=9)
        };
        let error = read(bytes).unwrap_err();
        assert_eq!(error.to_string(), format!("f.toml:{shown}"));
        assert!(error.help().contains(help), "{}", error.help());
    }

    #[test]
    fn errors_say_where_and_what_to_do() {
        check(b"", "1:1: `number` is missing", "write number = 1");
        check(b"# \xc3\xa9\nnumbr = 1", "2:1: `numbr` is no key", "did you mean number? known: number, list");
        check(b"number = '1'", "1:10: `number` is a string, not a whole number", "without quotes");
        check(b"\n\n number = 10", "3:11: `number` is 10, out of range", "from 1 to 9");
        check(b"number = 0x0", "1:10: `number` is 0x0, out of range", "from 1 to 9");
        check(b"number = -1", "1:10: `number` is -1, out of range", "from 1 to 9");
        check(b"number = 99999999999999999999", "1:10: `number` is 99999999999999999999, out of range", "from");
        check(b"number = 1.0", "1:10: `number` is a number with a fraction or an exponent, not a whole number", "");
        check(b"list = 1", "1:8: `list` is a whole number, not an array of strings", "[\"one\", \"two\"]");
        check(b"list = [\n'a',\n1979-05-27]", "3:1: an element of `list` is a date or a time, not a string", "quotes");
        check("list = ['é', 'é']".as_bytes(), "1:14: an element of `list` repeats \"é\"", "once");
        check(b"number = 1\r\nnumber = 2", "2:1: not TOML: duplicate key", "toml.io");
        check(
            b"number = \nlist = []",
            "1:10: not TOML: string values must be quoted, expected literal string",
            "toml.io",
        );
    }

    #[test]
    fn columns_count_characters_and_no_byte_order_mark() {
        check(
            "list = ['é', '\u{1f600}', 1]".as_bytes(),
            "1:19: an element of `list` is a whole number, not a string",
            "",
        );
        check("\u{feff}list = 1".as_bytes(), "1:8: `list` is a whole number, not an array of strings", "");
        check(b"list = ['a']\nnumber = '\xff'", "2:11: not UTF-8", "save the file as UTF-8");
    }

    #[test]
    fn long_and_deep_files_are_refused_in_a_line() {
        let name = "n".repeat(100_000);
        check(format!("{name} = 1").as_bytes(), &format!("1:1: `{}...` is no key", "n".repeat(120)), "known");
        let file = "x = ".to_owned() + &"[".repeat(100_000);
        let error = TomlFile::new("f.toml", file.as_bytes()).unwrap().top().unwrap_err();
        assert_eq!((error.line(), error.to_string().lines().count()), (1, 1), "{error}");
    }
}
