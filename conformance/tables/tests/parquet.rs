//! Rows come back as they were written, and a table asks for what the same lines ask.

use std::{fs, io, path::Path, sync::Arc};

use assize_tables::{Writer, lines};
use parquet::{
    data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type},
    file::{properties::WriterProperties, writer::SerializedFileWriter},
    schema::parser::parse_message_type,
};
use serde_json::{Value, json};

fn rows() -> Vec<Value> {
    let id = "ab".repeat(32);
    let row = |number: u64| {
        json!({
            "row": number, "line": number + 1, "id": id, "kind": "pack", "paths": [format!("runs/{number}")], "verdict": "MATCH",
            "exit_code": 0, "first": null, "findings": 0, "warnings": 2, "laws": {}, "digests": {"pack": id}, "ms": 7,
        })
    };
    let mut pair = row(2);
    pair["paths"] = json!(["a", "b"]);
    pair["options"] = json!({"mode": "reference", "n": 1});
    pair["first"] = json!({"law": null, "code": "E_A", "place": "/x", "message": "ä"});
    pair["laws"] = json!({"a/b": 2, "c/d": 1});
    pair["earlier"] = json!(true);
    let mut none = row(3);
    none["kind"] = Value::Null;
    none["paths"] = json!([]);
    none["digests"] = json!({});
    none["error"] = json!("why");
    none["help"] = json!("what");
    none["exit_code"] = json!(3);
    let mut law = row(4);
    law["first"] = json!({"law": "a/b", "code": null, "place": "", "message": "m"});
    vec![row(1), pair, none, law, row(5)]
}

#[test]
fn rows_come_back_as_they_were_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.parquet");
    let mut writer = Writer::new(fs::File::create(&path).unwrap()).unwrap();
    rows().iter().for_each(|row| writer.row(row).unwrap());
    writer.finish().unwrap();
    assert_eq!(read_again(&path).unwrap(), rows());
    let mut writer = Writer::new(Vec::new()).unwrap();
    assert!(writer.row(&json!({"row": 1})).is_err());
    cut_off_anywhere(&path, |path| read_again(path).map(drop));
}

/// Groups of rows are written as they fill; nothing is lost where one ends and the next begins.
#[test]
fn more_rows_than_a_group_holds_come_back_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.parquet");
    let mut writer = Writer::new(fs::File::create(&path).unwrap()).unwrap();
    let mut due = rows().remove(1);
    for number in 1..=70_000 {
        due["row"] = json!(number);
        writer.row(&due).unwrap();
    }
    writer.finish().unwrap();
    let mut number = 0;
    let mut show = |row: Value| {
        number += 1;
        due["row"] = json!(number);
        assert_eq!(row, due);
    };
    assize_tables::rows(fs::File::open(&path).unwrap(), &mut show).unwrap();
    assert_eq!(number, 70_000);
}

fn read_again(path: &Path) -> io::Result<Vec<Value>> {
    let mut rows = Vec::new();
    assize_tables::rows(fs::File::open(path).unwrap(), &mut |row| rows.push(row)).map(|()| rows)
}

/// What is no table, or was cut off, is an error and no panic.
fn cut_off_anywhere(path: &Path, read: impl Fn(&Path) -> io::Result<()>) {
    let bytes = fs::read(path).unwrap();
    for length in (0..bytes.len()).step_by(7) {
        fs::write(path, &bytes[..length]).unwrap();
        assert!(read(path).is_err(), "{length}");
    }
}

