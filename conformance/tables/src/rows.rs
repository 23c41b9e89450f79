//! Rows of results, written as they come.

use std::{
    io::{self, Write},
    mem,
    sync::Arc,
};

use parquet::{
    basic::Compression,
    data_type::{BoolType, ByteArray, ByteArrayType, DataType, Int32Type, Int64Type},
    errors::ParquetError,
    file::{properties::WriterProperties, writer::SerializedFileWriter},
    schema::parser::parse_message_type,
};
use serde_json::{Map, Value};

/// What a row has. Options are JSON as the line gave it, since their values are of any type.
pub const SCHEMA: &str = "message row {
  required int64 row;
  required int64 line;
  required binary id (STRING);
  optional binary kind (STRING);
  required group paths (LIST) { repeated group list { required binary element (STRING); } }
  optional binary options (JSON);
  required binary verdict (STRING);
  required int32 exit_code;
  optional group first {
    optional binary law (STRING);
    optional binary code (STRING);
    required binary place (STRING);
    required binary message (STRING);
  }
  required int64 findings;
  required int64 warnings;
  required group laws (MAP) { repeated group key_value { required binary key (STRING); required int64 value; } }
  required group digests (MAP) {
    repeated group key_value { required binary key (STRING); required binary value (STRING); }
  }
  optional binary error (STRING);
  optional binary help (STRING);
  required boolean earlier;
  required int64 ms;
}";

/// Rows of one group, and bytes of what they hold.
const ROWS: usize = 65_536;
const BYTES: usize = 64 << 20;

/// Writes rows to a file. Nothing of it can be read before [`Writer::finish`].
pub struct Writer<W: Write + Send> {
    file: SerializedFileWriter<W>,
    rows: usize,
    bytes: usize,
    /// Bytes with which a group is written.
    most: usize,
    longs: [Column<Int64Type>; 6],
    texts: [Column<ByteArrayType>; 14],
    exit_codes: Column<Int32Type>,
    earlier: Column<BoolType>,
}

/// Columns by their type; the order is that of [`SCHEMA`].
#[derive(Clone, Copy)]
enum At {
    Long(usize),
    Text(usize),
    ExitCode,
    Earlier,
}

use At::{Earlier, ExitCode, Long, Text};

const COLUMNS: [At; 22] = [
    Long(0),
    Long(1),
    Text(0),
    Text(1),
    Text(2),
    Text(3),
    Text(4),
    ExitCode,
    Text(5),
    Text(6),
    Text(7),
    Text(8),
    Long(2),
    Long(3),
    Text(9),
    Long(4),
    Text(10),
    Text(11),
    Text(12),
    Text(13),
    Earlier,
    Long(5),
];

impl<W: Write + Send> Writer<W> {
    /// Begins a file.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn new(to: W) -> io::Result<Self> {
        let schema = parse_message_type(SCHEMA).map_err(failed)?;
        let properties =
            WriterProperties::builder().set_compression(Compression::SNAPPY).set_created_by("assize".to_owned());
        let file = SerializedFileWriter::new(to, Arc::new(schema), Arc::new(properties.build())).map_err(failed)?;
        let (longs, texts) = (Default::default(), Default::default());
        let (exit_codes, earlier) = (Column::default(), Column::default());
        Ok(Self { file, rows: 0, bytes: 0, most: BYTES, longs, texts, exit_codes, earlier })
    }

    /// Adds a row, as a line of results has it.
    ///
    /// # Errors
    /// It is not of the shape of a row, or cannot be written.
    pub fn row(&mut self, row: &Value) -> io::Result<()> {
        let long = |name: &str| row.get(name).and_then(Value::as_i64).ok_or_else(|| unlike(name));
        let text = |name: &str| row.get(name).and_then(Value::as_str);
        let needed = |name: &str| text(name).ok_or_else(|| unlike(name));
        let object = |name: &str| row.get(name).and_then(Value::as_object).ok_or_else(|| unlike(name));
        let [row_number, line, findings, warnings, laws, ms] = &mut self.longs;
        row_number.one(long("row")?);
        line.one(long("line")?);
        findings.one(long("findings")?);
        warnings.one(long("warnings")?);
        ms.one(long("ms")?);
        let [id, kind, paths, options, verdict, first @ .., law, document, digest, error, help] = &mut self.texts;
        id.one(needed("id")?.into());
        kind.optional(1, text("kind").map(ByteArray::from));
        let listed = row.get("paths").and_then(Value::as_array).ok_or_else(|| unlike("paths"))?;
        paths.many(listed.iter().map(|path| path.as_str().unwrap_or_default().into()));
        options.optional(1, row.get("options").map(|options| options.to_string().into_bytes().into()));
        verdict.one(needed("verdict")?.into());
        let exit_code = i32::try_from(long("exit_code")?).map_err(|_| unlike("exit_code"))?;
        self.exit_codes.one(exit_code);
        let finding = row.get("first").and_then(Value::as_object);
        for ((name, most), column) in [("law", 2), ("code", 2), ("place", 1), ("message", 1)].into_iter().zip(first) {
            let value = finding.map(|finding| finding.get(name).and_then(Value::as_str).map(ByteArray::from));
            column.nested(most, value);
        }
        let counts = object("laws")?;
        law.many(keys(counts));
        laws.many(counts.values().map(|count| count.as_i64().unwrap_or(i64::MAX)));
        let digests = object("digests")?;
        document.many(keys(digests));
        digest.many(digests.values().map(|digest| digest.as_str().unwrap_or_default().into()));
        error.optional(1, text("error").map(ByteArray::from));
        help.optional(1, text("help").map(ByteArray::from));
        self.earlier.one(row.get("earlier").and_then(Value::as_bool).unwrap_or(false));
        self.rows += 1;
        self.bytes += held(row);
        if self.rows == ROWS || self.bytes >= self.most { self.flush() } else { Ok(()) }
    }

    /// Ends the file, and gives back where it was written to.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        self.flush()?;
        self.file.into_inner().map_err(failed)
    }

    fn flush(&mut self) -> io::Result<()> {
        if mem::take(&mut self.rows) == 0 {
            return Ok(());
        }
        self.bytes = 0;
        let mut group = self.file.next_row_group().map_err(failed)?;
        for at in COLUMNS {
            let mut writer = group.next_column().map_err(failed)?.ok_or_else(|| unlike("columns"))?;
            match at {
                Long(at) => self.longs.get_mut(at).map(|column| column.write(writer.typed())),
                Text(at) => self.texts.get_mut(at).map(|column| column.write(writer.typed())),
                ExitCode => Some(self.exit_codes.write(writer.typed())),
                Earlier => Some(self.earlier.write(writer.typed())),
            }
            .unwrap_or_else(|| Err(unlike("columns")))?;
            writer.close().map_err(failed)?;
        }
        group.close().map(drop).map_err(failed)
    }
}

