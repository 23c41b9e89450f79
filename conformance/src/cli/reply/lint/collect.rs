//! The files of a project put together as the documents of `reply.registry` and `reply.source`.
//!
//! Pieces are taken over byte by byte, so that the verifier judges what stands in the files.

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
};

use assize_verifier::{
    json::{Document, NodeRef},
    reply::{self, Rejection},
};

use super::{CliError, input};

/// A file that was read.
pub(super) struct File {
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
}

/// Everything that a lint looks at.
pub(super) struct Files {
    pub(super) registry: File,
    pub(super) history: Option<Vec<File>>,
    pub(super) used: Option<File>,
    pub(super) call_sites: Option<File>,
}

/// The documents that the verifier is asked about.
pub(super) struct Questions {
    pub(super) registry: Vec<u8>,
    pub(super) source: Option<Vec<u8>>,
}

impl Files {
    pub(super) fn read(
        registry: &Path,
        history: Option<&Path>,
        used: Option<&Path>,
        call_sites: Option<&Path>,
    ) -> Result<Self, CliError> {
        Ok(Self {
            registry: File::read(registry)?,
            history: history.map(revisions).transpose()?,
            used: used.map(File::read).transpose()?,
            call_sites: call_sites.map(File::read).transpose()?,
        })
    }

    pub(super) fn questions(&self) -> Result<Questions, CliError> {
        let document = self.registry.json()?;
        let root = document.root();
        let member = |name: &str| root.get(name).map(|value| value.raw().to_vec());
        let registries = if is_document(root) { member("registries") } else { Some([b"[", root.raw(), b"]"].concat()) };
        let earlier = match &self.history {
            Some(files) => Some(array(files.iter().map(revision))?),
            None => member("earlier"),
        };
        let used = match &self.used {
            Some(file) => Some(codes(file)?),
            None => member("used"),
        };
        let members = [("registries", registries), ("earlier", earlier), ("used", used), ("tools", member("tools"))];
        let mut registry = Vec::new();
        for (name, value) in members {
            if let Some(value) = value {
                registry.extend(if registry.is_empty() { b"{" } else { b"," });
                registry.extend(format!("\"{name}\":").as_bytes());
                registry.extend(value);
            }
        }
        registry.push(b'}');
        let source = match &self.call_sites {
            None => None,
            Some(file) => {
                let document = file.json()?;
                let sites = file.sites(document.root())?.raw();
                Some([b"{\"call_sites\":", sites, b",\"registry\":", &registry, b"}"].concat())
            }
        };
        Ok(Questions { registry, source })
    }
}

impl File {
    fn read(path: &Path) -> Result<Self, CliError> {
        let (name, bytes) = input::document(path)?;
        Ok(Self { name, bytes })
    }

    pub(super) fn json(&self) -> Result<Document<'_>, CliError> {
        reply::read(&self.bytes).map_err(|why| self.refused(&why))
    }

    pub(super) fn refused(&self, why: &Rejection) -> CliError {
        super::refused(&self.name, why, "reply lint")
    }

    fn misfit(&self, due: &str) -> CliError {
        let help = "see `assize reply lint --help` for what each file holds";
        CliError::unreadable(format!("{}: {due} is due", self.name), help)
    }

    /// Whether the codes that are used are JSON, instead of one on each line.
    pub(super) fn is_json(&self) -> bool {
        matches!(self.bytes.iter().find(|byte| !byte.is_ascii_whitespace()), Some(b'[' | b'{'))
    }

    /// The array of codes that are used.
    pub(super) fn used<'d>(&self, root: NodeRef<'d>) -> Result<NodeRef<'d>, CliError> {
        let used = if root.is_array() { Some(root) } else { root.get("used") };
        used.ok_or_else(|| self.misfit("an array of codes, or an object with the member used"))
    }

    /// The array of call sites.
    pub(super) fn sites<'d>(&self, root: NodeRef<'d>) -> Result<NodeRef<'d>, CliError> {
        let sites = if root.is_array() { Some(root) } else { root.get("call_sites") };
        sites.ok_or_else(|| self.misfit("an array of call sites, or an object with the member call_sites"))
    }
}

