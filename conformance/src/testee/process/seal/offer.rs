//! What this system offers: tried once for a launcher, with everything but a testee.

use std::{
    collections::HashMap,
    io::ErrorKind,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use assize_corpus::disk::Scratch;

use super::{
    super::unstarted::is_short,
    Offer,
    start::{Unstarted, dismiss, start},
    wire::Plan,
};

/// What is offered; nothing where not even a testee without namespaces can be restricted.
///
/// # Errors
/// The system is short of processes, memory, open files or space, so that nothing was tried: that is asked again the next time.
pub(crate) fn offer(launcher: &Path) -> Result<Option<Offer>, String> {
    static KNOWN: Mutex<Option<HashMap<PathBuf, Option<Offer>>>> = Mutex::new(None);
    // Held while it is tried: nobody else finds out anything sooner.
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let known = known.get_or_insert_default();
    if let Some(offer) = known.get(launcher) {
        return Ok(offer.clone());
    }
    let offer = probe(launcher)?;
    known.insert(launcher.to_owned(), offer.clone());
    Ok(offer)
}

fn probe(launcher: &Path) -> Result<Option<Offer>, String> {
    let scratch = match Scratch::new() {
        Ok(scratch) => scratch,
        // A full disk offers no less than an empty one, and may be emptied before it is asked again.
        Err(error)
            if is_short(error.raw_os_error())
                || matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded) =>
        {
            return Err(error.to_string());
        }
        Err(_) => return Ok(None),
    };
    let attempt = |namespaces: bool| {
        let plan = Plan { scratch: scratch.path().into(), ..Plan::nobody() };
        match start(launcher, namespaces, &plan) {
            Ok(launched) => {
                let mut child = launched.child;
                drop(launched.init);
                dismiss(&mut child);
                Ok(Some(Offer { namespaces, held: launched.held }))
            }
            Err(Unstarted::Short(why)) => Err(why),
            Err(Unstarted::Refused(_) | Unstarted::Program(_)) => Ok(None),
        }
    };
    Ok(match attempt(true)? {
        Some(offer) => Some(offer),
        None => attempt(false)?,
    })
}
