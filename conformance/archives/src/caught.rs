//! Archives over which their reader stumbles.

use std::{
    panic::{self, AssertUnwindSafe},
    path::Path,
};

use crate::Damage;

/// Reads of an archive; where the reader breaks off, that is said of the archive, and others are read.
pub(crate) fn caught<T>(archive: &Path, read: impl FnOnce() -> Result<T, Damage>) -> Result<T, Damage> {
    panic::catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|payload| {
        let said = payload.downcast_ref::<String>().map(String::as_str).or(payload.downcast_ref::<&str>().copied());
        let said = said.unwrap_or("it did not say why");
        let message = format!("{}: assize broke off while it read it: {said}", archive.display());
        Err(Damage { broke_off: true, ..Damage::new(message, "this is a bug of assize: report it with the archive") })
    })
}
