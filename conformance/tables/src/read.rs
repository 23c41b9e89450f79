//! Rows of results, read again.

use std::{
    fs::File,
    io,
    panic::{self, AssertUnwindSafe},
};

use parquet::{
    file::reader::{FileReader as _, SerializedFileReader},
    record::{Field, Row},
};
use serde_json::{Map, Value};

/// Shows each row of a table as a line of results has it: what is null there is left out here.
///
/// # Errors
/// The file cannot be read, or holds no rows of a sweep.
pub fn rows(file: File, show: &mut dyn FnMut(Value)) -> io::Result<()> {
    caught(|| {
        let reader = SerializedFileReader::new(file).map_err(io::Error::other)?;
        for row in reader.get_row_iter(None).map_err(io::Error::other)? {
            show(as_a_line(&row.map_err(io::Error::other)?)?);
        }
        Ok(())
    })
}

/// Reads what may be broken: the library may stumble over a part of it.
pub(crate) fn caught<T>(read: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    panic::catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| Err(io::Error::other("no Parquet that can be read")))
}

fn as_a_line(row: &Row) -> io::Result<Value> {
    let mut line = members(row)?;
    for name in ["options", "error", "help"] {
        if line.get(name).is_some_and(Value::is_null) {
            line.remove(name);
        }
    }
    if let Some(Value::String(options)) = line.get("options") {
        let options = serde_json::from_str(options)?;
        line.insert("options".to_owned(), options);
    }
    if line.get("earlier") == Some(&Value::Bool(false)) {
        line.remove("earlier");
    }
    Ok(line.into())
}

fn members(row: &Row) -> io::Result<Map<String, Value>> {
    row.get_column_iter().map(|(name, field)| Ok((name.clone(), value(field)?))).collect()
}

fn value(field: &Field) -> io::Result<Value> {
    match field {
        Field::Group(row) => Ok(members(row)?.into()),
        Field::MapInternal(map) => {
            let entries = map.entries().iter().map(|(key, it)| match key {
                Field::Str(key) => Ok((key.clone(), value(it)?)),
                _ => Err(io::Error::other("a map of something else than names")),
            });
            Ok(Value::Object(entries.collect::<io::Result<_>>()?))
        }
        field => plain(field).ok_or_else(|| io::Error::other("a column holds no text, number or truth")),
    }
}

/// A text, a number, a truth, or a list of them.
pub(crate) fn plain(field: &Field) -> Option<Value> {
    Some(match field {
        Field::Null => Value::Null,
        Field::Bool(value) => (*value).into(),
        Field::Byte(value) => (*value).into(),
        Field::Short(value) => (*value).into(),
        Field::Int(value) => (*value).into(),
        Field::Long(value) => (*value).into(),
        Field::UByte(value) => (*value).into(),
        Field::UShort(value) => (*value).into(),
        Field::UInt(value) => (*value).into(),
        Field::ULong(value) => (*value).into(),
        Field::Double(value) => serde_json::Number::from_f64(*value)?.into(),
        Field::Str(text) => text.as_str().into(),
        Field::ListInternal(list) => list.elements().iter().map(plain).collect::<Option<Vec<_>>>()?.into(),
        _ => return None,
    })
}
