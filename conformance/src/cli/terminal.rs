//! What a terminal allows.

use std::io::{self, IsTerminal as _};

/// Whether `NO_COLOR` leaves colours on.
pub(crate) fn colours() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Columns of the terminal; none when standard output is something else, where lines are never folded.
pub(crate) fn width() -> Option<u16> {
    let columns = || terminal_size::terminal_size().map(|(width, _)| width.0);
    if io::stdout().is_terminal() { columns() } else { None }
}
