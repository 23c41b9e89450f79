//! Every vector, manifest and register follows its schema.
//!
//! Schemas: `contracts/interface`. The typed loader is as strict; the schema is what third parties hold files to, and the
//! two must not drift apart.

use serde_json::Value;

use super::Desk;
use crate::vector::is_case;

const REMEDY: &str = "follow the schema in contracts/interface";

pub(super) fn check(desk: &mut Desk<'_>) {
    let store = desk.store;
    let vectors: Vec<_> = store.below("vectors/").filter(|path| is_case(path)).collect();
    let manifests: Vec<_> = store.below("vectors/").filter(|path| path.ends_with("/law.json")).collect();
    let laws: Vec<_> = store.below("contracts/laws/").collect();
    hold(desk, "contracts/interface/vector.schema.json", None, &vectors);
    hold(desk, LAW, Some("Manifest"), &manifests);
    hold(desk, LAW, Some("System"), &laws);
    for (schema, folder) in [("rulings", "contracts/rulings/"), ("specs", "contracts/specs/")] {
        let files: Vec<_> = store.below(folder).collect();
        hold(desk, &format!("contracts/interface/{schema}.schema.json"), None, &files);
    }
}

const LAW: &str = "contracts/interface/law.schema.json";

/// `part`: the definition that applies, where a schema offers several; errors are then located, and not only "none fits".
fn hold(desk: &mut Desk<'_>, schema: &str, part: Option<&str>, paths: &[&str]) {
    let Some(mut value) = json(desk, schema) else {
        return desk.find(schema, "", "the schema is absent or no JSON", "restore it");
    };
    if let (Some(part), Some(members)) = (part, value.as_object_mut()) {
        members.remove("oneOf");
        members.insert("$ref".to_owned(), Value::from(format!("#/$defs/{part}")));
    }
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