/// Bytes that a value takes, by and large: texts and names, and for each value what its place, its level and its length do.
fn held(value: &Value) -> usize {
    const EACH: usize = 48;
    EACH + match value {
        Value::String(text) => text.len(),
        Value::Array(values) => values.iter().map(held).sum(),
        Value::Object(members) => members.iter().map(|(name, value)| name.len() + held(value)).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    }
}

fn keys(object: &Map<String, Value>) -> impl Iterator<Item = ByteArray> {
    object.keys().map(|key| key.as_str().into())
}

fn failed(error: ParquetError) -> io::Error {
    io::Error::other(error)
}

fn unlike(name: &str) -> io::Error {
    io::Error::other(format!("the member {name:?} is not that of a row"))
}

/// Values of one column, and to which row and how deep each belongs.
struct Column<T: DataType> {
    values: Vec<T::T>,
    definitions: Vec<i16>,
    repetitions: Vec<i16>,
}

impl<T: DataType> Default for Column<T> {
    fn default() -> Self {
        Self { values: Vec::new(), definitions: Vec::new(), repetitions: Vec::new() }
    }
}

impl<T: DataType> Column<T> {
    /// A value that every row has.
    fn one(&mut self, value: T::T) {
        self.values.push(value);
    }

    /// A value that a row may lack.
    fn optional(&mut self, most: i16, value: Option<T::T>) {
        self.definitions.push(if value.is_some() { most } else { most - 1 });
        self.values.extend(value);
    }

    /// A value of a group that a row may lack.
    fn nested(&mut self, most: i16, value: Option<Option<T::T>>) {
        match value {
            None => self.definitions.push(0),
            Some(value) => self.optional(most, value),
        }
    }

    /// Any number of values.
    fn many(&mut self, values: impl Iterator<Item = T::T>) {
        let before = self.values.len();
        self.values.extend(values);
        let count = self.values.len() - before;
        self.definitions.extend(std::iter::repeat_n(i16::from(count > 0), count.max(1)));
        self.repetitions.extend((0..count.max(1)).map(|number| i16::from(number > 0)));
    }

    fn write(&mut self, to: &mut parquet::column::writer::ColumnWriterImpl<'_, T>) -> io::Result<()> {
        let levels = |levels: &[i16]| (!levels.is_empty()).then(|| levels.to_vec());
        let (definitions, repetitions) = (levels(&self.definitions), levels(&self.repetitions));
        to.write_batch(&self.values, definitions.as_deref(), repetitions.as_deref()).map_err(failed)?;
        *self = Self::default();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Whatever is long in a row, a group ends with it.
    #[test]
    fn all_that_a_row_holds_counts() {
        let plain = json!({
            "row": 1, "line": 1, "id": "", "kind": "", "paths": [], "verdict": "", "exit_code": 0, "findings": 0, "warnings": 0,
            "first": {"law": "", "code": "", "place": "", "message": ""}, "laws": {}, "digests": {}, "ms": 0,
        });
        let groups = |row: &Value| {
            let mut writer = Writer { most: 10_000, ..Writer::new(Vec::new()).unwrap() };
            writer.row(row).unwrap();
            (writer.rows, writer.bytes > 0)
        };
        assert_eq!(groups(&plain), (1, true));
        let long = "x".repeat(10_000);
        let few: Vec<_> = (0..300).map(|_| "").collect();
        let laws: Value = (0..300).map(|number| (number.to_string(), json!(1))).collect();
        for (place, value) in [
            ("/kind", json!(long)),
            ("/paths", json!([long])),
            ("/paths", json!(few)),
            ("/options", json!({"a": [long]})),
            ("/first/law", json!(long)),
            ("/first/place", json!(long)),
            ("/first/message", json!(long)),
            ("/laws", json!({&long: 1})),
            ("/laws", laws),
            ("/digests", json!({"a": long})),
            ("/error", json!(long)),
            ("/help", json!(long)),
        ] {
            let mut row = plain.clone();
            match row.pointer_mut(place) {
                Some(member) => *member = value,
                None => row[place.trim_start_matches('/')] = value,
            }
            assert_eq!(groups(&row), (0, false), "{place}");
        }
    }
}
