//! Manifests out of Parquet, as the lines of JSON that they stand for.

use std::{
    fs::File,
    io::{self, Write},
};

use parquet::{
    file::reader::{FileReader as _, SerializedFileReader},
    record::Field,
};
use serde_json::Value;

use crate::read::{caught, plain};

/// Bytes that the lines of any table may have, and how many times its own size those of a larger one.
const PLAIN: u64 = 256 << 20;
const EXPANSION: u64 = 1000;

/// Writes a line for each row, and says how many they are. The columns are those of CSV: `kind`, `path` and `path2`, or `paths` as a list, and
/// options; `options` may hold several as JSON. Null says nothing.
///
/// # Errors
/// The file cannot be read, has other columns, or stands for more than 256 MiB of lines and more than a thousand times its size: a text that many
/// rows have is written once in it. What a single row lacks is for its line to say, also where a number is none that JSON has.
pub fn lines(file: File, to: &mut dyn Write) -> io::Result<u64> {
    let most = PLAIN.max(file.metadata()?.len().saturating_mul(EXPANSION));
    caught(|| read(file, &mut Bounded { to, left: most, most }))
}

/// Takes so many bytes and no more.
struct Bounded<'t> {
    to: &'t mut dyn Write,
    left: u64,
    most: u64,
}

impl Write for Bounded<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.to.write(bytes)?;
        let too_many = || {
            let most = self.most;
            io::Error::other(format!(
                "its lines have more than {most} bytes, which is more than a table of its size may hold"
            ))
        };
        self.left = self.left.checked_sub(count as u64).ok_or_else(too_many)?;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

fn read(file: File, to: &mut Bounded<'_>) -> io::Result<u64> {
    let reader = SerializedFileReader::new(file).map_err(io::Error::other)?;
    let schema = reader.metadata().file_metadata().schema_descr_ptr();
    let names: Vec<_> = schema.root_schema().get_fields().iter().map(|field| field.name().to_owned()).collect();
    let once = |wanted: &str| names.iter().filter(|name| *name == wanted).count() == 1;
    if !once("kind") || once("path") == once("paths") {
        return Err(io::Error::other("the columns `kind` and `path`, or `paths`, are needed, each once"));
    }
    if let Some(twice) = names.iter().find(|name| name.is_empty() || !once(name)) {
        return Err(io::Error::other(format!("the column {twice:?} has no name of its own")));
    }
    // A row is in memory before its line is written, and a group that says it is larger is not begun. What one row unfolds to, that lists
    // the same text over and over, nothing says beforehand.
    let held =
        reader.metadata().row_groups().iter().map(|group| u64::try_from(group.total_byte_size()).unwrap_or(u64::MAX));
    if held.max().is_some_and(|bytes| bytes > to.most) {
        return Err(io::Error::other(format!("a group of its rows has more than {} bytes", to.most)));
    }
    let mut count = 0;
    for row in reader.get_row_iter(None).map_err(io::Error::other)? {
        let (mut kind, mut listed, mut odd) = (None, None, None);
        let (mut paths, mut options) = (Vec::new(), Vec::new());
        for (name, field) in row.map_err(io::Error::other)?.get_column_iter() {
            if is_no_number(field) {
                // No JSON: whoever reads the line refuses it.
                options.push(format!("{}:NaN", Value::from(name.as_str())));
                continue;
            }
            let value = plain(field)
                .ok_or_else(|| io::Error::other(format!("the column {name:?} holds no text, number or truth")))?;
            match (name.as_str(), value) {
                (_, Value::Null) => {}
                ("kind", value) => kind = Some(value),
                ("path" | "path2", path) => paths.push((name.clone(), path)),
                ("paths", value) => listed = Some(value),
                ("options", Value::String(text)) => match serde_json::from_str(&text) {
                    Ok(Value::Object(given)) => options.extend((!given.is_empty()).then(|| inner(&text))),
                    // Its line then says that these are no options.
                    _ => odd = Some(Value::String(text)),
                },
                (_, value) => options.push(format!("{}:{value}", Value::from(name.as_str()))),
            }
        }
        paths.sort_by(|(one, _), (other, _)| one.cmp(other));
        if paths.first().is_some_and(|(name, _)| name == "path") {
            listed = Some(paths.into_iter().map(|(_, path)| path).collect());
        }
        // As text: what is given twice is then refused as on any other line.
        let given = (!options.is_empty()).then(|| format!("{{{}}}", options.join(",")));
        let members = [
            ("kind", kind.map(|value| value.to_string())),
            ("paths", listed.map(|value| value.to_string())),
            ("options", odd.map(|value| value.to_string()).or(given)),
        ];
        let members = members.into_iter().filter_map(|(name, value)| Some(format!("{name:?}:{}", value?)));
        let line = format!("{{{}}}", members.collect::<Vec<_>>().join(","));
        writeln!(to, "{line}")?;
        count += 1;
    }
    Ok(count)
}

/// Whether it is, or lists, a number that JSON does not have.
fn is_no_number(field: &Field) -> bool {
    match field {
        Field::Double(value) => !value.is_finite(),
        Field::ListInternal(list) => list.elements().iter().any(is_no_number),
        _ => false,
    }
}

/// The members of an object, on one line: what ends a line stands between them alone.
fn inner(object: &str) -> String {
    let members = object.trim().trim_start_matches('{');
    members.strip_suffix('}').unwrap_or(members).replace(['\n', '\r'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_lines_come_of_a_table_than_one_of_its_size_may_hold() {
        let mut taken = Vec::new();
        let mut bounded = Bounded { to: &mut taken, left: 10, most: 10 };
        bounded.write_all(b"1234567890").unwrap();
        bounded.flush().unwrap();
        let error = bounded.write_all(b"1").unwrap_err();
        assert!(error.to_string().contains("its lines have more than 10 bytes"), "{error}");
    }
}
