//! kernel/trace-artifacts: what a run writes for whoever traces it is canonical, and listed with its digest.
//!
//! Spec: Kernel v1 Requirements Pack, Kernel API, 2.2, `write_trace_artifacts`; rulings KE-30, KE-34, KE-53. Everything that
//! can be refused is, before the first byte is written; the index of a run comes last.

use std::collections::BTreeMap;

use crate::canon::{Profile, canonicalize, compose};
use crate::digest::Digest;
use crate::files::{HomeError, HomeFiles};
use crate::finding::Finding;
use crate::json::{Dialect, Document, JsonPointer, NodeRef};
use crate::kernel::laws::canonical_form::without_form;
use crate::kernel::laws::path_safety::{artifact_folder, artifact_name, refusal};
use crate::kernel::model::home::{Found, Stop, find, replace, unreadable};
use crate::kernel::model::issue::{CONTRACT, Issue, Issues, Stage};
use crate::kernel::model::layout::{RECORD, location};
use crate::kernel::model::member::{Misfit, Object};
use crate::kernel::model::record::hex;
use crate::kernel::model::token::RunId;
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("kernel/trace-artifacts");

/// What the file of an artifact is called by its schema.
const ARTIFACT: &str = "trace_artifact/v1";
/// What the index of a run's artifacts is called by its schema.
const INDEX: &str = "trace_index/v1";
/// The index's own name, which no artifact has.
const INDEX_NAME: &str = "index";

/// Artifacts of a run by name, with their digests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Artifacts(BTreeMap<String, Digest>);

impl Artifacts {
    /// The list, canonical.
    pub(crate) fn rows(&self) -> Vec<u8> {
        compose::array(
            self.0
                .iter()
                .map(|(name, digest)| compose::object(&[("name", compose::string(name)), ("digest", hex(*digest))])),
        )
    }

    fn canonical(&self) -> Vec<u8> {
        compose::object(&[
            ("contract_version", compose::string(CONTRACT)),
            ("schema_version", compose::string(INDEX)),
            ("artifacts", self.rows()),
        ])
    }

    /// Reads an index.
    pub(crate) fn parse(text: &[u8]) -> Result<Self, Misfit> {
        let document = Document::parse(text, &Dialect::STRICT)
            .map_err(|error| Misfit::new(JsonPointer::root(), error.to_string()))?;
        let index = versioned(document.root(), INDEX, "artifacts", &[])?;
        let mut rows = Self::default();
        for (row, place) in index.elements("artifacts")? {
            let row = Object::closed(row, place, &["name", "digest"], &[])?;
            let digest = Digest::from_hex(row.text("digest")?.as_bytes());
            let digest = digest.ok_or_else(|| row.misfit("digest", "no digest"))?;
            if rows.0.insert(row.text("name")?, digest).is_some() {
                return Err(row.misfit("name", "it is listed already"));
            }
        }
        if rows.canonical() == text { Ok(rows) } else { Err(Misfit::new(JsonPointer::root(), NOT_CANONICAL)) }
    }
}

const NOT_CANONICAL: &str = "its bytes are not the canonical ones";

/// The file of the index in the folder of a run.
fn index_of(folder: &str) -> String {
    format!("{folder}/{INDEX_NAME}{RECORD}")
}

/// The file of an artifact in the folder of its run; none for the index's own name, or one that no file has.
fn path_of(folder: &str, name: &str) -> Option<String> {
    Some(format!("{folder}/{}", artifact_name(name).filter(|_| name != INDEX_NAME)?))
}

/// The members of a file of a schema.
fn versioned<'d>(root: NodeRef<'d>, schema: &str, content: &str, more: &[&str]) -> Result<Object<'d>, Misfit> {
    let members: Vec<_> = ["contract_version", "schema_version", content].iter().chain(more).copied().collect();
    let file = Object::closed(root, JsonPointer::root(), &members, &[])?;
    for (name, due) in [("contract_version", CONTRACT), ("schema_version", schema)] {
        if file.text(name)? != due {
            return Err(file.misfit(name, "another version is due"));
        }
    }
    Ok(file)
}

/// Writes every artifact of a bundle, or none. Gives all artifacts of the run.
pub(crate) fn write(home: &mut dyn HomeFiles, run: &RunId, bundle: NodeRef<'_>) -> Result<Artifacts, Stop> {
    let folder = artifact_folder(run);
    let index = index_of(&folder);
    let mut artifacts = match find(home, &index)? {
        Found::Absent => Some(Artifacts::default()),
        Found::Bytes(bytes) => Artifacts::parse(&bytes).ok(),
        Found::Unusable => None,
    }
    .ok_or_else(|| Issue::fail(Stage::Lsi, "E_LSI_CORRUPT_RECORD", location(&index)))?;
    let mut files = Vec::new();
    let mut wrong = Vec::new();
    for (name, content) in bundle.members() {
        let name = name.decode();
        let place = JsonPointer::root().member("trace_bundle").member(&name.to_text_lossy());
        let file = name.to_str().and_then(|name| Some((name, path_of(&folder, name)?)));
        let Some((name, path)) = file else {
            wrong.push(refusal(place));
            continue;
        };
        let formless = without_form(content, place.clone());
        let Ok(canonical) = canonicalize(Profile::Sovereign, content.raw()) else {
            wrong.extend(formless);
            continue;
        };
        let bytes = compose::object(&[
            ("contract_version", compose::string(CONTRACT)),
            ("schema_version", compose::string(ARTIFACT)),
            ("name", compose::string(name)),
            ("content", canonical.as_slice().to_vec()),
        ]);
        let digest = Digest::of(&bytes);
        let same = match find(home, &path)? {
            Found::Absent => artifacts.0.get(name).is_none_or(|known| *known == digest),
            Found::Bytes(there) => there == bytes,
            Found::Unusable => false,
        };
        if same {
            artifacts.0.insert(name.to_owned(), digest);
            files.push((path, bytes));
        } else {
            wrong.push(refusal(place));
        }
    }
    if !wrong.is_empty() {
        return Err(Stop::Refused(Issues::sorted(wrong)));
    }
    for (path, bytes) in &files {
        replace(home, path, bytes)?;
    }
    replace(home, &index, &artifacts.canonical())?;
    Ok(artifacts)
}

