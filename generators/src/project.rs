//! An emission on disk: written where nothing foreign stands, compared byte by byte, brought up to date.
//!
//! The manifest in the folder says what was emitted and with which digests; by it, a file of the generator is told from
//! one that is somebody else's, and one that was edited by hand from one that was not.

use std::{
    collections::BTreeMap,
    io::{self, Read as _, Write as _},
    path::Path,
};

use cap_std::{ambient_authority, fs::Dir};
use cap_tempfile::TempFile;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{
    GENERATOR,
    collection::Known,
    files::{Files, Owner},
    language::Commands,
    pack::sha256,
    resolve,
};

/// Name of the manifest.
pub const MANIFEST: &str = "assize-manifest.json";

const FORM: &str = "assize-project/v1";

/// What was emitted, and from what.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// `packs`, or `suite` and `kit`.
    pub what: Vec<String>,
    /// The language; none for packs.
    pub language: Option<String>,
    /// The package; none for packs.
    pub package: Option<String>,
    /// Forms of packs.
    #[serde(default)]
    pub forms: Vec<String>,
    /// Systems that were selected; all if there are none.
    pub systems: Vec<String>,
    /// Laws, ids or patterns that were selected; all if there are none.
    pub laws: Vec<String>,
    /// Modes that were selected; all if there are none.
    pub modes: Vec<String>,
    /// Operations that were selected: the project's interface has these and no others. All if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub operations: Vec<String>,
    /// Known failures, by id.
    #[serde(default)]
    pub known: BTreeMap<String, Known>,
}

/// The manifest of an emission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// `assize-project/v1`.
    pub form: String,
    /// Who wrote it.
    pub generator: String,
    /// Digest of the corpus.
    pub revision: String,
    /// What was asked for.
    pub parameters: Parameters,
    /// What to run in the folder; none for packs.
    pub commands: Option<Commands>,
    /// Generated files with their SHA-256.
    pub files: BTreeMap<String, String>,
}

impl Manifest {
    /// What the manifest of these files says.
    #[must_use]
    pub fn new(files: &Files, parameters: Parameters, revision: String, commands: Option<Commands>) -> Self {
        let generated = files.iter().filter(|(_, file)| file.owner == Owner::Generator);
        Self {
            form: FORM.to_owned(),
            generator: GENERATOR.to_owned(),
            revision,
            parameters,
            commands,
            files: generated.map(|(path, file)| (path.to_owned(), sha256(&file.bytes))).collect(),
        }
    }
}

/// What a write did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Written {
    /// Files that are new or changed.
    pub written: usize,
    /// Files that were as they should be.
    pub same: usize,
    /// Generated files of the earlier emission that are no longer part of it.
    pub removed: Vec<String>,
    /// Files of the implementer that stood there and were kept.
    pub kept: Vec<String>,
}

/// Where disk and emission part.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Drift {
    /// A file is not there.
    Missing(String),
    /// A file has other bytes.
    Changed(String),
    /// A file of the manifest is not part of the emission.
    Left(String),
}

/// Why an emission cannot be written or compared.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ProjectError {
    /// Files stand there that the generator did not write, or that were edited.
    #[error("files of somebody else stand in the way: {} ({count} in all)", .files.join(", "))]
    Foreign {
        /// How many.
        count: usize,
        /// The first of them.
        files: Vec<String>,
    },
    /// Files of the generator were edited by hand.
    #[error("generated files were edited: {} ({count} in all)", .files.join(", "))]
    Edited {
        /// How many.
        count: usize,
        /// The first of them.
        files: Vec<String>,
    },
    /// An emission is there already.
    #[error("an emission is there already")]
    Emitted,
    /// There is no emission.
    #[error("there is no emission")]
    Absent,
    /// The manifest is broken.
    #[error("{MANIFEST}: {0}")]
    Manifest(String),
    /// The system would not have it.
    #[error("{path}: {source}")]
    Disk {
        /// The path.
        path: String,
        /// What the system said.
        source: io::Error,
    },
}

