//! What somebody else's schema can cost: references may lead in a circle, or double from one definition to the next.
//!
//! Subschemas that are applied to the same value are followed; one that is applied below it costs a level. A schema has a
//! price if every path through it ends, within the levels that a value can have.

use std::collections::HashMap;

use serde_json::Value;

/// Levels below which a value has nothing that a schema could be applied to.
const LEVELS: usize = 4;
/// Subschemas that may be applied in all.
const MOST: u64 = 100_000;
/// Subschemas within subschemas.
const DEEPEST: usize = 256;

/// Whether a schema can be applied to a small value at a bounded cost. References that leave the document cannot.
pub(super) fn is_bounded(schema: &Value) -> bool {
    price(schema, LEVELS).is_some()
}

/// How many subschemas are applied to a value of so many levels at most; none where that is not bounded.
pub(super) fn price(schema: &Value, levels: usize) -> Option<u64> {
    let mut prices = Prices { root: schema, known: HashMap::new() };
    prices.of(schema, levels, 0).filter(|price| *price <= MOST)
}

struct Prices<'s> {
    root: &'s Value,
    /// By address and levels left; none while the price is being found, so that a circle is seen.
    known: HashMap<(*const Value, usize), Option<u64>>,
}

impl<'s> Prices<'s> {
    fn of(&mut self, schema: &'s Value, levels: usize, depth: usize) -> Option<u64> {
        let Value::Object(members) = schema else { return Some(1) };
        if depth > DEEPEST {
            return None;
        }
        let place = (std::ptr::from_ref(schema), levels);
        if let Some(price) = self.known.get(&place) {
            return *price;
        }
        self.known.insert(place, None);
        let mut price: u64 = 1;
        for (name, value) in members {
            price = price.checked_add(self.member(name, value, levels, depth + 1)?).filter(|price| *price <= MOST)?;
        }
        self.known.insert(place, Some(price));
        Some(price)
    }

    fn member(&mut self, name: &str, value: &'s Value, levels: usize, depth: usize) -> Option<u64> {
        match name {
            "$ref" => {
                let pointer = value.as_str()?.strip_prefix('#')?;
                let root = self.root;
                self.of(root.pointer(pointer)?, levels, depth)
            }
            "$dynamicRef" | "$recursiveRef" => None,
            // Data, or reached by reference alone.
            "const" | "enum" | "default" | "examples" | "$defs" | "definitions" => Some(0),
            "allOf" | "anyOf" | "oneOf" | "dependentSchemas" | "dependencies" => self.each(value, levels, depth),
            "not" | "if" | "then" | "else" => self.of(value, levels, depth),
            "properties" | "patternProperties" | "prefixItems" => match levels.checked_sub(1) {
                Some(levels) => self.each(value, levels, depth),
                None => Some(0),
            },
            _ => match levels.checked_sub(1) {
                Some(levels) if value.is_array() => self.each(value, levels, depth),
                Some(levels) => self.of(value, levels, depth),
                None => Some(0),
            },
        }
    }

    fn each(&mut self, held: &'s Value, levels: usize, depth: usize) -> Option<u64> {
        let values: Box<dyn Iterator<Item = &'s Value>> = match held {
            Value::Array(elements) => Box::new(elements.iter()),
            Value::Object(members) => Box::new(members.values()),
            _ => return Some(0),
        };
        let mut price: u64 = 0;
        for value in values {
            price = price.checked_add(self.of(value, levels, depth + 1)?)?;
        }
        Some(price)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn circles_and_doublings_have_no_price() {
        assert!(!is_bounded(&json!({"$ref": "#"})));
        assert!(!is_bounded(&json!({"$ref": "#/$defs/a", "$defs": {"a": {"allOf": [{"$ref": "#/$defs/a"}]}}})));
        assert!(!is_bounded(&json!({"$ref": "https://example.org/schema"})));
        let mut defs = serde_json::Map::new();
        for n in 0..40 {
            let next = json!({"$ref": format!("#/$defs/d{}", n + 1)});
            defs.insert(format!("d{n}"), json!({"anyOf": [next.clone(), next]}));
        }
        defs.insert("d40".to_owned(), json!({}));
        assert!(!is_bounded(&json!({"$ref": "#/$defs/d0", "$defs": defs})));
    }

    #[test]
    fn references_downwards_end_with_the_value() {
        let tree =
            json!({"$defs": {"node": {"properties": {"next": {"$ref": "#/$defs/node"}}}}, "$ref": "#/$defs/node"});
        assert!(is_bounded(&tree));
    }
}
