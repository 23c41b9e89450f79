//! Every vector, declaration and register follows its schema.
//!
//! Schemas: `contracts/interface`. The typed loader is as strict; the schema is what third parties hold files to, and the
//! two must not drift apart.

use serde_json::Value;

use super::Linter;
use crate::vector::{LAWS, System, is_case};

const REMEDY: &str = "follow the schema in contracts/interface";

pub(super) fn check(linter: &mut Linter<'_>) {
    let store = linter.store;
    let vectors: Vec<_> = store.below("vectors/").filter(|path| is_case(path)).collect();
    let laws: Vec<_> = store.below(LAWS).collect();
    let systems: Vec<_> = System::paths(store).collect();
    hold(linter, "vector", &vectors);
    hold(linter, "law", &laws);
    hold(linter, "system", &systems);
    for (schema, folder) in [("rulings", "contracts/rulings/"), ("specs", "contracts/specs/")] {
        let files: Vec<_> = store.below(folder).collect();
        hold(linter, schema, &files);
    }
}

/// Holds files to the schema of this name.
fn hold(linter: &mut Linter<'_>, name: &str, paths: &[&str]) {
    let schema = &format!("contracts/interface/{name}.schema.json");
    let Some(value) = json(linter, schema) else {
        return linter.find(schema, "", "the schema is absent or no JSON", "restore it");
    };
    let validator = match jsonschema::validator_for(&value) {
        Ok(validator) => validator,
        Err(error) => {
            let message = format!("no schema: {}", error.masked());
            return linter.find(schema, "", message, "correct the schema");
        }
    };
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
