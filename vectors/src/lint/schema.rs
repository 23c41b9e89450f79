//! Every vector, declaration, register and table follows its schema.
//!
//! Schemas: `contracts/interface`. The typed loader is as strict; the schema is what third parties hold files to, and the
//! two must not drift apart.

use std::collections::BTreeSet;

use jsonschema::Validator;
use serde_json::Value;

use super::Linter;
use crate::{
    table::SpecTable,
    vector::{LAWS, System, is_case},
};

const REMEDY: &str = "follow the schema in contracts/interface";

pub(super) fn check(linter: &mut Linter<'_>) {
    let store = linter.store;
    let vectors: Vec<_> = store.below("vectors/").filter(|path| is_case(path)).collect();
    let laws: Vec<_> = store.below(LAWS).collect();
    let systems: Vec<_> = System::paths(store).collect();
    hold(linter, "vector", &vectors);
    hold(linter, "law", &laws);
    hold(linter, "system", &systems);
    tables(linter);
    for (schema, folder) in [("rulings", "contracts/rulings/"), ("specs", "contracts/specs/")] {
        let files: Vec<_> = store.below(folder).collect();
        hold(linter, schema, &files);
    }
}

/// Holds tables to the schema of all tables, and each row to the schema beside its table.
fn tables(linter: &mut Linter<'_>) {
    let paths: Vec<_> = SpecTable::paths(linter.store).collect();
    hold(linter, "table", &paths);
    for path in paths {
        let schema = path.trim_end_matches(".json").to_owned() + ".schema.json";
        let (Some(validator), Some(table)) = (validator(linter, &schema), json(linter, path)) else { continue };
        let rows = table.get("rows").and_then(Value::as_array).into_iter().flatten();
        for (index, row) in rows.enumerate() {
            for error in validator.iter_errors(row) {
                let pointer = format!("/rows/{index}{}", error.instance_path().as_str());
                linter.find(path, &pointer, error.masked().to_string(), "follow the schema beside the table");
            }
        }
        keys(linter, path, &table);
    }
}

/// The columns among the keys of a table have another text in every row.
fn keys(linter: &mut Linter<'_>, path: &str, table: &Value) {
    let rows = || table.get("rows").and_then(Value::as_array).into_iter().flatten();
    for key in table.get("keys").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
        let texts: BTreeSet<_> = rows().filter_map(|row| row.get(key)?.as_str()).collect();
        if texts.len() < rows().count() {
            let message = format!("{key} has not another text in every row");
            linter.find(path, "/keys", message, "give each row its own, or leave the column out of the keys");
        }
    }
}

/// The schema of this path.
fn validator(linter: &mut Linter<'_>, schema: &str) -> Option<Validator> {
    let Some(value) = json(linter, schema) else {
        linter.find(schema, "", "the schema is absent or no JSON", "restore it");
        return None;
    };
    match jsonschema::validator_for(&value) {
        Ok(validator) => Some(validator),
        Err(error) => {
            let message = format!("no schema: {}", error.masked());
            linter.find(schema, "", message, "correct the schema");
            None
        }
    }
}

/// Holds files to the schema of this name.
fn hold(linter: &mut Linter<'_>, name: &str, paths: &[&str]) {
    let Some(validator) = validator(linter, &format!("contracts/interface/{name}.schema.json")) else { return };
    for path in paths {
        // What is not JSON at all is found by the loader already.
        let Some(instance) = json(linter, path) else {
            continue;
        };
        for error in validator.iter_errors(&instance) {
            let pointer = error.instance_path().as_str();
            linter.find(path, pointer, error.masked().to_string(), REMEDY);
        }
    }
}

fn json(linter: &Linter<'_>, path: &str) -> Option<Value> {
    serde_json::from_slice(&linter.store.read(path).ok()?).ok()
}
