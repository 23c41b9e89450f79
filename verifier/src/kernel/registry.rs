//! Reads the revisions of a registry of codes, and judges them.
//!
//! Spec: Kernel v1 Requirements Pack, Error Codes, Registry Rule; ruling KE-58.

use super::laws::registry_versions;
use super::model::member::{self, Misfit, Object};
use super::model::revision::{Revision, RevisionFinding};
use crate::json::{Dialect, Document, JsonErrorKind, JsonPointer, NodeRef};
use crate::rejection::Rejection;
use crate::version::Version;

/// Judges `[{"version", "codes": {code: meaning}}]`, oldest first. Findings are sorted by pointer.
///
/// # Errors
/// If the text is not strict JSON, a name is repeated anywhere, or it is of another shape.
///
/// ```
/// use assize_verifier::kernel::registry;
///
/// let revisions = r#"[{"version":"1.0.0","codes":{}},{"version":"1.0.1","codes":{"E_DENIED":"denied"}}]"#;
/// let found = registry(revisions.as_bytes()).unwrap();
/// assert_eq!(found[0].finding.pointer.as_str(), "/1/codes/E_DENIED");
/// assert_eq!(found[0].code.as_deref(), Some("E_DENIED"));
/// ```
pub fn registry(revisions: &[u8]) -> Result<Vec<RevisionFinding>, Rejection> {
    let document = Document::parse(revisions, &Dialect::STRICT)?;
    member::unrepeated(document.root())
        .map_err(|value| document.objection(JsonErrorKind::RepeatedName, value.span().0))?;
    let (root, place) = (document.root(), JsonPointer::root());
    if !root.is_array() {
        return Err(Rejection::input_at("", "an array of revisions is due"));
    }
    let read = root.elements().enumerate().map(|(index, node)| revision(node, place.index(index)));
    let revisions = read.collect::<Result<Vec<_>, _>>()?;
    if revisions.is_empty() {
        return Err(Rejection::input_at("", "at least one revision is due"));
    }
    Ok(registry_versions::check(&revisions))
}

fn revision(node: NodeRef<'_>, place: JsonPointer) -> Result<Revision<'_>, Misfit> {
    let revision = Object::closed(node, place, &["version", "codes"], &[])?;
    let version = Version::parse(&revision.text("version")?)
        .ok_or_else(|| revision.misfit("version", "three decimal numbers are due, without leading zeros"))?;
    let place = revision.place.member("codes");
    let meanings = revision.object("codes")?.members().map(|(code, meaning)| {
        let code = code.decode();
        match meaning.as_string() {
            Some(meaning) => Ok((code, meaning)),
            None => Err(Misfit::new(place.member(&code.to_text_lossy()), "a string is due: what the code means")),
        }
    });
    Ok(Revision { version, codes: meanings.collect::<Result<_, _>>()? })
}
