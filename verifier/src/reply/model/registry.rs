//! The document of `reply.registry`: registries, earlier revisions, what is used, and the tools.
//!
//! Spec: rulings OP, RE-31, RE-33, RE-34. Every member but `registries` and `active` is optional.

use super::member::{Due, given, list, misfit, object, owed, string, text, text_or_none};
use super::text::Text;
use crate::json::{JsonPointer, NodeRef};

/// Registries, the newest revision first, and what they are held against.
pub(crate) struct Registries<'d> {
    pub(crate) all: Vec<Registry<'d>>,
    /// Oldest first.
    pub(crate) earlier: Vec<Revision<'d>>,
    pub(crate) used: Vec<Text<'d>>,
    pub(crate) tools: Vec<Text<'d>>,
}

/// One registry.
pub(crate) struct Registry<'d> {
    pub(crate) active: Vec<Row<'d>>,
    pub(crate) retired: Vec<Text<'d>>,
    pub(crate) areas: Vec<Declared<'d>>,
    /// Old code and new one.
    pub(crate) aliases: Vec<(Text<'d>, Text<'d>)>,
}

/// An active code with its meaning.
pub(crate) struct Row<'d> {
    pub(crate) code: Text<'d>,
    pub(crate) key: Option<Text<'d>>,
    pub(crate) node: NodeRef<'d>,
}

/// An area that a registry declares.
pub(crate) struct Declared<'d> {
    pub(crate) area: Text<'d>,
    pub(crate) documented: bool,
}

/// A code of an earlier revision, with its message key.
pub(crate) type Entry<'d> = (Text<'d>, Option<Text<'d>>);

/// An earlier revision.
pub(crate) struct Revision<'d> {
    pub(crate) codes: Vec<Entry<'d>>,
    pub(crate) retired: Vec<Text<'d>>,
}

impl Declared<'_> {
    /// The area as a text; where its bytes are not text, the empty text, which names no area either.
    pub(crate) fn name(&self) -> &str {
        std::str::from_utf8(&self.area).unwrap_or_default()
    }
}

impl<'d> Registries<'d> {
    pub(crate) fn read(node: NodeRef<'d>, at: &JsonPointer) -> Due<Self> {
        let node = object(node, at)?;
        owed(node, at, "registries")?;
        let place = at.member("registries");
        let mut all = Vec::new();
        for (index, registry) in list(node, at, "registries")?.enumerate() {
            all.push(Registry::read(registry, &place.index(index))?);
        }
        if all.is_empty() {
            return Err(misfit(&place, "a registry"));
        }
        let mut earlier = Vec::new();
        for (index, revision) in list(node, at, "earlier")?.enumerate() {
            earlier.push(Revision::read(revision, &at.member("earlier").index(index))?);
        }
        Ok(Self { all, earlier, used: strings(node, at, "used")?, tools: strings(node, at, "tools")? })
    }

    /// The newest revision, by which use is judged.
    pub(crate) fn newest(&self) -> Option<&Registry<'d>> {
        self.all.first()
    }
}

impl<'d> Registry<'d> {
    fn read(node: NodeRef<'d>, at: &JsonPointer) -> Due<Self> {
        let node = object(node, at)?;
        owed(node, at, "active")?;
        let place = at.member("active");
        let mut active = Vec::new();
        for (index, row) in list(node, at, "active")?.enumerate() {
            let at = place.index(index);
            let node = object(row, &at)?;
            active.push(Row { code: text(node, &at, "code")?, key: text_or_none(node, &at, "message_key")?, node });
        }
        let mut areas = Vec::new();
        for (index, declared) in list(node, at, "areas")?.enumerate() {
            let at = at.member("areas").index(index);
            let node = object(declared, &at)?;
            let document = text_or_none(node, &at, "document")?;
            let documented = document.is_some_and(|document| !document.is_empty());
            areas.push(Declared { area: text(node, &at, "area")?, documented });
        }
        let mut aliases = Vec::new();
        for (old, new) in entries(node, at, "aliases")? {
            let target = string(new, || at.member("aliases").member(&String::from_utf8_lossy(&old)))?;
            aliases.push((old, target));
        }
        Ok(Self { active, retired: strings(node, at, "retired")?, areas, aliases })
    }
}

impl<'d> Revision<'d> {
    fn read(node: NodeRef<'d>, at: &JsonPointer) -> Due<Self> {
        let node = object(node, at)?;
        owed(node, at, "codes")?;
        let mut codes = Vec::new();
        for (code, key) in entries(node, at, "codes")? {
            let place = || at.member("codes").member(&String::from_utf8_lossy(&code));
            let key = if key.kind() == crate::json::Kind::Null { None } else { Some(string(key, place)?) };
            codes.push((code, key));
        }
        Ok(Self { codes, retired: strings(node, at, "retired")? })
    }
}

fn strings<'d>(node: NodeRef<'d>, at: &JsonPointer, name: &str) -> Due<Vec<Text<'d>>> {
    let elements = list(node, at, name)?.enumerate();
    elements.map(|(index, element)| string(element, || at.member(name).index(index))).collect()
}

/// The members of an object; none where it is absent or null.
fn entries<'d>(
    node: NodeRef<'d>,
    at: &JsonPointer,
    name: &str,
) -> Due<impl Iterator<Item = (Text<'d>, NodeRef<'d>)> + use<'d>> {
    let held = given(node, name).map(|held| object(held, &at.member(name))).transpose()?;
    Ok(held.into_iter().flat_map(NodeRef::members).map(|(name, value)| (name.decode().into_bytes(), value)))
}
