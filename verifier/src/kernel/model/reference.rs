//! References: what the links of a triplet point at, and from where.
//!
//! Spec: rulings KE-30, KE-32. A reference stands under a key of the links, by itself or as an item of an array. What
//! is nested deeper, not an object, or without string type and id is not a reference.

use crate::json::{JsonPointer, NodeRef};

/// One reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// Where it stands: `/links`, the key, and the index where there is one.
    pub location: JsonPointer,
    /// The type of its target.
    pub kind: String,
    /// The id of its target.
    pub id: String,
    /// What it says of itself.
    pub relationship: Option<String>,
}

/// The references of canonical links, in their order.
pub(crate) fn references(links: NodeRef<'_>) -> Vec<Reference> {
    let root = JsonPointer::from_text("/links");
    let mut found = Vec::new();
    for (key, value) in links.members() {
        let place = root.member(&key.decode().to_text_lossy());
        if value.is_object() {
            found.extend(Reference::read(value, place));
            continue;
        }
        for (index, item) in value.elements().enumerate() {
            found.extend(Reference::read(item, place.index(index)));
        }
    }
    found
}

impl Reference {
    fn read(value: NodeRef<'_>, location: JsonPointer) -> Option<Self> {
        let (kind, id) = (text(value, "type")?, text(value, "id")?);
        Some(Self { location, kind, id, relationship: text(value, "relationship") })
    }
}

fn text(value: NodeRef<'_>, name: &str) -> Option<String> {
    value.get(name)?.as_string()?.to_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Dialect, Document};

    fn found(links: &str) -> Vec<String> {
        let document = Document::parse(links.as_bytes(), &Dialect::STRICT).expect("JSON");
        let told = |one: Reference| format!("{} {}:{} {:?}", one.location, one.kind, one.id, one.relationship);
        references(document.root()).into_iter().map(told).collect()
    }

    #[test]
    fn references_stand_under_a_key_or_in_its_array() {
        let links = r#"{
            "a/b": {"type": "t", "id": "i", "relationship": "r"},
            "k": [{"type": "t", "id": "j", "relationship": 1}, 7, [{"type": "t", "id": "deep"}], {"type": "t"},
                  {"type": "t", "id": "j", "nested": {"type": "t", "id": "deep"}}],
            "n": {"in": {"type": "t", "id": "deep"}}, "s": "t:i"
        }"#;
        let expected = ["/links/a~1b t:i Some(\"r\")", "/links/k/0 t:j None", "/links/k/4 t:j None"];
        assert_eq!(found(links), expected);
    }
}
