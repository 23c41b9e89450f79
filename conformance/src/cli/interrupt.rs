//! The interrupt of a verb that takes long: the first ends what it does in order, the second the process.

use std::sync::atomic::{AtomicBool, Ordering};

use assize::exit::Exit;

use super::output;

/// Set by the first interrupt: every wait looks it up.
pub(crate) static STOP: AtomicBool = AtomicBool::new(false);

/// Says from now on that `what` ends when it is interrupted, and does so; `last` is done before a second interrupt ends the process.
pub(crate) fn heed(what: &'static str, last: fn()) {
    // Only the first handler of a process can be set, and there is one run a process outside tests.
    let _ = ctrlc::set_handler(move || {
        if STOP.swap(true, Ordering::Relaxed) {
            last();
            std::process::exit(i32::from(Exit::NoAnswer.code()));
        }
        output::err(&format!("\nending the {what}; once more ends it at once\n"));
    });
}
