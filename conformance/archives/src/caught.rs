//! Archives over which their reader stumbles.

use std::{
    any::Any,
    panic::{self, AssertUnwindSafe},
    path::Path,
};

use crate::Damage;

/// Reads of an archive; where the reader breaks off, that is said of the archive, and others are read.
pub(crate) fn caught<T>(archive: &Path, read: impl FnOnce() -> Result<T, Damage>) -> Result<T, Damage> {
    panic::catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|payload| {
        let message =
            format!("{}: assize broke off while it read it: {}", archive.display(), last_words(payload.as_ref()));
        Err(Damage { broke_off: true, ..Damage::new(message, "this is a bug of assize: report it with the archive") })
    })
}

/// What a panic said, or that it said nothing.
#[must_use]
pub fn last_words(payload: &(dyn Any + Send)) -> &str {
    let said = payload.downcast_ref::<String>().map(String::as_str).or(payload.downcast_ref::<&str>().copied());
    said.unwrap_or("it did not say why")
}
