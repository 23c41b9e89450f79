//! The verifier says what the tables of the specifications say, and nothing else: each is read here from its file, and asked about
//! row by row.
#![cfg(every_system)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "test code stops at the first surprise"
)]

#[path = "tables/authority.rs"]
mod authority;
#[path = "tables/episode.rs"]
mod episode;
#[path = "tables/kernel.rs"]
mod kernel;
#[path = "tables/reply.rs"]
mod reply;
#[path = "tables/sovereign.rs"]
mod sovereign;

use std::{env, fs, path::Path};

use serde_json::Value;

/// A document below `contracts/`.
fn document(path: &str) -> Value {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("contracts").join(path);
    serde_json::from_slice(&fs::read(file).expect("readable")).expect("JSON")
}

/// The rows of a table.
fn rows(system: &str, table: &str) -> Vec<Value> {
    document(&format!("{system}/tables/{table}.json"))["rows"].as_array().expect("rows").clone()
}

/// A column of texts.
fn texts(system: &str, table: &str, column: &str) -> Vec<String> {
    rows(system, table).iter().map(|row| text(row, column)).collect()
}

/// A cell that is a text.
fn text(row: &Value, column: &str) -> String {
    row[column].as_str().expect("a text").to_owned()
}

/// Whether a cell is a list with this text.
fn lists(row: &Value, column: &str, name: &str) -> bool {
    row[column].as_array().expect("a list").iter().any(|one| one == name)
}

/// A schema that is embedded has the rows of the tables that it repeats, and so has its file: with `ASSIZE_TABLES=update` they are
/// written into it.
fn is_laid(path: &str, embedded: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("contracts").join(path);
    if env::var("ASSIZE_TABLES").is_ok_and(|asked| asked == "update") {
        fs::write(&file, embedded).expect("written");
    }
    let stated = fs::read_to_string(file).expect("readable");
    let update = "ASSIZE_TABLES=update cargo test -p assize-verifier --test tables";
    assert_eq!(embedded, stated, "{path} repeats rows that are no longer so: {update}");
}
