//! What a new version of a kernel owes: its golden fixtures and its artefacts against those of the version before.
//!
//! Spec: Kernel Contract 0.1.0, 4.6 and 5; ruling AU-48. The findings are those of the law change-control, and
//! of goldens for a fixture that does not lock what it has to.

use std::collections::{BTreeMap, BTreeSet};

use super::laws::{change_control, goldens};
use super::model::limits;
use super::model::member::{self, Misfit};
use super::model::release::{Fields, Release};
use crate::canon::{Canonicalizer, Profile};
use crate::finding::Finding;
use crate::json::{Dialect, Document, JsonPointer, Kind, NodeRef, RawString};
use crate::rejection::Rejection;
use crate::version::Version;

/// What counts as a change.
const DIALECT: Dialect = Dialect { depth: limits::INPUT_DEPTH, bytes: limits::INPUT_BYTES, ..Dialect::AUTHORITY };

/// Judges a change of version: `{"earlier": R, "later": R, "documented": bool}`, R being `{version, goldens, artifact_fields}`.
/// Findings are sorted by pointer, then law.
///
/// # Errors
/// If the text is not JSON as Python reads it, or of another shape.
pub fn version(change: &[u8]) -> Result<Vec<Finding>, Rejection> {
    let document = Document::parse(change, &DIALECT)?;
    let (root, place) = (document.root(), JsonPointer::root());
    member::closed(root, &place, &["earlier", "later", "documented"], &[])?;
    let read = |name: &str| {
        let (node, place) = member::member(root, &place, name)?;
        release(node, &place)
    };
    let (earlier, later) = (read("earlier")?, read("later")?);
    let (documented, documented_place) = member::member(root, &place, "documented")?;
    let documented = match documented.kind() {
        Kind::True => true,
        Kind::False => false,
        _ => return Err(Misfit::new(documented_place, "true or false is due: whether the change is documented").into()),
    };
    let later_place = place.member("later");
    let mut findings = goldens::incomplete(&later, &later_place);
    findings.extend(change_control::undue(&earlier, &later, &later_place));
    findings.extend(change_control::undocumented(&earlier, &later, documented, documented_place));
    findings.sort_by(|a, b| (a.pointer.as_str(), a.law.slug()).cmp(&(b.pointer.as_str(), b.law.slug())));
    Ok(findings)
}

fn release(node: NodeRef<'_>, place: &JsonPointer) -> Result<Release, Rejection> {
    member::closed(node, place, &["version", "goldens", "artifact_fields"], &[])?;
    let text = member::text(node, place, "version")?;
    let version = Version::parse(&text)
        .ok_or_else(|| Misfit::new(place.member("version"), "three decimal numbers are due, without leading zeros"))?;
    let mut canonicalizer = Canonicalizer::new(Profile::Authority.rules());
    let mut read = Release { version, goldens: BTreeMap::new(), fields: BTreeMap::new() };
    for (name, (golden, place)) in members(member::member(node, place, "goldens")?)? {
        member::closed(golden, &place, &[], &goldens::LOCKED)?;
        let mut locked = BTreeMap::new();
        // Of a name that is repeated the last one counts, and what it replaces is not looked at.
        for (name, value) in goldens::LOCKED.into_iter().filter_map(|name| Some((name, golden.get(name)?))) {
            let mut canonical = Vec::new();
            match canonicalizer.append_node(value, &mut canonical) {
                Ok(None) => locked.insert(name, canonical),
                Ok(Some(_)) | Err(_) => return Err(Misfit::new(place, "a value without canonical form").into()),
            };
        }
        read.goldens.insert(name, locked);
    }
    for (name, (artifact, place)) in members(member::member(node, place, "artifact_fields")?)? {
        member::closed(artifact, &place, &["hashed", "excluded"], &[])?;
        let listed = |list: &str| -> Result<BTreeSet<String>, Misfit> {
            let (list, place) = member::member(artifact, &place, list)?;
            member::elements(list, &place)?.map(|(field, place)| member::string(field, &place)).collect()
        };
        read.fields.insert(name, Fields { hashed: listed("hashed")?, excluded: listed("excluded")? });
    }
    Ok(read)
}

/// Members of an object by name, with their places. Of a name that is repeated the last one counts.
fn members((node, place): (NodeRef<'_>, JsonPointer)) -> Result<BTreeMap<String, (NodeRef<'_>, JsonPointer)>, Misfit> {
    if !node.is_object() {
        return Err(Misfit::new(place, "an object is due"));
    }
    let named = |(name, value): (RawString<'_>, _)| {
        let name = name.decode().to_text_lossy().into_owned();
        let place = place.member(&name);
        (name, (value, place))
    };
    Ok(node.members().map(named).collect())
}
