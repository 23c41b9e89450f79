//! The tables of the specifications: `contracts/<system>/tables/<name>.json`.
//!
//! Schema: `contracts/interface/table.schema.json`, and for one row `<name>.schema.json` beside the table. What an operation lists
//! that is a column of a table is not listed again: its `values` name the column.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{
    source::{LoadError, read},
    store::Store,
    vector::Spec,
};

/// A table of a specification.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpecTable {
    /// What it lists.
    pub title: String,
    /// Where its rows come from.
    pub spec: Vec<Spec>,
    /// Rulings that its rows rest on besides.
    #[serde(default)]
    pub rulings: Vec<String>,
    /// Columns in which every row has another text.
    #[serde(default)]
    pub keys: Vec<String>,
    /// The rows, each with every column.
    pub rows: Vec<Map<String, Value>>,
}

/// What stands in the place of a list: the column of a table.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Column {
    /// System and name, as in `reply/types`.
    table: String,
    column: String,
}

impl SpecTable {
    /// Every table of a store.
    pub fn paths(store: &Store) -> impl Iterator<Item = &str> {
        store.below("contracts/").filter(|path| is_table(path))
    }

    /// Reads a table of a store.
    ///
    /// # Errors
    /// It is not of the shape.
    pub fn load(store: &Store, path: &str) -> Result<Self, LoadError> {
        read(store, path)
    }

    /// What stands in a column, each value once; nothing if not every row has it.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<Vec<Value>> {
        let mut cells = Vec::new();
        for row in &self.rows {
            let cell = row.get(name)?;
            if !cells.contains(cell) {
                cells.push(cell.clone());
            }
        }
        Some(cells)
    }
}

/// Whether a path is that of a table, and not of its schema.
fn is_table(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    matches!(*parts, [_, _, "tables", name] if name.ends_with(".json") && !name.ends_with(".schema.json"))
}

/// The file of a table that is named by its system and name.
fn file(table: &str) -> String {
    match table.split_once('/') {
        Some((system, name)) => format!("contracts/{system}/tables/{name}.json"),
        None => table.to_owned(),
    }
}

/// Puts the values of a column in the place of each `values` that names one. `read` gives the table of a path.
pub(crate) fn resolve(
    document: &mut Value,
    read: &impl Fn(&str) -> Result<SpecTable, LoadError>,
) -> Result<(), LoadError> {
    match document {
        Value::Array(items) => items.iter_mut().try_for_each(|item| resolve(item, read)),
        Value::Object(members) => {
            for (name, member) in members.iter_mut() {
                if name == "values" && member.is_object() {
                    *member = values(member, read)?;
                } else {
                    resolve(member, read)?;
                }
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

fn values(named: &Value, read: &impl Fn(&str) -> Result<SpecTable, LoadError>) -> Result<Value, LoadError> {
    let wrong = |message: String| LoadError::new("contracts/interface/operations/", "values", message, "name a column");
    let column = Column::deserialize(named).map_err(|error| wrong(error.to_string()))?;
    let cells = read(&file(&column.table))?.column(&column.column);
    cells.map(Value::Array).ok_or_else(|| wrong(format!("{} has no column {}", column.table, column.column)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_table_is_found_and_no_schema_is() {
        let store = Store::embedded();
        let paths: Vec<_> = SpecTable::paths(&store).collect();
        assert!(paths.len() > 20 && paths.contains(&"contracts/reply/tables/layers.json"), "{paths:?}");
        for path in paths {
            let table = SpecTable::load(&store, path).unwrap();
            assert!(!table.rows.is_empty(), "{path}");
        }
    }

    #[test]
    fn a_column_stands_in_for_a_list() {
        let table = json!({"title": "t", "spec": [], "rows": [{"a": "x", "b": 1}, {"a": "y", "b": 1}]});
        let read = |path: &str| match path {
            "contracts/s/tables/t.json" => Ok(SpecTable::deserialize(&table).unwrap()),
            _ => Err(LoadError::new(path, "the file", "no such file", "restore it")),
        };
        let resolved = |values: Value| {
            let mut document = json!({"out": [{"values": values}], "values": [1]});
            resolve(&mut document, &read).map(|()| document["out"][0]["values"].clone())
        };
        assert_eq!(resolved(json!({"table": "s/t", "column": "a"})).unwrap(), json!(["x", "y"]));
        assert_eq!(resolved(json!({"table": "s/t", "column": "b"})).unwrap(), json!([1]));
        assert_eq!(resolved(json!(["z"])).unwrap(), json!(["z"]));
        for wrong in [
            json!({"table": "s/t", "column": "c"}),
            json!({"table": "s/u", "column": "a"}),
            json!({"table": "s/t"}),
            json!({}),
        ] {
            assert!(resolved(wrong.clone()).is_err(), "{wrong}");
        }
    }
}