#[test]
fn a_table_asks_for_what_its_rows_say() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.parquet");
    let schema =
        "message m { optional binary kind (STRING); optional binary path2 (STRING); required binary path (STRING);
        optional int64 n; optional binary options (JSON); }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let mut writer =
        SerializedFileWriter::new(fs::File::create(&path).unwrap(), schema, Arc::new(WriterProperties::default()))
            .unwrap();
    let mut group = writer.next_row_group().unwrap();
    let text = |text: &str| ByteArray::from(text);
    for (values, levels) in [
        (vec![text("pair"), text("pack")], Some(vec![1, 1, 0])),
        (vec![text("b")], Some(vec![1, 0, 0])),
        (vec![text("a"), text("c"), text("d")], None),
    ] {
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<ByteArrayType>().write_batch(&values, levels.as_deref(), None).unwrap();
        column.close().unwrap();
    }
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<Int64Type>().write_batch(&[5], Some(&[0, 1, 0]), None).unwrap();
    column.close().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    let options = [text("{\"mode\":\n\"law\"}"), text(r#"{"n":6}"#), text("[]")];
    column.typed::<ByteArrayType>().write_batch(&options, Some(&[1, 1, 1]), None).unwrap();
    column.close().unwrap();
    group.close().unwrap();
    writer.close().unwrap();
    let mut written = Vec::new();
    assert_eq!(lines(fs::File::open(&path).unwrap(), &mut written).unwrap(), 3);
    let due = [
        r#"{"kind":"pair","paths":["a","b"],"options":{"mode": "law"}}"#,
        // What is given twice stands there twice, and is refused by whoever reads the line.
        r#"{"kind":"pack","paths":["c"],"options":{"n":5,"n":6}}"#,
        r#"{"paths":["d"],"options":"[]"}"#,
    ];
    assert_eq!(String::from_utf8(written).unwrap().lines().collect::<Vec<_>>(), due);
    cut_off_anywhere(&path, |path| lines(fs::File::open(path).unwrap(), &mut Vec::new()).map(drop));
}

/// A table that is made of columns: kind and path of all rows, and numbers.
fn numbered(path: &Path, rows: usize, long: &str, number: f64) {
    let schema = "message m { required binary kind (STRING); required binary path (STRING); required double n; }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let properties = Arc::new(WriterProperties::default());
    let mut writer = SerializedFileWriter::new(fs::File::create(path).unwrap(), schema, properties).unwrap();
    let mut group = writer.next_row_group().unwrap();
    for text in ["pack", long] {
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<ByteArrayType>().write_batch(&vec![ByteArray::from(text); rows], None, None).unwrap();
        column.close().unwrap();
    }
    let mut column = group.next_column().unwrap().unwrap();
    let mut numbers = vec![1.5; rows];
    numbers[0] = number;
    column.typed::<DoubleType>().write_batch(&numbers, None, None).unwrap();
    column.close().unwrap();
    group.close().unwrap();
    writer.close().unwrap();
}

#[test]
fn a_number_that_json_does_not_have_is_wrong_with_its_line_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.parquet");
    for number in [f64::NAN, f64::INFINITY] {
        numbered(&path, 2, "a", number);
        let mut written = Vec::new();
        assert_eq!(lines(fs::File::open(&path).unwrap(), &mut written).unwrap(), 2);
        let written = String::from_utf8(written).unwrap();
        let read: Vec<_> = written.lines().map(serde_json::from_str::<Value>).collect();
        assert!(read[0].is_err(), "{written}");
        assert_eq!(read[1].as_ref().unwrap(), &json!({"kind": "pack", "paths": ["a"], "options": {"n": 1.5}}));
    }
}

/// A text that all rows have stands once in a table and in each line.
#[test]
fn a_table_whose_lines_have_no_end_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.parquet");
    numbered(&path, 3_000, &"x".repeat(100_000), 1.5);
    assert!(fs::metadata(&path).unwrap().len() < 200_000);
    let error = lines(fs::File::open(&path).unwrap(), &mut io::sink()).unwrap_err();
    assert!(error.to_string().contains("more than a table of its size may hold"), "{error}");
    numbered(&path, 2_000, &"x".repeat(100_000), 1.5);
    assert_eq!(lines(fs::File::open(&path).unwrap(), &mut io::sink()).unwrap(), 2_000);
}
