//! kernel/canonical-form: a member of a triplet is stored and hashed in its one canonical spelling.
//!
//! Spec: Kernel v1 Requirements Pack, Law 4 and Spec-002, 2; rulings KE-17, KE-18, KE-34: code point order, no line
//! feed, integers of any size, and neither floats, `-0` nor lone surrogates.

use crate::canon::{CanonError, CanonicalBytes, Profile, canonicalize};
use crate::json::{JsonPointer, JsonStr, NodeRef};
use crate::kernel::model::issue::{Issue, Stage};
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("kernel/canonical-form");

/// The canonical form of the JSON text of a value that stands at `place`.
pub(crate) fn canonical(text: &[u8], place: &JsonPointer) -> Result<CanonicalBytes, Issue> {
    canonicalize(Profile::Sovereign, text).map_err(|error| {
        let inside = match &error {
            CanonError::Json(error) => &error.pointer,
            CanonError::Value { pointer, .. } => pointer,
        };
        formless(place.below(inside))
    })
}

/// An issue for every value in one that stands at `place` and has no canonical form; a name without one counts as its value.
pub(crate) fn without_form(value: NodeRef<'_>, place: JsonPointer) -> Vec<Issue> {
    let mut found = Vec::new();
    let mut pending = vec![(value, place)];
    while let Some((value, place)) = pending.pop() {
        let lone = |text: &JsonStr<'_>| text.to_str().is_none();
        for (name, member) in value.members() {
            let name = name.decode();
            let place = place.member(&name.to_text_lossy());
            if lone(&name) {
                found.push(formless(place.clone()));
            }
            pending.push((member, place));
        }
        pending.extend(value.elements().enumerate().map(|(index, element)| (element, place.index(index))));
        let banned = value.as_number().is_some_and(|number| number.is_banned());
        if banned || value.as_string().as_ref().is_some_and(lone) {
            found.push(formless(place));
        }
    }
    found
}

fn formless(place: JsonPointer) -> Issue {
    Issue::fail(Stage::Determinism, "E_CANONICALIZATION_ERROR", place)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(text: &str) -> Result<String, String> {
        canonical(text.as_bytes(), &JsonPointer::from_text("/body"))
            .map(|bytes| bytes.digest().to_hex())
            .map_err(|issue| format!("{} {} {}", issue.stage.name(), issue.code, issue.location))
    }

    #[test]
    fn digests_are_the_check_values() {
        for (text, digest) in [
            (" { } ", "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"),
            (
                r#"{"id": "inv:one", "dto_type": "invocation"}"#,
                "12153c7925e56d1c960bc4cedc011e530ecbfe9e3c0a37c30645f238fbfb7629",
            ),
            (
                r#"{"declares": {"type": "skill", "relationship": "declares", "id": "skill:alpha"}}"#,
                "94be0e4b6eede94d0c1b363bd8bee8a871abde2ea78616f4ce6c37e155a27599",
            ),
            (r#"{"n":9007199254740993}"#, "4ac8309cc76123ef6c5325ef925fc873e9b5856ec4f844ef1462f9303960378a"),
        ] {
            assert_eq!(form(text).as_deref(), Ok(digest), "{text}");
        }
    }

    #[test]
    fn what_has_no_canonical_form_is_refused_where_it_stands() {
        for (text, place) in [
            (r#"{"a": [0, 1.0]}"#, "/body/a/1"),
            (r#"{"a": 1e2}"#, "/body/a"),
            (r#"{"a/b": -0}"#, "/body/a~1b"),
            (r#"{"a": "\ud800"}"#, "/body/a"),
        ] {
            assert_eq!(form(text), Err(format!("determinism E_CANONICALIZATION_ERROR {place}")), "{text}");
        }
    }
}
