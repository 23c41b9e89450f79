//! kernel/stage-pipeline: the five stages through which a triplet goes before it is staged by a turn.
//!
//! Spec: Kernel v1 Requirements Pack, Kernel API, 2.3; rulings KE-3, whose profile this is, and KE-4.
//!
//! The text fixes the stages and their order, the profile what each refuses. All five run, whatever an earlier one
//! found; only a text that is not JSON ends the validation. Where the profile says "not allowed", what is absent or of
//! another type is not allowed either, for the pipeline is closed to what it does not know.

#[path = "stage_pipeline/request.rs"]
mod request;
#[path = "stage_pipeline/vocabulary.rs"]
mod vocabulary;

use std::collections::HashSet;

use crate::json::{Dialect, Document, JsonPointer, JsonStr, NodeRef};
use crate::kernel::model::issue::{Details, Issue, Issues, Stage};
use crate::law::Law;
pub(crate) use request::Request;
use vocabulary::{DtoType, RAW_IDS, RELATIONSHIPS};

pub(crate) const LAW: Law = Law::named("kernel/stage-pipeline");

/// A triplet as it comes, before anything is known about it.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'t> {
    /// Its logical name.
    pub stem: &'t str,
    /// JSON text of the body.
    pub body: &'t [u8],
    /// JSON text of the links.
    pub links: &'t [u8],
    /// JSON text of the manifest.
    pub manifest: &'t [u8],
}

/// Takes a triplet through the five stages; nothing is found in a lawful one.
///
/// ```
/// use assize_verifier::kernel::{Candidate, validate_triplet};
///
/// let mut triplet = Candidate {
///     stem: "data/dto/invocation/one",
///     body: br#"{"dto_type": "invocation", "id": "inv:one"}"#,
///     links: br#"{"skill": {"type": "skill", "id": "skill:alpha", "relationship": "declares"}}"#,
///     manifest: b"{}",
/// };
/// assert!(validate_triplet(&triplet).as_slice().is_empty());
///
/// triplet.links = br#"{"skill": [{"type": "artifact", "id": "a"}]}"#;
/// let codes: Vec<_> = validate_triplet(&triplet).as_slice().iter().map(|issue| issue.code).collect();
/// assert_eq!(codes, ["E_DTO_LINKS_WRONG_CONTAINER_SHAPE", "E_TYPED_REF_MISMATCH"]);
/// ```
#[must_use]
pub fn validate_triplet(candidate: &Candidate<'_>) -> Issues {
    let read = |text, place| {
        Document::parse(text, &Dialect::STRICT)
            .map_err(|_| Issue::fail(Stage::BaseShape, "E_BASE_SHAPE_INVALID_JSON", JsonPointer::root().member(place)))
    };
    let documents = read(candidate.body, "body").and_then(|body| {
        let links = read(candidate.links, "links")?;
        Ok((body, links, read(candidate.manifest, "manifest")?))
    });
    match &documents {
        Err(issue) => issue.clone().into(),
        Ok((body, links, manifest)) => {
            let mut stages = Stages {
                triplet: Triplet { body: body.root(), links: links.root(), manifest: manifest.root() },
                dto_type: None,
                issues: Vec::new(),
            };
            stages.dto_type = stages.triplet.dto_type(candidate.stem);
            stages.base_shape();
            stages.dto_links();
            stages.relationship_vocabulary();
            stages.policy();
            stages.determinism();
            Issues::sorted(stages.issues)
        }
    }
}

/// The three members of a triplet.
#[derive(Clone, Copy)]
struct Triplet<'t> {
    body: NodeRef<'t>,
    links: NodeRef<'t>,
    manifest: NodeRef<'t>,
}

impl<'t> Triplet<'t> {
    /// What the triplet says that it is, and else what its stem says.
    fn dto_type(self, stem: &str) -> Option<DtoType> {
        let declared =
            [(self.body, "dto_type"), (self.body, "type"), (self.manifest, "dto_type"), (self.manifest, "type")];
        let declared = declared.into_iter().filter_map(|(object, member)| object.get(member)?.as_string());
        let known = |name: &str| DtoType::from_name(&name.trim().to_lowercase());
        let mut named = declared.filter_map(|name| known(name.to_str()?));
        named.next().or_else(|| {
            let last = stem.rsplit('/').next().unwrap_or(stem);
            DtoType::ALL.into_iter().find(|known| last.contains(known.name()))
        })
    }

