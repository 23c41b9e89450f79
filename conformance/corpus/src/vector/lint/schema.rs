//! Every vector, manifest and register follows its schema.
//!
//! Schemas: `contracts/interface`. The typed loader is as strict; the schema is what third parties hold files to, and the
//! two must not drift apart.

use serde_json::Value;

use super::{Desk, ERRATA};
use crate::vector::is_case;

const REMEDY: &str = "follow the schema in contracts/interface";

pub(super) fn check(desk: &mut Desk<'_>) {
    let store = desk.store;
    let vectors: Vec<_> = store
        .below("vectors/")
        .filter(|path| is_case(path))
        .collect();
    hold(desk, "contracts/interface/vector.schema.json", &vectors);
    let manifests = store
        .below("vectors/")
        .filter(|path| path.ends_with("/law.json"));
    let laws: Vec<_> = manifests.chain(store.below("contracts/laws/")).collect();
    hold(desk, "contracts/interface/law.schema.json", &laws);
    hold(desk, "contracts/interface/errata.schema.json", &[ERRATA]);
}

fn hold(desk: &mut Desk<'_>, schema: &str, paths: &[&str]) {
    let Some(value) = json(desk, schema) else {
        return desk.find(schema, "", "the schema is absent or no JSON", "restore it");
    };
    let validator = match jsonschema::validator_for(&value) {
        Ok(validator) => validator,
        Err(error) => {
            return desk.find(
                schema,
                "",
                format!("no schema: {}", error.masked()),
                "correct the schema",
            );
        }
    };
    for path in paths {
        // What is no JSON at all is found by the loader already.
        let Some(instance) = json(desk, path) else {
            continue;
        };
        for error in validator.iter_errors(&instance) {
            desk.find(
                path,
                error.instance_path().as_str(),
                error.masked().to_string(),
                REMEDY,
            );
        }
    }
}

fn json(desk: &Desk<'_>, path: &str) -> Option<Value> {
    serde_json::from_slice(&desk.store.read(path).ok()?).ok()
}
