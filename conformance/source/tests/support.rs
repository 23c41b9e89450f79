//! What the tests share: a judgement of a tree, as the command makes it.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use assize_source::{Options, Tree, read};
use assize_verifier::reply;

/// Where a law is broken: file, line, law.
pub(crate) type Breach = (String, usize, String);

/// What is planted: a tree, or the registry of all.
pub(crate) fn planted(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/planted").join(name)
}

pub(crate) fn tree(root: &Path) -> Tree {
    read(root, &Options::default()).unwrap()
}

/// All breaches of a tree, those that are allowed left out.
pub(crate) fn breaches(tree: &Tree, registry: &[u8]) -> Vec<Breach> {
    let sites = tree.call_sites().unwrap();
    let registry = format!(r#"{{"registries": [{}]}}"#, std::str::from_utf8(registry).unwrap());
    let document = format!(r#"{{"call_sites": {sites}, "registry": {registry}}}"#);
    let judged = reply::source(document.as_bytes()).unwrap();
    let mut all: Vec<Breach> = Vec::new();
    for breach in &judged.findings {
        let site = tree.site(breach.finding.pointer.as_str()).unwrap();
        let law = breach.finding.law.slug();
        if site.is_judged(law) && site.certain {
            all.push((site.place.file.clone(), site.place.line, law.to_owned()));
        }
    }
    all.extend(tree.findings.iter().map(|one| (one.place.file.clone(), one.place.line, one.law.to_owned())));
    let allowed = |(file, line, law): &Breach| {
        let mut allowed = tree.allowed.iter().filter(|one| !one.reason.is_empty());
        allowed.any(|one| one.place.file == *file && one.line == *line && one.law == *law)
    };
    all.retain(|breach| !allowed(breach));
    all.sort();
    all.dedup();
    all
}

/// What the comments of a tree announce.
pub(crate) fn announced(root: &Path) -> Vec<Breach> {
    let mut all = Vec::new();
    for (name, text) in files(root) {
        for (index, text) in text.lines().enumerate() {
            let Some((_, laws)) = text.split_once("fault: ") else { continue };
            all.extend(laws.split_whitespace().map(|law| (name.clone(), index + 1, law.to_owned())));
        }
    }
    all.sort();
    all
}

/// All files below a folder.
fn files(root: &Path) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    let mut pending = vec![root.to_owned()];
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                pending.push(path);
            } else {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
                all.insert(name, fs::read_to_string(&path).unwrap());
            }
        }
    }
    all
}
