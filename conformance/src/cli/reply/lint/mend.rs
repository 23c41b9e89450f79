//! Mending what needs no judgement: shown as a patch, and written where that is asked for.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use assize_source::Edit;
use similar::{Algorithm, DiffOp, capture_diff_slices, group_diff_ops};

use super::{CliError, output, row::Row, sources::Sources};

/// Lines around a change.
const AROUND: usize = 3;

/// What mending comes to.
pub(super) struct Mended {
    /// The patch.
    pub(super) patch: String,
    /// How many findings have a part in it.
    pub(super) count: usize,
}

/// The patch of all that can be mended; written to the files as well, if so.
pub(super) fn mend(
    sources: &Sources,
    findings: &[Row],
    registered: &BTreeSet<String>,
    write: bool,
) -> Result<Mended, CliError> {
    let edits: Vec<Option<Edit>> = findings.iter().map(|row| sources.edit(row, registered)).collect();
    let mut files: BTreeMap<&str, BTreeSet<&Edit>> = BTreeMap::new();
    for edit in edits.iter().flatten() {
        files.entry(&edit.place.file).or_default().insert(edit);
    }
    let mut made: BTreeSet<&Edit> = BTreeSet::new();
    let mut patch = String::new();
    for (file, edits) in files {
        let path = sources.path(file);
        let unreadable = |error| {
            CliError::unreadable(
                format!("{}: cannot be read: {error}", path.display()),
                "see that nothing else writes it",
            )
        };
        let old = fs::read_to_string(&path).map_err(unreadable)?;
        let mut new = old.clone();
        let skip = if old.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let mut upper = usize::MAX;
        // From the last to the first, so that what stands before keeps its place.
        let mut edits: Vec<_> = edits.into_iter().collect();
        edits.sort_by_key(|edit| std::cmp::Reverse(edit.place.start));
        for edit in edits {
            let (start, end) = (edit.place.start + skip, edit.place.end + skip);
            if end <= upper && new.get(start..end).is_some() {
                new.replace_range(start..end, &edit.text);
                upper = start;
                made.insert(edit);
            }
        }
        patch.push_str(&unified(&sources.name(file), &old, &new));
        if write && new != old {
            let rights = fs::metadata(&path).map_err(unreadable)?.permissions();
            output::atomically(&path, new.as_bytes())?;
            fs::set_permissions(&path, rights).map_err(unreadable)?;
        }
    }
    // Of edits that overlap, one alone is made.
    let count = edits.iter().flatten().filter(|edit| made.contains(edit)).count();
    Ok(Mended { patch, count })
}

/// A patch of one file, as `patch` and `git apply` take it.
fn unified(name: &str, old: &str, new: &str) -> String {
    let (before, after): (Vec<&str>, Vec<&str>) = (lines(old), lines(new));
    let operations = capture_diff_slices(Algorithm::Myers, &before, &after);
    let mut text = format!("--- a/{name}\n+++ b/{name}\n");
    for group in group_diff_ops(operations, AROUND) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
        let range = |start: usize, end: usize| format!("{},{}", start + 1, end - start);
        let from = range(first.old_range().start, last.old_range().end);
        let to = range(first.new_range().start, last.new_range().end);
        text.push_str(&format!("@@ -{from} +{to} @@\n"));
        for operation in &group {
            let same = matches!(operation, DiffOp::Equal { .. });
            for line in before.get(operation.old_range()).unwrap_or_default() {
                push(&mut text, if same { ' ' } else { '-' }, line);
            }
            for line in after.get(operation.new_range()).filter(|_| !same).unwrap_or_default() {
                push(&mut text, '+', line);
            }
        }
    }
    text
}

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

fn push(text: &mut String, mark: char, line: &str) {
    text.push(mark);
    text.push_str(line);
    if !line.ends_with('\n') {
        text.push_str("\n\\ No newline at end of file\n");
    }
}