/// The artifacts of a run as an audit finds them, file by file.
pub(crate) struct Audited {
    folder: String,
    /// What the index lists, unless it cannot be read.
    rows: Option<Artifacts>,
    /// Files by path, with the digests of those that could be read.
    files: BTreeMap<String, Option<Digest>>,
    found: Vec<Finding>,
}

impl Audited {
    /// Nothing of the folder of a run yet.
    pub(crate) fn new(folder: &str) -> Self {
        let rows = Some(Artifacts::default());
        Self { folder: folder.to_owned(), rows, files: BTreeMap::new(), found: Vec::new() }
    }

    fn find(&mut self, path: &str, message: impl Into<String>) {
        self.found.push(Finding::error(LAW, location(path), message));
    }

    /// Takes a file by what was read of it.
    pub(crate) fn file(&mut self, path: &str, content: Result<&[u8], HomeError>) {
        let is_index = path == index_of(&self.folder);
        let judged = match content {
            Err(why) => Err(unreadable(why)),
            Ok(text) if is_index => Artifacts::parse(text).map(Some).map_err(Misfit::sentence),
            Ok(text) => artifact(path, &self.folder, text).map(|()| None).map_err(Misfit::sentence),
        };
        if !is_index {
            self.files.insert(path.to_owned(), content.ok().map(Digest::of));
        }
        match judged {
            Ok(None) => {}
            Ok(rows) => self.rows = rows,
            Err(wrong) => {
                // An index that cannot be read lists nothing, and is found itself.
                if is_index {
                    self.rows = None;
                }
                self.find(path, wrong);
            }
        }
    }

    /// Everything that is wrong with them, once every file was taken.
    pub(crate) fn close(mut self) -> Vec<Finding> {
        let Some(rows) = self.rows.take() else { return self.found };
        let index = index_of(&self.folder);
        let mut listed = BTreeMap::new();
        for (name, digest) in &rows.0 {
            match path_of(&self.folder, name) {
                Some(path) => {
                    listed.insert(path, *digest);
                }
                None => self.find(&index, "it lists a name that no file has"),
            }
        }
        let files = std::mem::take(&mut self.files);
        for path in files.keys().filter(|path| !listed.contains_key(*path)) {
            self.find(path, "the index does not list it");
        }
        for (path, digest) in &listed {
            match files.get(path) {
                None => self.find(&index, format!("it lists {path}, which is not there")),
                Some(Some(own)) if own != digest => self.find(&index, format!("it lists another digest of {path}")),
                Some(_) => {}
            }
        }
        self.found
    }
}

/// Holds a file to its one form.
fn artifact(path: &str, folder: &str, text: &[u8]) -> Result<(), Misfit> {
    let canonical = canonicalize(Profile::Sovereign, text);
    let canonical = canonical.map_err(|error| Misfit::new(JsonPointer::root(), error.to_string()))?;
    if canonical.as_slice() != text {
        return Err(Misfit::new(JsonPointer::root(), NOT_CANONICAL));
    }
    let document =
        Document::parse(text, &Dialect::STRICT).map_err(|error| Misfit::new(JsonPointer::root(), error.to_string()))?;
    let file = versioned(document.root(), ARTIFACT, "content", &["name"])?;
    let own = path_of(folder, &file.text("name")?);
    if own.is_some_and(|own| own == path) {
        Ok(())
    } else {
        Err(file.misfit("name", "it is the artifact of another name"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIGEST: &str = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a";

    #[test]
    fn an_index_has_one_form() {
        let row = |name: &str| format!(r#"{{"digest":"{DIGEST}","name":"{name}"}}"#);
        let rows = format!("{},{}", row("a"), row("b"));
        let text =
            format!(r#"{{"artifacts":[{rows}],"contract_version":"kernel_api/v1","schema_version":"trace_index/v1"}}"#);
        let read = Artifacts::parse(text.as_bytes()).expect("an index");
        assert_eq!(String::from_utf8(read.canonical()).expect("UTF-8"), text);
        for (from, to) in [
            (rows.as_str(), format!("{},{}", row("b"), row("a"))),
            (rows.as_str(), format!("{},{}", row("a"), row("a"))),
            ("kernel_api/v1", "kernel_api/v2".to_owned()),
            ("trace_index/v1", "trace_artifact/v1".to_owned()),
            (DIGEST, DIGEST.to_uppercase()),
            (r#""name":"a""#, r#""name":1"#.to_owned()),
            (r#","schema_version""#, r#","more":0,"schema_version""#.to_owned()),
            ("]", "] ".to_owned()),
        ] {
            assert!(Artifacts::parse(text.replacen(from, &to, 1).as_bytes()).is_err(), "{from} to {to}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_found_once() {
        let mut audited = Audited::new("trace/r");
        audited.file("trace/r/index.json", Err(HomeError::Denied));
        audited.file("trace/r/a.json", Err(HomeError::NotAFile));
        let places: Vec<_> = audited.close().iter().map(|found| found.pointer.as_str().to_owned()).collect();
        assert_eq!(places, ["/trace/r/index.json", "/trace/r/a.json"]);
    }
}