/// Whether the implementer's files are laid out where they are not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Offer {
    /// Now, when the project begins.
    Once,
    /// They were once, and what became of them is the implementer's business.
    Never,
}

/// A folder that holds an emission, or will.
#[derive(Debug)]
pub struct Project {
    // Through a capability: no link in the folder leads a write outside.
    root: Dir,
    manifest: Option<Manifest>,
}

impl Project {
    /// Opens a folder; one that is not there is made.
    ///
    /// # Errors
    /// The system would not have it, or the manifest in it is broken.
    pub fn create(folder: &Path) -> Result<Self, ProjectError> {
        std::fs::create_dir_all(folder).map_err(disk(&folder.display().to_string()))?;
        Self::open(folder)
    }

    /// Opens a folder.
    ///
    /// # Errors
    /// It is not there, or the manifest in it is broken.
    pub fn open(folder: &Path) -> Result<Self, ProjectError> {
        let root = Dir::open_ambient_dir(folder, ambient_authority()).map_err(disk(&folder.display().to_string()))?;
        let manifest = match read(&root, MANIFEST)? {
            None => None,
            Some(bytes) => {
                let manifest: Manifest =
                    serde_json::from_slice(&bytes).map_err(|error| ProjectError::Manifest(error.to_string()))?;
                if manifest.form != FORM {
                    return Err(ProjectError::Manifest(format!("form {:?} is not {FORM:?}", manifest.form)));
                }
                Some(manifest)
            }
        };
        Ok(Self { root, manifest })
    }

    /// The manifest of the emission that is there.
    ///
    /// # Errors
    /// There is none.
    pub fn manifest(&self) -> Result<&Manifest, ProjectError> {
        self.manifest.as_ref().ok_or(ProjectError::Absent)
    }

    /// Writes an emission where none is. Files of the implementer that are there already are kept.
    ///
    /// # Errors
    /// An emission is there, or a file stands in the way; nothing was written then.
    pub fn write(&self, files: &Files, manifest: &Manifest) -> Result<Written, ProjectError> {
        if self.manifest.is_some() {
            return Err(ProjectError::Emitted);
        }
        self.bring(files, manifest, &BTreeMap::new(), Offer::Once)
    }

    /// Brings the emission up to date. Files of the implementer are left as they are, moved and removed ones too; generated
    /// ones that are no longer part of it go.
    ///
    /// # Errors
    /// There is no emission, a generated file was edited, or a file stands in the way; nothing was written then.
    pub fn update(&self, files: &Files, manifest: &Manifest) -> Result<Written, ProjectError> {
        self.bring(files, manifest, &self.manifest()?.files, Offer::Never)
    }

    /// Every place where disk and emission part, sorted. What the implementer owns is not looked at.
    ///
    /// # Errors
    /// There is no emission, or a file cannot be read.
    pub fn check(&self, files: &Files, manifest: &Manifest) -> Result<Vec<Drift>, ProjectError> {
        let earlier = self.manifest()?;
        let mut drifts = Vec::new();
        for (path, file) in files.iter().filter(|(_, file)| file.owner == Owner::Generator) {
            match read(&self.root, path)? {
                None => drifts.push(Drift::Missing(path.to_owned())),
                Some(bytes) if bytes != file.bytes => drifts.push(Drift::Changed(path.to_owned())),
                Some(_) => {}
            }
        }
        let left = earlier.files.keys().filter(|path| !manifest.files.contains_key(*path));
        drifts.extend(left.cloned().map(Drift::Left));
        if read(&self.root, MANIFEST)?.as_deref() != Some(text(manifest)?.as_bytes()) {
            drifts.push(Drift::Changed(MANIFEST.to_owned()));
        }
        drifts.sort();
        Ok(drifts)
    }

