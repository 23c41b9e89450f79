//! Folders, law manifests and the laws of each system are one and the same set.
//!
//! Contract: `vectors/README.md`, How to add a law. Every law has the same slug everywhere.

use std::collections::BTreeMap;

use super::Desk;

/// Below this, a law says why it has so few cases.
const ENOUGH: usize = 25;

pub(super) fn check(desk: &mut Desk<'_>) {
    let corpus = desk.corpus;
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for id in corpus.cases.keys() {
        if let Some((folder, _)) = id.rsplit_once('/') {
            *counts.entry(folder).or_default() += 1;
        }
    }
    for error in corpus.errors.iter().filter(|error| super::super::is_case(&error.file)) {
        // A case that does not load is still a file of the folder.
        let below = error.file.strip_prefix("vectors/").unwrap_or_default();
        if let Some((folder, _)) = below.rsplit_once('/') {
            *counts.entry(folder).or_default() += 1;
        }
    }
    for folder in counts.keys().filter(|folder| !corpus.manifests.contains_key(**folder)) {
        let file = format!("vectors/{folder}/law.json");
        desk.find(&file, "", "cases without a law manifest", "add law.json beside them");
    }
    for (folder, manifest) in &corpus.manifests {
        let file = format!("vectors/{folder}/law.json");
        let count = counts.get(folder.as_str()).copied().unwrap_or(0);
        if manifest.slug != *folder {
            desk.find(&file, "/slug", format!("the slug is {:?}", manifest.slug), &format!("make it {folder:?}"));
        }
        if manifest.count != count {
            let message = format!("says {} cases, and there are {count}", manifest.count);
            desk.find(&file, "/count", message, "correct the count; a vanished case is listed in `retired`");
        }
        match &manifest.fewer {
            None if count < ENOUGH => {
                desk.find(
                    &file,
                    "",
                    format!("{count} cases, fewer than {ENOUGH}"),
                    "add cases, or the reason as `fewer`",
                );
            }
            Some(_) if count >= ENOUGH => {
                desk.find(&file, "/fewer", format!("{count} cases are no longer few"), "remove `fewer`");
            }
            _ => {}
        }
        for (index, id) in manifest.retired.iter().enumerate() {
            let pointer = format!("/retired/{index}");
            if corpus.cases.contains_key(id) {
                desk.find(&file, &pointer, format!("{id} is retired and in use"), "give the new case another id");
            }
            if !id.starts_with(&format!("{folder}/")) {
                desk.find(&file, &pointer, format!("{id} is no id of this law"), "list it in its own law's manifest");
            }
        }
        match desk.laws.get(folder) {
            None => {
                desk.find(&file, "/slug", "no such law in contracts/laws", "correct the slug, or add the law there");
            }
            Some(law) if law.unjudged.is_some() => {
                let remedy = "remove the folder, or name the law's module and operations in contracts/laws";
                desk.find(&file, "/slug", "contracts/laws says that no operation can judge this law", remedy);
            }
            Some(_) => {}
        }
    }
    let judged = desk.laws.values().filter(|law| law.unjudged.is_none()).map(|law| &law.slug);
    let absent: Vec<_> = judged.filter(|slug| !corpus.manifests.contains_key(*slug)).cloned().collect();
    for slug in absent {
        let system = slug.split('/').next().unwrap_or_default();
        let remedy = format!("add vectors/{slug}/law.json with its cases");
        desk.find(
            &format!("contracts/laws/{system}.json"),
            "/laws",
            format!("{slug} has no folder of vectors"),
            &remedy,
        );
    }
    for case in corpus.cases.values() {
        let Some(law) = desk.laws.get(case.law()) else {
            continue;
        };
        if !law.operations.contains(&case.op) {
            let message = format!("{} does not test {}", case.op, case.law());
            desk.find(
                &case.path(),
                "/op",
                message,
                "move the case, or list the operation with the law in contracts/laws",
            );
        }
    }
}
