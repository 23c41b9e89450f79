//! What is declared: one data file for each seeded fault.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use serde::Deserialize;

/// A mistake that implementers of a law make, as one change in the verifier.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SeededFault {
    /// The law that has to notice.
    pub(crate) law: String,
    /// The changed file, below the verifier's sources.
    pub(crate) file: String,
    /// What is replaced; it stands in the file once.
    pub(crate) find: String,
    /// What replaces it.
    pub(crate) replace: String,
    /// What implementers do wrong that this imitates.
    pub(crate) why: String,
    /// What has to become of it, if it is not to be killed.
    #[serde(default)]
    pub(crate) outcome: Expected,
}

/// What has to become of a seeded fault.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Expected {
    /// A vector of its own law kills it.
    #[default]
    Killed,
    /// No vector can: the argument why it changes no decision.
    Equivalent(String),
}

/// A seeded fault and the name of its file.
#[derive(Debug, Clone)]
pub(crate) struct Declared {
    /// `<law>--<name>`, the stem of the file.
    pub(crate) stem: String,
    /// The folder that it lies in.
    pub(crate) system: String,
    pub(crate) fault: SeededFault,
}

impl Declared {
    /// What distinguishes it from the others of its law.
    pub(crate) fn name(&self) -> &str {
        self.stem.split_once("--").map_or("", |(_, name)| name)
    }

    /// The changed text of the file, if it is one change.
    pub(crate) fn applied(&self, sources: &Path) -> Result<String, String> {
        let SeededFault { file, find, replace, .. } = &self.fault;
        let text = fs::read_to_string(sources.join(file)).map_err(|error| format!("{file}: {error}"))?;
        match text.matches(find.as_str()).count() {
            1 if find != replace => Ok(text.replacen(find.as_str(), replace, 1)),
            1 => Err("the replacement is what stands there".to_owned()),
            count => Err(format!("{find:?} stands {count} times in {file}")),
        }
    }

    /// Whether this one is asked for, by law, by stem or by both.
    pub(crate) fn is_asked_for(&self, asked: &str) -> bool {
        asked == self.fault.law || asked == self.stem || asked == format!("{}/{}", self.system, self.stem)
    }
}

/// Everything that is declared, in order of the laws' slugs and of names.
pub(crate) fn all() -> Vec<Declared> {
    let mut found = Vec::new();
    for system in folders(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/seeded_faults")) {
        for file in entries(&system) {
            let shown = file.display();
            assert_eq!(file.extension().and_then(|extension| extension.to_str()), Some("json"), "{shown}: a data file");
            let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{shown}: {error}"));
            let fault = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{shown}: {error}"));
            found.push(Declared { stem: stem(&file), system: stem(&system), fault });
        }
    }
    found
}

/// Every declared law that is judged, and how many cases it has.
pub(crate) fn laws(repository: &Path) -> BTreeMap<String, usize> {
    #[derive(Deserialize)]
    struct Law {
        slug: String,
        unjudged: Option<String>,
    }
    let read = |path: PathBuf| fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut laws = BTreeMap::new();
    for file in folders(&repository.join("contracts/laws")).iter().flat_map(|system| entries(system)) {
        let law: Law = serde_json::from_str(&read(file)).unwrap();
        if law.unjudged.is_none() {
            let beside = entries(&repository.join("vectors").join(&law.slug));
            let cases = beside.iter().filter(|path| path.extension().is_some_and(|extension| extension == "json"));
            laws.insert(law.slug, cases.count());
        }
    }
    laws
}

fn folders(folder: &Path) -> Vec<PathBuf> {
    entries(folder).into_iter().filter(|entry| entry.is_dir()).collect()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<_> = fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    entries
}

fn stem(path: &Path) -> String {
    path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned()
}
