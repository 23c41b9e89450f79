//! What a release rests on: manifests of what is published, links to what lies outside of a crate, and the changelog.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use regex_lite::Regex;
use toml::Table;

fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn manifest(folder: &str) -> Table {
    fs::read_to_string(top().join(folder).join("Cargo.toml")).unwrap().parse().unwrap()
}

/// The folder and the manifest of every member of the workspace.
fn members() -> Vec<(String, Table)> {
    let members = manifest(".")["workspace"]["members"].as_array().unwrap().clone();
    members
        .iter()
        .map(|folder| folder.as_str().unwrap().to_owned())
        .map(|folder| (folder.clone(), manifest(&folder)))
        .collect()
}

#[test]
fn only_what_is_published_has_a_version_to_depend_on() {
    let workspace = manifest(".");
    let version = workspace["workspace"]["package"]["version"].as_str().unwrap();
    assert_eq!(version, env!("CARGO_PKG_VERSION"));
    let mut published = 0;
    for (folder, manifest) in members() {
        let name = manifest["package"]["name"].as_str().unwrap();
        let owed = &workspace["workspace"]["dependencies"][name];
        assert_eq!(owed["path"].as_str(), Some(folder.as_str()), "{name}");
        let stays = folder.starts_with("conformance/dev/");
        assert_eq!(
            manifest["package"].get("publish").and_then(|publish| publish.as_bool()),
            stays.then_some(false),
            "{name}"
        );
        let wanted = (!stays).then(|| format!("={version}"));
        assert_eq!(owed.get("version").and_then(|version| version.as_str()), wanted.as_deref(), "{name}");
        published += usize::from(!stays);
    }
    assert_eq!(published, 9);
}

#[test]
fn what_is_published_says_what_it_is_and_holds_its_licence() {
    let licence = fs::read_to_string(top().join("LICENSE")).unwrap();
    for (folder, manifest) in members().into_iter().filter(|(folder, _)| !folder.starts_with("conformance/dev/")) {
        let package = manifest["package"].as_table().unwrap();
        let list = |name: &str| package[name].as_array().unwrap().len();
        assert!((1..=5).contains(&list("keywords")) && (1..=5).contains(&list("categories")), "{folder}");
        assert!(!package["description"].as_str().unwrap().is_empty(), "{folder}");
        let here = top().join(&folder);
        assert!(here.join(package["readme"].as_str().unwrap()).is_file(), "{folder}");
        assert!(
            here.join("LICENSE").is_symlink() && fs::read_to_string(here.join("LICENSE")).unwrap() == licence,
            "{folder}"
        );
    }
    for folder in ["vectors", "verifier"] {
        assert_eq!(fs::read_link(top().join(folder).join("contracts")).unwrap(), Path::new("../contracts"));
    }
}

/// What is read when a crate is built lies in its own folder, be it behind a link: a package has no repository around it.
#[test]
fn no_source_of_what_is_published_leads_out_of_its_folder() {
    let included = Regex::new(r#"include(?:_str|_bytes)?!\("([^"]+)"\)"#).unwrap();
    let (mut sources, mut files) = (0, 0);
    for (folder, _) in members().into_iter().filter(|(folder, _)| !folder.starts_with("conformance/dev/")) {
        let here = top().join(&folder);
        let mut pending = vec![here.join("src"), here.join("build.rs")];
        while let Some(path) = pending.pop() {
            if path.is_dir() {
                pending.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            }
            let Ok(text) = fs::read_to_string(&path) else { continue };
            sources += 1;
            let shown = path.display();
            // What tests at the end of a file read is theirs: a package is built without the repository, and tested in it.
            let built = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
            assert!(!built.contains("CARGO_MANIFEST_DIR\"), \"/.."), "{shown} leads out of {folder}");
            for file in included.captures_iter(built) {
                let place = lexical(&path.parent().unwrap().join(&file[1]));
                assert!(place.starts_with(&here) && place.is_file(), "{shown} includes {}", &file[1]);
                files += 1;
            }
        }
    }
    assert!(sources > 300 && files > 5, "{sources} sources, {files} files");
}

/// A path without `..`, links left as they are.
fn lexical(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut path, part| {
        if part.as_os_str() == ".." {
            path.pop();
        } else {
            path.push(part);
        }
        path
    })
}

#[test]
fn the_changelog_has_a_section_a_version() {
    let text = fs::read_to_string(top().join("CHANGELOG.md")).unwrap();
    let mut sections = text.lines().filter_map(|line| line.strip_prefix("## "));
    assert_eq!(sections.next(), Some("Unreleased"));
    let form = Regex::new(r"^(\d+)\.(\d+)\.(\d+) - (\d{4}-\d{2}-\d{2})$").unwrap();
    let versions: Vec<([u32; 3], &str)> = sections
        .map(|section| {
            let parts = form.captures(section).unwrap_or_else(|| panic!("`## {section}` is no `## VERSION - DATE`"));
            ([1, 2, 3].map(|part| parts[part].parse().unwrap()), parts.get(4).unwrap().as_str())
        })
        .collect();
    assert!(versions.is_sorted_by(|newer, older| newer.0 > older.0 && newer.1 >= older.1), "{versions:?}");
    let now = versions.first().map(|(version, _)| version.map(|part| part.to_string()).join("."));
    assert_eq!(now.as_deref(), Some(env!("CARGO_PKG_VERSION")));
    let kinds: BTreeSet<&str> = text.lines().filter_map(|line| line.strip_prefix("### ")).collect();
    let known = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"];
    assert!(kinds.iter().all(|kind| known.contains(kind)), "{kinds:?}");
}
