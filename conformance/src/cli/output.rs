//! Writing: standard output, standard error, whole files, and what a terminal allows.

use std::{
    borrow::Cow,
    collections::BTreeSet,
    fs,
    io::{self, BufWriter, ErrorKind, IsTerminal as _, Write},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use assize::report::Paint;
pub(crate) use assize::{clean::clean, words::counted};
use assize_verifier::finding::{Finding, Severity};
use comfy_table::{ContentArrangement, Table, presets};
use serde::Serialize;
use serde_json::json;
use tempfile::NamedTempFile;

use super::{
    error::CliError,
    terminal::{colours, error_width, folded, width},
};

/// Why writing piece by piece stops.
pub(crate) enum Stop {
    /// The pieces cannot be written.
    Unwritable(io::Error),
    /// There are no more pieces.
    Failed(CliError),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Unwritable(error)
    }
}

impl From<CliError> for Stop {
    fn from(error: CliError) -> Self {
        Self::Failed(error)
    }
}

/// Writes to standard output. A reader that has gone away has what it wanted.
pub(crate) fn out(bytes: &[u8]) -> Result<(), CliError> {
    out_piecewise(|stdout| Ok(stdout.write_all(bytes)?))
}

/// Writes to standard output piece by piece.
pub(crate) fn out_piecewise(write: impl FnOnce(&mut dyn Write) -> Result<(), Stop>) -> Result<(), CliError> {
    let mut stdout = BufWriter::new(io::stdout().lock());
    match write(&mut stdout).and_then(|()| Ok(stdout.flush()?)) {
        Err(Stop::Unwritable(error)) if error.kind() != ErrorKind::BrokenPipe => {
            let message = format!("standard output cannot be written: {error}");
            Err(CliError::unreadable(message, "check where it leads, and the space there"))
        }
        Err(Stop::Failed(error)) => Err(error),
        _ => Ok(()),
    }
}

/// Writes to standard output what people read, in lines that a terminal has room for.
pub(crate) fn say(text: &str) -> Result<(), CliError> {
    out(folded(text, width()).as_bytes())
}

/// The same piece by piece, each of whole lines.
pub(crate) fn say_piecewise(
    write: impl FnOnce(&mut dyn FnMut(&str) -> Result<(), Stop>) -> Result<(), Stop>,
) -> Result<(), CliError> {
    let width = width();
    out_piecewise(|stdout| write(&mut |text| Ok(stdout.write_all(folded(text, width).as_bytes())?)))
}

/// What people read, as it is delivered to this file: only standard output can be a terminal.
pub(crate) fn said_for(file: Option<&Path>, text: String) -> Vec<u8> {
    if file.is_none() { folded(&text, width()).into_owned().into_bytes() } else { text.into_bytes() }
}

/// Writes to standard error, for people; it is not an error if nobody reads it.
pub(crate) fn err(text: &str) {
    let _ = io::stderr().lock().write_all(folded(text, error_width()).as_bytes());
}

/// Says on standard error what the reader should know and need not act on.
pub(crate) fn note(text: &str) {
    err(&format!("note: {text}\n"));
}

/// A value as indented JSON with a final line feed.
pub(crate) fn pretty(value: &impl Serialize) -> Result<Vec<u8>, CliError> {
    let mut text = serde_json::to_vec_pretty(value).map_err(CliError::bug)?;
    text.push(b'\n');
    Ok(text)
}

/// The same on standard output.
pub(crate) fn json(value: &impl Serialize) -> Result<(), CliError> {
    out(&pretty(value)?)
}

/// Refuses an answer that would replace one of these files.
pub(crate) fn spare<'p>(output: Option<&Path>, files: impl IntoIterator<Item = &'p Path>) -> Result<(), CliError> {
    // What is not there yet cannot be replaced.
    let Some((output, place)) = output.and_then(|output| Some((output, fs::canonicalize(output).ok()?))) else {
        return Ok(());
    };
    if files.into_iter().any(|file| fs::canonicalize(file).is_ok_and(|file| file == place)) {
        let message = format!("--output {}: the answer would replace what it is about", output.display());
        return Err(CliError::usage(message, "name another file"));
    }
    Ok(())
}

/// Writes to a file, whole or not at all, or to standard output.
pub(crate) fn deliver(path: Option<&Path>, bytes: &[u8]) -> Result<(), CliError> {
    match path {
        Some(path) => atomically(path, bytes),
        None => out(bytes),
    }
}

/// The same piece by piece.
pub(crate) fn deliver_piecewise(
    path: Option<&Path>,
    write: impl FnOnce(&mut dyn Write) -> Result<(), Stop>,
) -> Result<(), CliError> {
    match path {
        Some(path) => atomically_piecewise(path, write),
        None => out_piecewise(write),
    }
}

/// Writes a whole file or none: a temporary one next to it, then a rename.
pub(crate) fn atomically(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    atomically_piecewise(path, |file| Ok(file.write_all(bytes)?))
}

/// Writes a whole file or none, piece by piece.
pub(crate) fn atomically_piecewise(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), Stop>,
) -> Result<(), CliError> {
    let file = beside(path, write)?;
    file.persist(path).map_err(|error| unwritable(path, &error.error))?;
    Ok(())
}

