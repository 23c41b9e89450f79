//! Writing: standard output, standard error, whole files, and what a terminal allows.

use std::{
    borrow::Cow,
    fs,
    io::{self, ErrorKind, IsTerminal as _, Write as _},
    path::Path,
};

pub(crate) use assize::clean::clean;
use assize::report::Paint;
use assize_verifier::finding::Finding;
use comfy_table::{ContentArrangement, Table, presets};
use serde::Serialize;
use serde_json::json;

use super::trouble::Trouble;

/// Writes to standard output. A reader that has gone away has what it wanted.
pub(crate) fn out(bytes: &[u8]) -> Result<(), Trouble> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            let message = format!("standard output cannot be written: {error}");
            Err(Trouble::unreadable(message, "check where it leads, and the space there"))
        }
        _ => Ok(()),
    }
}

/// Writes to standard error, for people; that nobody listens is no trouble.
pub(crate) fn err(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// A value as indented JSON with a final line feed, on standard output.
pub(crate) fn json(value: &impl Serialize) -> Result<(), Trouble> {
    let mut text = serde_json::to_vec_pretty(value).map_err(Trouble::bug)?;
    text.push(b'\n');
    out(&text)
}

/// Writes a whole file or none: a temporary one beside it, then a rename.
pub(crate) fn atomically(path: &Path, bytes: &[u8]) -> Result<(), Trouble> {
    let name = path.display();
    let broken = |error: io::Error| {
        Trouble::unreadable(
            format!("{name}: cannot be written: {error}"),
            "check that its folder exists and may be written to; nothing was left there",
        )
    };
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        let message = format!("{name}: is there already, and no regular file");
        return Err(Trouble::unreadable(message, "name a file; without --output the report goes to standard output"));
    }
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".assize-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder).map_err(broken)?;
    file.write_all(bytes).and_then(|()| file.as_file().sync_all()).map_err(broken)?;
    file.persist(path).map_err(|error| broken(error.error))?;
    Ok(())
}

/// Whether `NO_COLOR` leaves colours on.
pub(crate) fn colours() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// How standard output is painted.
pub(crate) fn paint() -> Paint {
    if io::stdout().is_terminal() && colours() { Paint::Colour } else { Paint::Plain }
}

/// Columns of the terminal; none when standard output is something else, where lines are never folded.
pub(crate) fn width() -> Option<u16> {
    let columns = || terminal_size::terminal_size().map(|(width, _)| width.0);
    if io::stdout().is_terminal() { columns() } else { None }
}

/// A table without borders; folded to the terminal, one line a row elsewhere.
pub(crate) fn table<const N: usize>(header: [&str; N], rows: impl IntoIterator<Item = [String; N]>) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    if let Some(width) = width() {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    }
    table.set_header(header);
    for row in rows {
        table.add_row(row.map(|cell| clean(&cell).into_owned()));
    }
    let mut text = String::new();
    for line in table.lines() {
        text.push_str(line.strip_prefix(' ').unwrap_or(&line).trim_end());
        text.push('\n');
    }
    text
}

/// A number of things, in words.
pub(crate) fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// A finding for machines.
pub(crate) fn finding(finding: &Finding) -> serde_json::Value {
    json!({
        "law": finding.law.slug(),
        "code": finding.code,
        "pointer": finding.pointer.as_str(),
        "severity": finding.severity.name(),
        "message": finding.message,
    })
}

/// The text, cut in its middle where it is long: a pointer may lead through thousands of levels.
pub(crate) fn middle(text: &str) -> Cow<'_, str> {
    const SHOWN: usize = 60;
    let letters = text.chars().count();
    if letters <= 2 * SHOWN {
        return Cow::Borrowed(text);
    }
    let (start, end): (String, String) =
        (text.chars().take(SHOWN).collect(), text.chars().skip(letters - SHOWN).collect());
    Cow::Owned(format!("{start}...{end}"))
}
