//! Manifests out of Parquet, as the lines of JSON that they stand for.

use std::{
    fs::File,
    io::{self, Write},
};

use parquet::file::reader::{FileReader as _, SerializedFileReader};
use serde_json::Value;

use crate::read::{caught, plain};

/// Writes a line for each row, and says how many they are. The columns are those of CSV: `kind`, `path` and `path2`, or `paths` as a list, and
/// options; `options` may hold several as JSON. Null says nothing.
///
/// # Errors
/// The file cannot be read, or has other columns; what a single row lacks is for its line to say.
pub fn lines(file: File, to: &mut dyn Write) -> io::Result<u64> {
    caught(|| read(file, to))
}

fn read(file: File, to: &mut dyn Write) -> io::Result<u64> {
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
    let mut count = 0;
    for row in reader.get_row_iter(None).map_err(io::Error::other)? {
        let (mut kind, mut listed, mut odd) = (None, None, None);
        let (mut paths, mut options) = (Vec::new(), Vec::new());
        for (name, field) in row.map_err(io::Error::other)?.get_column_iter() {
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

/// The members of an object, on one line: what ends a line stands between them alone.
fn inner(object: &str) -> String {
    let members = object.trim().trim_start_matches('{');
    members.strip_suffix('}').unwrap_or(members).replace(['\n', '\r'], " ")
}
