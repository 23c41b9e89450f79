//! Every vector, declaration and register follows its schema.
//!
//! Schemas: `contracts/interface`. The typed loader is as strict; the schema is what third parties hold files to, and the
//! two must not drift apart.

use serde_json::Value;

use super::Desk;
use crate::vector::{LAWS, System, is_case};

const REMEDY: &str = "follow the schema in contracts/interface";

pub(super) fn check(desk: &mut Desk<'_>) {
    let store = desk.store;
    let vectors: Vec<_> = store.below("vectors/").filter(|path| is_case(path)).collect();
    let laws: Vec<_> = store.below(LAWS).collect();
    let systems: Vec<_> = System::paths(store).collect();
    hold(desk, "vector", &vectors);
    hold(desk, "law", &laws);
    hold(desk, "system", &systems);
    for (schema, folder) in [("rulings", "contracts/rulings/"), ("specs", "contracts/specs/")] {
        let files: Vec<_> = store.below(folder).collect();
        hold(desk, schema, &files);
    }
}

/// Holds files to the schema of this name.
fn hold(desk: &mut Desk<'_>, name: &str, paths: &[&str]) {
    let schema = &format!("contracts/interface/{name}.schema.json");
    let Some(value) = json(desk, schema) else {
        return desk.find(schema, "", "the schema is absent or no JSON", "restore it");
    };
    let validator = match jsonschema::validator_for(&value) {
        Ok(validator) => validator,
        Err(error) => {
            let message = format!("no schema: {}", error.masked());
            return desk.find(schema, "", message, "correct the schema");
        }
    };
    for path in paths {
        // What is no JSON at all is found by the loader already.
        let Some(instance) = json(desk, path) else {
            continue;
        };
        for error in validator.iter_errors(&instance) {
            let pointer = error.instance_path().as_str();
            desk.find(path, pointer, error.masked().to_string(), REMEDY);
        }
    }
}

fn json(desk: &Desk<'_>, path: &str) -> Option<Value> {
    serde_json::from_slice(&desk.store.read(path).ok()?).ok()
}
