//! Whether a schema that somebody declared is one: by the meta-schema of its dialect, and by nothing else.
//!
//! Formats are not asked: whether a pattern is an expression depends on the engine that reads it.

use std::sync::LazyLock;

use jsonschema::Draft;

use super::{MOST_NODES, Schema, extent, instance::ArenaJson};
use crate::json::NodeRef;
use crate::rejection::ShapeBreach;

/// The dialects, each with its meta-schema.
static DIALECTS: [(Draft, LazyLock<Schema>); 5] = [
    (Draft::Draft4, LazyLock::new(|| of("http://json-schema.org/draft-04/schema#"))),
    (Draft::Draft6, LazyLock::new(|| of("http://json-schema.org/draft-06/schema#"))),
    (Draft::Draft7, LazyLock::new(|| of("http://json-schema.org/draft-07/schema#"))),
    (Draft::Draft201909, LazyLock::new(|| of("https://json-schema.org/draft/2019-09/schema"))),
    (Draft::Draft202012, LazyLock::new(|| of("https://json-schema.org/draft/2020-12/schema"))),
];

fn of(uri: &str) -> Schema {
    let options = jsonschema::options_for::<ArenaJson>().should_validate_formats(false);
    Schema(options.offline().build(&serde_json::json!({"$schema": uri, "$ref": uri})).ok())
}

impl Schema {
    /// One place at which a declared schema breaks the meta-schema of its dialect: 2020-12 unless `$schema` says otherwise.
    ///
    /// # Errors
    /// If it is too large or too deep to be held to one, or is of a dialect that is not known here.
    pub(crate) fn breach_of_meta(schema: NodeRef<'_>) -> Result<Option<ShapeBreach>, &'static str> {
        let (_, nodes) = extent(schema);
        if nodes > MOST_NODES {
            return Err("it is too large");
        }
        let value: serde_json::Value = serde_json::from_slice(schema.raw()).map_err(|_| "it is nested too deeply")?;
        let draft = Draft::default().detect(&value);
        let (_, meta) = DIALECTS.iter().find(|(known, _)| *known == draft).ok_or("its `$schema` is not known")?;
        Ok(meta.first_breach(schema))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_meta_schema_compiles() {
        assert!(DIALECTS.iter().all(|(_, meta)| meta.is_usable()));
    }
}
