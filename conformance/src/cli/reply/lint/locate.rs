//! From a place in the verifier's documents to file, line and code.

use std::collections::{HashMap, HashSet};

use assize_verifier::json::{JsonPointer, NodeRef};

use super::{
    CliError,
    collect::{self, File, Files},
};

/// Where a finding stands in the files of the project.
#[derive(Debug, Clone, Default)]
pub(super) struct Location {
    pub(super) file: String,
    /// From 1; none where the file has no such line.
    pub(super) line: Option<u64>,
    /// The revision of the registry, where it is an earlier one.
    pub(super) revision: Option<String>,
    /// The code, area or method that it is about.
    pub(super) subject: String,
}

/// The locations of these places, for registry and source alike: no pointer of one begins like a pointer of the other.
pub(super) fn find(files: &Files, wanted: &HashSet<&str>) -> Result<HashMap<String, Location>, CliError> {
    let mut finder = Finder { wanted, locations: HashMap::new() };
    finder.registry(&files.registry)?;
    match &files.history {
        Some(revisions) => {
            for (index, file) in revisions.iter().enumerate() {
                finder.revision(index, file)?;
            }
        }
        None => finder.own(&files.registry, "earlier")?,
    }
    match &files.used {
        Some(file) => finder.used(file)?,
        None => finder.own(&files.registry, "used")?,
    }
    if let Some(file) = &files.call_sites {
        finder.sites(file)?;
    }
    Ok(finder.locations)
}

struct Finder<'w> {
    wanted: &'w HashSet<&'w str>,
    locations: HashMap<String, Location>,
}

impl Finder<'_> {
    fn registry(&mut self, file: &File) -> Result<(), CliError> {
        let document = file.json()?;
        let root = document.root();
        let lines = Lines::of(file);
        let all = JsonPointer::root().member("registries");
        let one = (!collect::is_document(root)).then_some(root);
        let listed = root.get("registries").into_iter().flat_map(NodeRef::elements);
        for (index, registry) in one.into_iter().chain(listed).enumerate() {
            let at = all.index(index);
            self.take(&at, || lines.location(registry, registry.get("name")));
            for (part, name) in [("active", "code"), ("areas", "area")] {
                let place = at.member(part);
                for (index, row) in registry.get(part).into_iter().flat_map(NodeRef::elements).enumerate() {
                    self.take(&place.index(index), || lines.location(row, row.get(name)));
                }
            }
            let place = at.member("aliases");
            for (old, new) in registry.get("aliases").into_iter().flat_map(NodeRef::members) {
                let old = old.decode().to_text_lossy().into_owned();
                self.take(&place.member(&old), || Location { subject: old.clone(), ..lines.location(new, None) });
            }
        }
        Ok(())
    }

    /// Revisions, or codes that are used, in the file of the registry itself.
    fn own(&mut self, file: &File, name: &str) -> Result<(), CliError> {
        let document = file.json()?;
        let lines = Lines::of(file);
        let at = JsonPointer::root().member(name);
        for (index, element) in document.root().get(name).into_iter().flat_map(NodeRef::elements).enumerate() {
            if name == "used" {
                self.take(&at.index(index), || lines.location(element, Some(element)));
            } else {
                self.codes(&at.index(index), &lines, element, None);
            }
        }
        Ok(())
    }

    fn revision(&mut self, index: usize, file: &File) -> Result<(), CliError> {
        let document = file.json()?;
        let root = document.root();
        let lines = Lines::of(file);
        let at = JsonPointer::root().member("earlier").index(index);
        if root.get("codes").is_some() {
            self.codes(&at, &lines, root, Some(&file.name));
            return Ok(());
        }
        let place = at.member("codes");
        for row in collect::registry_of(root).get("active").into_iter().flat_map(NodeRef::elements) {
            let code = row.get("code").and_then(NodeRef::as_string);
            let code = code.map(|code| code.to_text_lossy().into_owned()).unwrap_or_default();
            let revision = Some(file.name.clone());
            self.take(&place.member(&code), || Location { revision, ..lines.location(row, row.get("code")) });
        }
        Ok(())
    }

    /// The codes of a revision that names them with their message keys.
    fn codes(&mut self, at: &JsonPointer, lines: &Lines<'_>, revision: NodeRef<'_>, file: Option<&str>) {
        let name = revision.get("revision").map(text).or(file.map(str::to_owned));
        let name = name.unwrap_or_else(|| at.as_str().rsplit('/').next().unwrap_or_default().to_owned());
        let place = at.member("codes");
        for (code, key) in revision.get("codes").into_iter().flat_map(NodeRef::members) {
            let code = code.decode().to_text_lossy().into_owned();
            self.take(&place.member(&code), || Location {
                revision: Some(name.clone()),
                subject: code.clone(),
                ..lines.location(key, None)
            });
        }
    }

    fn used(&mut self, file: &File) -> Result<(), CliError> {
        let at = JsonPointer::root().member("used");
        if file.is_json() {
            let document = file.json()?;
            let lines = Lines::of(file);
            for (index, code) in file.used(document.root())?.elements().enumerate() {
                self.take(&at.index(index), || lines.location(code, Some(code)));
            }
            return Ok(());
        }
        let text = String::from_utf8_lossy(&file.bytes);
        let lines = text.lines().map(str::trim).zip(1..).filter(|(line, _)| !line.is_empty());
        for (index, (code, line)) in lines.enumerate() {
            self.take(&at.index(index), || Location {
                file: file.name.clone(),
                line: Some(line),
                revision: None,
                subject: code.to_owned(),
            });
        }
        Ok(())
    }

    /// A call site says itself where it stands.
    fn sites(&mut self, file: &File) -> Result<(), CliError> {
        let document = file.json()?;
        let at = JsonPointer::root().member("call_sites");
        for (index, site) in file.sites(document.root())?.elements().enumerate() {
            let said =
                |name: &str| site.get(name).and_then(NodeRef::as_string).map(|said| said.to_text_lossy().into_owned());
            self.take(&at.index(index), || Location {
                file: said("file").unwrap_or_default(),
                line: site
                    .get("line")
                    .and_then(NodeRef::as_number)
                    .and_then(|line| line.to_u64())
                    .filter(|line| *line > 0),
                revision: None,
                subject: said("code").or(said("method")).or(said("receiver")).unwrap_or_default(),
            });
        }
        Ok(())
    }

    fn take(&mut self, at: &JsonPointer, location: impl FnOnce() -> Location) {
        if self.wanted.contains(at.as_str()) {
            // Of two rows of one code in an old revision the first counts, as for the verifier.
            self.locations.entry(at.as_str().to_owned()).or_insert_with(location);
        }
    }
}

/// A file's line ends, to find the line of a byte.
struct Lines<'f> {
    name: &'f str,
    ends: Vec<usize>,
}

impl<'f> Lines<'f> {
    fn of(file: &'f File) -> Self {
        let ends = file.bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at).collect();
        Self { name: &file.name, ends }
    }

    fn location(&self, node: NodeRef<'_>, subject: Option<NodeRef<'_>>) -> Location {
        let line = self.ends.partition_point(|end| *end < node.span().0) + 1;
        Location {
            file: self.name.to_owned(),
            line: u64::try_from(line).ok(),
            revision: None,
            subject: subject.map(text).unwrap_or_default(),
        }
    }
}

/// A string, or the text of another value.
fn text(node: NodeRef<'_>) -> String {
    match node.as_string() {
        Some(text) => text.to_text_lossy().into_owned(),
        None => String::from_utf8_lossy(node.raw()).into_owned(),
    }
}
