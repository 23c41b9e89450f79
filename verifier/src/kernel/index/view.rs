//! What a home holds, as one document: the committed state, and what is staged.
//!
//! Spec: ruling KE-48, the view. Records that cannot be read are left out; tokens stand as they stand on disk.

use std::collections::{BTreeMap, BTreeSet};

use crate::canon::compose;
use crate::digest::Digest;
use crate::files::{EntryKind, HomeReader};
use crate::kernel::model::home::{Found, HomeFailure, Stop, find, list, walk};
use crate::kernel::model::layout::{INDEX, RECORD, STAGING, Tree, below};
use crate::kernel::model::ledger::Ledger;
use crate::kernel::model::record::{RefRecord, TripletRecord};
use crate::kernel::model::triplets::Triplets;

/// The view of a home, canonical.
pub(crate) fn view(home: &dyn HomeReader) -> Result<Vec<u8>, HomeFailure> {
    let committed = Tree::committed();
    let ledger = match Ledger::load(home, &committed) {
        Ok(ledger) => ledger,
        Err(Stop::Refused(_)) => Ledger::default(),
        Err(Stop::Home(failure)) => return Err(failure),
    };
    let objects = objects(home, &committed)?;
    Ok(compose::object(&[
        ("triplets", triplets(home, &committed, |record| compose::array(record.values()))?.unwrap_or(b"{}".to_vec())),
        ("refs", references(home, &committed)?),
        ("objects", compose::array(objects.iter().map(|name| compose::string(name)))),
        ("staged_triplets", staged(home)?),
        ("ledger", ledger.runs_canonical()),
    ]))
}

/// An object of what was collected by name.
fn named(members: &BTreeMap<String, Vec<u8>>) -> Vec<u8> {
    let members: Vec<_> = members.iter().map(|(name, value)| (name.as_str(), value)).collect();
    compose::object(&members)
}

/// Triplet records by stem; none if there is no record.
fn triplets(
    home: &dyn HomeReader,
    tree: &Tree,
    written: impl Fn(&TripletRecord) -> Vec<u8>,
) -> Result<Option<Vec<u8>>, HomeFailure> {
    let records = Triplets::read(home, tree)?.records;
    let members = records.iter().map(|(stem, record)| (stem.to_string(), written(record))).collect();
    Ok((!records.is_empty()).then(|| named(&members)))
}

/// Sources by type and id.
fn references(home: &dyn HomeReader, tree: &Tree) -> Result<Vec<u8>, HomeFailure> {
    let folder = tree.references();
    let mut found = BTreeMap::new();
    for kind in list(home, &folder)?.iter().filter(|entry| entry.kind == EntryKind::Folder) {
        let folder = format!("{folder}/{}", kind.name);
        for entry in list(home, &folder)? {
            let Some(id) = entry.name.strip_suffix(RECORD) else { continue };
            let path = format!("{folder}/{}", entry.name);
            let Found::Bytes(bytes) = find(home, &path)? else { continue };
            let record = RefRecord::parse(&bytes).ok();
            if let Some(record) = record.filter(|record| tree.reference(&record.kind, &record.id) == path) {
                let sources = compose::array(record.sources.iter().map(|source| compose::array(source.values())));
                found.insert(format!("{}:{id}", kind.name), sources);
            }
        }
    }
    Ok(named(&found))
}

/// Names of objects.
fn objects(home: &dyn HomeReader, tree: &Tree) -> Result<BTreeSet<String>, HomeFailure> {
    let mut found = BTreeSet::new();
    walk::<HomeFailure>(home, &tree.objects(), &mut |path, kind| {
        let name = path.rsplit('/').next().unwrap_or_default();
        let digest = Digest::from_hex(name.as_bytes()).filter(|digest| tree.object(*digest) == path);
        if kind == EntryKind::File && digest.is_some() {
            found.insert(name.to_owned());
        }
        Ok(())
    })?;
    Ok(found)
}

/// Staged records of every turn that has any, as they are stored.
fn staged(home: &dyn HomeReader) -> Result<Vec<u8>, HomeFailure> {
    let mut found = BTreeMap::new();
    for run in list(home, STAGING)? {
        let folder = format!("{STAGING}/{}", run.name);
        for turn in list(home, &folder)? {
            let folder = format!("{folder}/{}", turn.name);
            if let Some(records) = triplets(home, &Tree::at(&folder), TripletRecord::canonical)? {
                let below = below(INDEX, &folder);
                found.insert(below.unwrap_or_default().to_owned(), records);
            }
        }
    }
    Ok(named(&found))
}