/// Whether a file holds registries with what surrounds them, and not one registry alone.
pub(super) fn is_document(root: NodeRef<'_>) -> bool {
    root.get("registries").is_some()
}

/// The registry of a revision that is kept as one: the newest of a document.
pub(super) fn registry_of(root: NodeRef<'_>) -> NodeRef<'_> {
    root.get("registries").and_then(|all| all.elements().next()).unwrap_or(root)
}

/// A name as it sorts: numbers in it count by their value, so that revision 10 follows revision 9 and not revision 1.
fn in_order(name: &str) -> Vec<(&str, usize, &str)> {
    let mut parts = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let (text, after) = rest.split_at(rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len()));
        let (digits, after) = after.split_at(after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len()));
        let digits = digits.trim_start_matches('0');
        parts.push((text, digits.len(), digits));
        rest = after;
    }
    parts
}

/// The revisions of a folder, in the order of their names.
fn revisions(folder: &Path) -> Result<Vec<File>, CliError> {
    let unreadable = |error| {
        let message = format!("{}: cannot be listed: {error}", folder.display());
        CliError::unreadable(message, "name a folder of revisions, one *.json each")
    };
    let mut paths: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        paths.push(entry.map_err(unreadable)?.path());
    }
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    let name = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    paths.sort_by(|a, b| in_order(&name(a)).cmp(&in_order(&name(b))).then_with(|| a.cmp(b)));
    if paths.is_empty() {
        let message = format!("{}: holds no revision", folder.display());
        return Err(CliError::unreadable(
            message,
            "put one *.json for each revision there, in the order of their names",
        ));
    }
    paths.iter().map(|path| File::read(path)).collect()
}

/// A revision as the verifier takes it: codes with their message keys, and what was retired.
fn revision(file: &File) -> Result<Vec<u8>, CliError> {
    let document = file.json()?;
    let root = document.root();
    if root.get("codes").is_some() {
        return Ok(root.raw().to_vec());
    }
    let registry = registry_of(root);
    let Some(active) = registry.get("active") else {
        return Err(file.misfit("a revision with codes, or a registry with active"));
    };
    let mut seen = HashSet::new();
    let mut codes = Vec::new();
    for row in active.elements() {
        let code = row.get("code").filter(|code| code.as_string().is_some());
        let code = code.ok_or_else(|| file.misfit("a code in every row of active"))?;
        // An old revision that holds a code twice is not a reason to give up.
        if seen.insert(code.as_string()) {
            let key = row.get("message_key").map_or(&b"null"[..], NodeRef::raw);
            codes.push([code.raw(), b":", key].concat());
        }
    }
    let retired = registry.get("retired").map_or(&b"[]"[..], NodeRef::raw);
    Ok([b"{\"codes\":{", codes.join(&b","[..]).as_slice(), b"},\"retired\":", retired, b"}"].concat())
}

/// Codes that are used: as JSON, or one on each line.
fn codes(file: &File) -> Result<Vec<u8>, CliError> {
    if file.is_json() {
        return Ok(file.used(file.json()?.root())?.raw().to_vec());
    }
    let text = std::str::from_utf8(&file.bytes).map_err(|_| file.misfit("UTF-8, one code a line"))?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    array(lines.map(|line| serde_json::to_vec(line).map_err(CliError::bug)))
}

fn array(items: impl Iterator<Item = Result<Vec<u8>, CliError>>) -> Result<Vec<u8>, CliError> {
    let items: Vec<_> = items.collect::<Result<_, _>>()?;
    Ok([b"[", items.join(&b","[..]).as_slice(), b"]"].concat())
}
