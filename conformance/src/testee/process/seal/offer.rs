//! What this system offers: tried once for a launcher, with everything but a testee.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use assize_corpus::disk::Scratch;

use super::{
    Offer,
    start::{Unstarted, dismiss, start},
    wire::Plan,
};

/// What is offered; nothing where not even a testee without namespaces can be restricted.
pub(crate) fn offer(launcher: &Path) -> Option<Offer> {
    static KNOWN: Mutex<Option<HashMap<PathBuf, Option<Offer>>>> = Mutex::new(None);
    // Held while it is tried: nobody else finds out anything sooner.
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.get_or_insert_default().entry(launcher.to_owned()).or_insert_with(|| probe(launcher)).clone()
}

fn probe(launcher: &Path) -> Option<Offer> {
    let scratch = Scratch::new().ok()?;
    let attempt = |namespaces: bool| {
        let plan = Plan { scratch: scratch.path().into(), ..Plan::nobody() };
        match start(launcher, namespaces, &plan) {
            Ok(launched) => {
                let mut child = launched.child;
                drop(launched.init);
                dismiss(&mut child);
                Some(Offer { namespaces, held: launched.held })
            }
            Err(Unstarted::Refused(_) | Unstarted::Program(_)) => None,
        }
    };
    attempt(true).or_else(|| attempt(false))
}
