//! Whether a value passes the schema that a tool declares for it.
//!
//! Spec: ruling RE-36: JSON Schema 2020-12 unless `$schema` says otherwise. Both sides are somebody else's: what would cost too much is
//! not judged, and a reference that leaves the schema is never followed.

use crate::json::NodeRef;
use crate::rejection::ShapeBreach;
use crate::schema::Schema;

/// One place at which the value breaks the schema, if it does.
///
/// # Errors
/// If the schema cannot be used, or not at a bounded cost; the text says why.
pub fn breach_of_declared(schema: NodeRef<'_>, value: NodeRef<'_>) -> Result<Option<ShapeBreach>, &'static str> {
    Ok(Schema::compile_declared_for(schema.raw(), value)?.first_breach(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reply::read;

    fn judged(schema: &str, value: &str) -> Result<bool, &'static str> {
        let (schema, value) =
            (read(schema.as_bytes()).expect("a schema is JSON"), read(value.as_bytes()).expect("a value is JSON"));
        breach_of_declared(schema.root(), value.root()).map(|breach| breach.is_none())
    }

    #[test]
    fn a_value_passes_or_breaks_or_is_not_judged() {
        let town = r#"{"type": "object", "required": ["town"], "properties": {"town": {"type": "string"}}}"#;
        assert_eq!(judged(town, r#"{"town": "Bonn"}"#), Ok(true));
        assert_eq!(judged(town, r#"{"town": 7}"#), Ok(false));
        assert_eq!(judged(town, "{}"), Ok(false));
        assert!(judged(r##"{"$ref": "#"}"##, "1").is_err());
        assert!(judged(r#"{"$ref": "https://example.org/schema"}"#, "1").is_err());
        assert!(judged(r#"{"type": "nothing"}"#, "1").is_err());
    }

    #[test]
    fn what_doubles_with_every_level_is_judged_on_flat_values_alone() {
        let doubling = r##"{"anyOf": [{"type": "null"}, {"items": {"$ref": "#"}}, {"prefixItems": [{"$ref": "#"}, {"$ref": "#"}]}]}"##;
        assert_eq!(judged(doubling, "[null]"), Ok(true));
        assert!(judged(doubling, &format!("{}null{}", "[".repeat(60), "]".repeat(60))).is_err());
        assert!(judged(r#"{"uniqueItems": true}"#, &format!("[{}0]", "0,".repeat(30_000))).is_err());
    }
}
