//! Whether a value passes the schema that a tool declares for it.
//!
//! Spec: ruling RE-36: JSON Schema 2020-12 unless `$schema` says otherwise. Both sides are somebody else's: what would cost too much is
//! not judged, and a reference that leaves the schema is never followed.

use crate::json::NodeRef;
use crate::rejection::ShapeBreach;
use crate::schema::Schema;

/// What a schema is that a tool declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Declared {
    /// It can be applied to small values.
    Usable,
    /// It is no schema: one place at which it breaks the meta-schema of its dialect.
    Broken(ShapeBreach),
    /// It is not applied here, with the reason; nothing is said against it.
    Unapplied(&'static str),
}

/// Whether a declared schema is one, and whether it is applied.
pub fn declared(schema: NodeRef<'_>) -> Declared {
    match Schema::breach_of_meta(schema) {
        Err(why) => Declared::Unapplied(why),
        Ok(Some(breach)) => Declared::Broken(breach),
        Ok(None) => Schema::compile_declared(schema.raw()).map_or_else(Declared::Unapplied, |_| Declared::Usable),
    }
}

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
    fn what_is_no_schema_is_told_from_what_is_not_applied() {
        let of = |schema: &str| declared(read(schema.as_bytes()).expect("a schema is JSON").root());
        for usable in ["true", r#"{"type": "object"}"#, r#"{"pattern": "^[a-z]+$"}"#] {
            assert_eq!(of(usable), Declared::Usable, "{usable}");
        }
        for broken in [r#"{"type": "nothing"}"#, "7", r#"{"properties": {"a": 1}}"#, r#"{"$schema": 1}"#] {
            assert!(matches!(of(broken), Declared::Broken(_)), "{broken}: {:?}", of(broken));
        }
        let drafts = [
            "http://json-schema.org/draft-04/schema#",
            "http://json-schema.org/draft-06/schema#",
            "http://json-schema.org/draft-07/schema#",
            "https://json-schema.org/draft/2019-09/schema",
            "https://json-schema.org/draft/2020-12/schema",
        ];
        let lookahead = r"^(?!\\.)[a-z]+$";
        for draft in drafts {
            let with = |rest: &str| format!(r#"{{"$schema": "{draft}", {rest}}}"#);
            assert_eq!(of(&with(r#""type": "object""#)), Declared::Usable, "{draft}");
            let broken = of(&with(r#""properties": {"a": {"type": "nothing"}}"#));
            assert!(
                matches!(&broken, Declared::Broken(at) if at.pointer.as_str() == "/properties/a/type"),
                "{broken:?}"
            );
            for pattern in [lookahead, "^.{1,500000}$", "["] {
                let of = of(&with(&format!(r#""items": {{"pattern": "{pattern}"}}"#)));
                assert!(matches!(of, Declared::Unapplied(_)), "{draft}, {pattern}: {of:?}");
            }
        }
        for other in [
            r#"{"$schema": "https://example.org/dialect", "type": "object"}"#,
            r#"{"properties": {"a": {"$ref": "https://example.org/schema"}}}"#,
            r#"{"properties": {"a": {"items": {"$ref": "other.json"}}}}"#,
            r##"{"$ref": "#"}"##,
        ] {
            assert!(matches!(of(other), Declared::Unapplied(_)), "{other}: {:?}", of(other));
        }
    }

    #[test]
    fn what_doubles_with_every_level_is_judged_on_flat_values_alone() {
        let doubling = r##"{"anyOf": [{"type": "null"}, {"items": {"$ref": "#"}}, {"prefixItems": [{"$ref": "#"}, {"$ref": "#"}]}]}"##;
        assert_eq!(judged(doubling, "[null]"), Ok(true));
        assert!(judged(doubling, &format!("{}null{}", "[".repeat(60), "]".repeat(60))).is_err());
        assert!(judged(r#"{"uniqueItems": true}"#, &format!("[{}0]", "0,".repeat(30_000))).is_err());
    }
}