    fn bring(
        &self,
        files: &Files,
        manifest: &Manifest,
        earlier: &BTreeMap<String, String>,
        offer: Offer,
    ) -> Result<Written, ProjectError> {
        let mut done = Written::default();
        let (mut foreign, mut edited, mut due) = (Vec::new(), Vec::new(), Vec::new());
        for (path, file) in files.iter() {
            let there = read(&self.root, path)?;
            match (file.owner, there) {
                (Owner::Implementer, None) if offer == Offer::Never => {}
                (_, None) => due.push((path, &file.bytes)),
                (Owner::Implementer, Some(_)) => done.kept.push(path.to_owned()),
                (Owner::Generator, Some(bytes)) if bytes == file.bytes => done.same += 1,
                (Owner::Generator, Some(bytes)) => match earlier.get(path) {
                    Some(digest) if *digest == sha256(&bytes) => due.push((path, &file.bytes)),
                    Some(_) => edited.push(path.to_owned()),
                    None => foreign.push(path.to_owned()),
                },
            }
        }
        for (path, digest) in earlier.iter().filter(|(path, _)| files.find(path).is_none()) {
            match read(&self.root, path)? {
                Some(bytes) if *digest == sha256(&bytes) => done.removed.push(path.clone()),
                Some(_) => edited.push(path.clone()),
                None => {}
            }
        }
        let shown = |files: Vec<String>| (files.len(), files.into_iter().take(5).collect());
        if !foreign.is_empty() {
            let (count, files) = shown(foreign);
            return Err(ProjectError::Foreign { count, files });
        }
        if !edited.is_empty() {
            let (count, files) = shown(edited);
            return Err(ProjectError::Edited { count, files });
        }
        for path in &done.removed {
            self.root.remove_file(path).map_err(disk(path))?;
        }
        for (path, bytes) in &due {
            self.put(path, bytes)?;
        }
        done.written = due.len();
        // Last: until it stands there, the earlier manifest still says what the files are.
        self.put(MANIFEST, text(manifest)?.as_bytes())?;
        Ok(done)
    }

    /// Writes a whole file or none: a temporary one in the project, then a rename.
    fn put(&self, path: &str, bytes: &[u8]) -> Result<(), ProjectError> {
        let broken = || disk(path);
        if let Some((folder, _)) = path.rsplit_once('/') {
            self.root.create_dir_all(folder).map_err(broken())?;
        }
        let mut file = TempFile::new(&self.root).map_err(broken())?;
        file.write_all(bytes).map_err(broken())?;
        file.replace(path).map_err(broken())
    }
}

/// The manifest as it stands in its file.
fn text(manifest: &Manifest) -> Result<String, ProjectError> {
    resolve::pretty(manifest).map_err(|error| ProjectError::Manifest(error.to_string()))
}

/// The largest file of a project that is read, in bytes: many times what a pack of the whole corpus has, and what any memory holds.
const LARGEST: u64 = MIB << 20;
const MIB: u64 = 256;

/// The bytes of a file, if it is there. It may grow while it is read, so the limit is one of the reading.
fn read(root: &Dir, path: &str) -> Result<Option<Vec<u8>>, ProjectError> {
    let file = match root.open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        opened => opened.map_err(disk(path))?,
    };
    let (size, mut bytes) = (file.metadata().map_err(disk(path))?.len(), Vec::new());
    if size <= LARGEST {
        file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(disk(path))?;
    }
    if size.max(bytes.len() as u64) > LARGEST {
        let why = format!("has {size} bytes, more than the {MIB} MiB that a file of a project may have; move it away");
        return Err(disk(path)(io::Error::new(io::ErrorKind::FileTooLarge, why)));
    }
    Ok(Some(bytes))
}

fn disk(path: &str) -> impl FnOnce(io::Error) -> ProjectError {
    let path = path.to_owned();
    move |source| ProjectError::Disk { path, source }
}
