//! What a home holds, as one document: the committed state, and what is staged.
//!
//! Spec: ruling KE-48, the view. Records that cannot be read are left out; tokens stand as they stand on disk.

use std::convert::Infallible;

use crate::canon::compose;
use crate::digest::Digest;
use crate::files::{EntryKind, HomeReader};
use crate::kernel::model::home::{Found, HomeFailure, Stop, find, list, walk};
use crate::kernel::model::layout::{INDEX, RECORD, STAGING, TOMBSTONE, Tree, below};
use crate::kernel::model::ledger::Ledger;
use crate::kernel::model::record::{RefRecord, TripletRecord};

/// Where a view goes, piece by piece: it can be as large as the home.
type Out<'o, E> = dyn FnMut(&[u8]) -> Result<(), E> + 'o;

/// Writes the view of a home, canonical.
pub(crate) fn view<E: From<HomeFailure>>(home: &dyn HomeReader, out: &mut Out<'_, E>) -> Result<(), E> {
    let committed = Tree::committed();
    let ledger = match Ledger::load(home, &committed) {
        Ok(ledger) => ledger,
        Err(Stop::Refused(_)) => Ledger::default(),
        Err(Stop::Home(failure)) => return Err(failure.into()),
    };
    out(b"{\"ledger\":")?;
    out(&ledger.runs_canonical())?;
    out(b",\"objects\":[")?;
    objects(home, &committed, out)?;
    out(b"],\"refs\":{")?;
    references(home, &committed, out)?;
    out(b"},\"staged_triplets\":{")?;
    staged(home, out)?;
    out(b"},\"triplets\":{")?;
    triplets(home, &committed, |record| compose::array(record.values()), b"", out)?;
    out(b"}}")
}

/// Writes the name of the next member of an object.
fn name<E>(begun: &mut bool, name: &str, out: &mut Out<'_, E>) -> Result<(), E> {
    if std::mem::replace(begun, true) {
        out(b",")?;
    }
    out(&compose::string(name))?;
    out(b":")
}

/// Writes the triplet records of a tree by stem, if there is one after what comes before them; whether there was.
fn triplets<E: From<HomeFailure>>(
    home: &dyn HomeReader,
    tree: &Tree,
    written: impl Fn(&TripletRecord) -> Vec<u8>,
    before: &[u8],
    out: &mut Out<'_, E>,
) -> Result<bool, E> {
    let folder = tree.triplets();
    let mut stems: Vec<Box<str>> = Vec::new();
    walk::<HomeFailure>(home, &folder, &mut |path, kind| {
        let name = below(&folder, path).filter(|name| kind != EntryKind::Folder && !name.ends_with(TOMBSTONE));
        stems.extend(name.and_then(|name| name.strip_suffix(RECORD)).map(Box::from));
        Ok(())
    })?;
    stems.sort_unstable();
    let mut begun = false;
    for stem in &stems {
        let Found::Bytes(bytes) = find(home, &format!("{folder}/{stem}{RECORD}"))? else { continue };
        let record = TripletRecord::parse(&bytes).ok();
        if let Some(record) = record.filter(|record| record.stem.as_str() == &**stem) {
            if !begun {
                out(before)?;
            }
            name(&mut begun, stem, out)?;
            out(&written(&record))?;
        }
    }
    Ok(begun)
}

/// Writes sources by type and id.
fn references<E: From<HomeFailure>>(home: &dyn HomeReader, tree: &Tree, out: &mut Out<'_, E>) -> Result<(), E> {
    let folder = tree.references();
    let mut places = Vec::new();
    for kind in list(home, &folder)?.iter().filter(|entry| entry.kind == EntryKind::Folder) {
        let folder = format!("{folder}/{}", kind.name);
        for entry in list(home, &folder)? {
            let Some(id) = entry.name.strip_suffix(RECORD) else { continue };
            places.push((format!("{}:{id}", kind.name), format!("{folder}/{}", entry.name)));
        }
    }
    places.sort_by(|(one, _), (other, _)| one.cmp(other));
    let mut begun = false;
    // Two of them may have one name, of which the last that is a record counts.
    for same in places.chunk_by(|(one, _), (other, _)| one == other) {
        for (named, path) in same.iter().rev() {
            let Found::Bytes(bytes) = find(home, path)? else { continue };
            let record = RefRecord::parse(&bytes).ok();
            if let Some(record) = record.filter(|record| tree.reference(&record.kind, &record.id) == *path) {
                name(&mut begun, named, out)?;
                out(&compose::array(record.sources.iter().map(|source| compose::array(source.values()))))?;
                break;
            }
        }
    }
    Ok(())
}

/// Writes names of objects.
fn objects<E: From<HomeFailure>>(home: &dyn HomeReader, tree: &Tree, out: &mut Out<'_, E>) -> Result<(), E> {
    let mut found = Vec::new();
    walk::<HomeFailure>(home, &tree.objects(), &mut |path, kind| {
        let name = path.rsplit('/').next().unwrap_or_default();
        let digest = Digest::from_hex(name.as_bytes()).filter(|digest| tree.object(*digest) == path);
        found.extend(digest.filter(|_| kind == EntryKind::File));
        Ok(())
    })?;
    found.sort_unstable();
    for (index, digest) in found.iter().enumerate() {
        if index > 0 {
            out(b",")?;
        }
        out(&compose::string(&digest.to_hex()))?;
    }
    Ok(())
}

/// Writes staged records of every turn that has any, as they are stored.
fn staged<E: From<HomeFailure>>(home: &dyn HomeReader, out: &mut Out<'_, E>) -> Result<(), E> {
    let mut turns: Vec<Box<str>> = Vec::new();
    for run in list(home, STAGING)? {
        let folder = format!("{STAGING}/{}", run.name);
        turns.extend(list(home, &folder)?.iter().map(|turn| format!("{folder}/{}", turn.name).into()));
    }
    turns.sort_unstable();
    let mut begun = false;
    for folder in &turns {
        let mut before = Vec::new();
        let mut next = begun;
        let Ok(()) = name::<Infallible>(&mut next, below(INDEX, folder).unwrap_or_default(), &mut |piece| {
            before.extend_from_slice(piece);
            Ok(())
        });
        before.push(b'{');
        if triplets(home, &Tree::at(folder), TripletRecord::canonical, &before, out)? {
            out(b"}")?;
            begun = true;
        }
    }
    Ok(())
}