    /// Every value under a key of links.
    fn keys(self) -> impl Iterator<Item = Key<'t>> {
        self.links.members().map(|(name, value)| {
            let name = name.decode().to_text_lossy().into_owned();
            Key { place: JsonPointer::root().member("links").member(&name), name, value }
        })
    }
}

/// A key of links.
struct Key<'t> {
    name: String,
    value: NodeRef<'t>,
    place: JsonPointer,
}

impl<'t> Key<'t> {
    /// What stands for references under the key, with its place: the object, or the items of the array.
    fn items(&self) -> impl Iterator<Item = (NodeRef<'t>, JsonPointer)> {
        let single = self.value.is_object().then(|| (self.value, self.place.clone()));
        let items = self.value.elements().enumerate().map(|(index, item)| (item, self.place.index(index)));
        single.into_iter().chain(items)
    }

    /// The references among them.
    fn references(&self) -> impl Iterator<Item = (NodeRef<'t>, JsonPointer)> {
        self.items().filter(|(item, _)| item.is_object())
    }
}

/// The stages at work.
struct Stages<'t> {
    triplet: Triplet<'t>,
    dto_type: Option<DtoType>,
    issues: Vec<Issue>,
}

impl Stages<'_> {
    fn fail(&mut self, stage: Stage, code: &'static str, place: JsonPointer) {
        self.issues.push(Issue::fail(stage, code, place));
    }

    fn base_shape(&mut self) {
        const STAGE: Stage = Stage::BaseShape;
        const LINKS_VALUE: &str = "E_BASE_SHAPE_INVALID_LINKS_VALUE";
        let Triplet { body, links, manifest } = self.triplet;
        let root = JsonPointer::root();
        if !body.is_object() {
            self.fail(STAGE, "E_BASE_SHAPE_INVALID_BODY_VALUE", root.member("body"));
        }
        if !links.is_object() {
            // The profile looks no further in this stage, not even at the manifest.
            return self.fail(STAGE, LINKS_VALUE, root.member("links"));
        }
        if !manifest.is_object() {
            self.fail(STAGE, "E_BASE_SHAPE_INVALID_MANIFEST_VALUE", root.member("manifest"));
        }
        for key in self.triplet.keys() {
            if !key.value.is_object() && !key.value.is_array() {
                self.fail(STAGE, LINKS_VALUE, key.place.clone());
            }
            for (item, place) in key.items() {
                if !item.is_object() {
                    self.fail(STAGE, LINKS_VALUE, place);
                    continue;
                }
                for member in ["type", "id"] {
                    let named = item.get(member).and_then(NodeRef::as_string);
                    if named.is_none_or(|text| text.as_bytes().is_empty()) {
                        self.fail(STAGE, "E_BASE_SHAPE_INVALID_REFERENCE", place.member(member));
                    }
                }
            }
        }
    }

    fn dto_links(&mut self) {
        const STAGE: Stage = Stage::DtoLinks;
        const UNKNOWN: &str = "E_DTO_LINKS_UNKNOWN_KEY";
        let Some(dto_type) = self.dto_type else {
            return self.fail(STAGE, UNKNOWN, JsonPointer::from_text("/body/dto_type"));
        };
        for key in self.triplet.keys() {
            let Some(rule) = dto_type.keys().find(|rule| rule.key == key.name) else {
                self.fail(STAGE, UNKNOWN, key.place);
                continue;
            };
            let contained = if rule.many { key.value.is_array() } else { key.value.is_object() };
            if !contained {
                self.fail(STAGE, "E_DTO_LINKS_WRONG_CONTAINER_SHAPE", key.place.clone());
            }
            for (reference, place) in key.references() {
                if !is_text(reference.get("type"), rule.target) {
                    self.fail(STAGE, "E_TYPED_REF_MISMATCH", place.member("type"));
                }
            }
        }
    }

    fn relationship_vocabulary(&mut self) {
        const STAGE: Stage = Stage::RelationshipVocabulary;
        const INCOMPATIBLE: &str = "E_RELATIONSHIP_INCOMPATIBLE";
        let mut uses = [0_usize; RELATIONSHIPS.len()];
        for key in self.triplet.keys() {
            for (reference, place) in key.references() {
                let Some(written) = reference.get("relationship").filter(|value| value.raw() != b"null") else {
                    continue;
                };
                let is_it = |relationship: &str| is_text(Some(written), relationship);
                let known = RELATIONSHIPS.iter().zip(&mut uses).find(|(known, _)| is_it(known.relationship));
                let Some((relationship, uses)) = known else {
                    self.fail(STAGE, INCOMPATIBLE, place.member("relationship"));
                    continue;
                };
                *uses += 1;
                let source = self.dto_type.is_some_and(|source| source.may_be_source_of(relationship));
                let target = relationship.targets.iter().any(|target| is_text(reference.get("type"), target));
                if !source || !target {
                    self.fail(STAGE, INCOMPATIBLE, place);
                }
            }
        }
        for (relationship, uses) in RELATIONSHIPS.iter().zip(uses) {
            if relationship.once && uses > 1 {
                let details = Details::texts(&[("relationship", relationship.relationship)]);
                let place = JsonPointer::from_text("/links");
                let issue = Issue::fail(STAGE, "E_RELATIONSHIP_CARDINALITY_VIOLATION", place);
                self.issues.push(issue.with_details(details));
            }
        }
    }

    /// Raw ids are looked for at every depth of body and links.
    fn policy(&mut self) {
        let Triplet { body, links, manifest } = self.triplet;
        let allowed = manifest.get("policy").and_then(|policy| policy.get("allowed_local_ids"));
        let allowed = allowed.into_iter().flat_map(NodeRef::elements).filter_map(NodeRef::as_string);
        let allowed: HashSet<_> = allowed.map(JsonStr::into_bytes).collect();
        let mut pending = vec![(body, JsonPointer::from_text("/body")), (links, JsonPointer::from_text("/links"))];
        while let Some((node, place)) = pending.pop() {
            for (name, value) in node.members() {
                let name = name.decode();
                let member = place.member(&name.to_text_lossy());
                if let Some(token) = raw_id(name.as_bytes())
                    && !allowed.contains(name.as_bytes())
                {
                    let issue = Issue::fail(Stage::Policy, "E_POLICY_RAW_ID_FORBIDDEN", member.clone());
                    self.issues.push(issue.with_details(Details::texts(&[("token", token)])));
                }
                pending.push((value, member));
            }
            pending.extend(node.elements().enumerate().map(|(index, item)| (item, place.index(index))));
        }
    }

    fn determinism(&mut self) {
        const STAGE: Stage = Stage::Determinism;
        const VIOLATION: &str = "E_DETERMINISM_VIOLATION";
        let Triplet { links, manifest, .. } = self.triplet;
        let nested = || manifest.get("determinism").and_then(|inner| inner.get("order_insensitive"));
        let Some(listed) = manifest.get("order_insensitive").or_else(nested) else { return };
        // The profile gives this place for the nested spelling too.
        let place = JsonPointer::from_text("/manifest/order_insensitive");
        if !listed.is_array() {
            return self.fail(STAGE, VIOLATION, place);
        }
        let arrays = links.members().filter(|(_, value)| value.is_array());
        let arrays: HashSet<_> = arrays.map(|(name, _)| name.decode().into_bytes()).collect();
        for (index, item) in listed.elements().enumerate() {
            if !item.as_string().is_some_and(|name| arrays.contains(name.as_bytes())) {
                self.fail(STAGE, VIOLATION, place.index(index));
            }
        }
    }
}

/// Whether a value is there and is this text.
fn is_text(value: Option<NodeRef<'_>>, text: &str) -> bool {
    value.and_then(NodeRef::as_string).is_some_and(|value| value == text)
}

/// The raw-id token that a member name is, or ends in after an underscore.
fn raw_id(name: &[u8]) -> Option<&'static str> {
    RAW_IDS.into_iter().find(|token| {
        name.strip_suffix(token.as_bytes()).is_some_and(|before| before.is_empty() || before.ends_with(b"_"))
    })
}

#[cfg(test)]
#[path = "stage_pipeline/tests.rs"]
mod tests;