/// Writes a whole file or none where there is no file, not even one that has just appeared.
pub(crate) fn atomically_new(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    let file = beside(path, |file| Ok(file.write_all(bytes)?))?;
    match file.persist_noclobber(path) {
        Ok(_) => Ok(()),
        Err(error) if error.error.kind() == ErrorKind::AlreadyExists => Err(taken(path)),
        Err(error) => Err(unwritable(path, &error.error)),
    }
}

/// Refuses a path to which nothing can be written, before the work that is to be written there is done, and removes what killed
/// runs have left beside it.
pub(crate) fn writable(path: &Path) -> Result<(), CliError> {
    beside(path, |_| Ok(())).map(drop)
}

/// A file is there that is not to be replaced.
pub(crate) fn taken(path: &Path) -> CliError {
    let message = format!("{}: is there already, and is not overwritten", path.display());
    CliError::unreadable(message, "move it away, or name another place with --out")
}

fn unwritable(path: &Path, error: &io::Error) -> CliError {
    CliError::unreadable(
        format!("{}: cannot be written: {error}", path.display()),
        "check that its folder exists and may be written to; nothing was left there",
    )
}

/// Removes, once for each file, what runs that were killed have left of it.
fn forget(folder: &Path, prefix: &str) {
    static DONE: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    if !DONE.lock().unwrap_or_else(PoisonError::into_inner).insert(folder.join(prefix)) {
        return;
    }
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let drawn = name.to_str().and_then(|name| name.strip_prefix(prefix)).unwrap_or_default();
        let left = drawn.len() == 6
            && drawn.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && entry.file_type().is_ok_and(|kind| kind.is_file())
            && fs::File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok());
        if left {
            // What cannot be removed does no harm.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// A whole temporary file in the folder of another.
fn beside(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<(), Stop>) -> Result<NamedTempFile, CliError> {
    let broken = |error: io::Error| unwritable(path, &error);
    let mut file = BufWriter::new(temporary(path)?);
    write(&mut file).map_err(|stop| match stop {
        Stop::Unwritable(error) => broken(error),
        Stop::Failed(error) => error,
    })?;
    let file = file.into_inner().map_err(|error| broken(error.into_error()))?;
    file.as_file().sync_all().map_err(broken)?;
    Ok(file)
}

/// An empty temporary file in the folder of another, whose place it may take.
pub(crate) fn temporary(path: &Path) -> Result<NamedTempFile, CliError> {
    let name = path.display();
    let broken = |error: io::Error| unwritable(path, &error);
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        let message = format!("{name}: is there already, and no regular file");
        return Err(CliError::unreadable(message, "name a regular file, or one that is not there yet"));
    }
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let own = format!(".assize-{}-", path.file_name().unwrap_or_default().to_string_lossy());
    forget(folder, &own);
    let mut builder = tempfile::Builder::new();
    builder.prefix(&own);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let file = builder.tempfile_in(folder).map_err(broken)?;
    // Held while it is written: one that nobody holds is of a run that was killed.
    let _ = file.as_file().try_lock();
    Ok(file)
}

/// How standard output is painted.
pub(crate) fn paint() -> Paint {
    if io::stdout().is_terminal() && colours() { Paint::Colour } else { Paint::Plain }
}

/// How what is delivered to this file is painted: only standard output has colours.
pub(crate) fn paint_for(file: Option<&Path>) -> Paint {
    if file.is_none() { paint() } else { Paint::Plain }
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

/// Findings under the law that they break, laws in published order, and the verdict on what they are about. `whole` is what
/// the empty pointer points at.
pub(crate) fn findings(findings: &[Finding], whole: &str, about: &str) -> String {
    let paint = paint();
    let mut text = String::new();
    let mut laws: Vec<_> = findings.iter().map(|finding| finding.law).collect();
    laws.sort();
    laws.dedup();
    for law in laws {
        text.push_str(&format!("{}\n", paint.strong(law.slug())));
        for finding in findings.iter().filter(|finding| finding.law == law) {
            let severity = match finding.severity {
                Severity::Error => paint.bad("error"),
                Severity::Warning => "warning".to_owned(),
            };
            let place = match finding.pointer.as_str() {
                "" => whole.into(),
                pointer => clean(pointer),
            };
            let code = finding.code.map(|code| format!(" [{code}]")).unwrap_or_default();
            text.push_str(&format!("  {severity} {place}: {}{code}\n", clean(&finding.message)));
        }
    }
    let errors = findings.iter().filter(|finding| finding.severity == Severity::Error).count();
    let warnings = findings.len() - errors;
    let verdict = if errors == 0 { paint.good("lawful") } else { paint.bad("unlawful") };
    let (errors, warnings) = (counted(errors, "error", "errors"), counted(warnings, "warning", "warnings"));
    text.push_str(&format!("{verdict}: {}: {errors}, {warnings}\n", clean(about)));
    text
}

/// The text, cut where it is long: a message may quote a document.
pub(crate) fn start(text: &str) -> Cow<'_, str> {
    const SHOWN: usize = 600;
    match text.char_indices().nth(SHOWN) {
        Some((cut, _)) => format!("{}...", text.get(..cut).unwrap_or_default()).into(),
        None => text.into(),
    }
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
