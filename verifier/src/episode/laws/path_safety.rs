//! Path safety: what a pack names lies in the pack.
//!
//! Spec: rulings EP-14 and EP-48. That no symbolic link is followed is promised by
//! [`PackFiles`](crate::files::PackFiles).

use crate::episode::model::canonical::Canon;
use crate::episode::model::contract::step_place;
use crate::episode::model::inquiry::{INPUTS, TRACES};
use crate::episode::model::made::{Files, Output, Paths};
use crate::episode::model::options::Numbers;
use crate::episode::model::proof::Script;
use crate::files::PackFileError;
use crate::finding::Finding;
use crate::json::JsonPointer;
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("episode/path-safety");

/// Why a path is not looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnsafePath {
    /// It begins at the root of the system.
    #[error("the path is absolute: write it relative to the pack")]
    Absolute,
    /// It has a `..` segment.
    #[error("the path has a `..` segment: name the file directly")]
    Parent,
    /// It leads out of the pack.
    #[error("the path leaves the pack")]
    Escape,
    /// It is empty, ends in a slash, or holds a NUL.
    #[error("no file can have this name")]
    NoName,
}

/// The file of an input, relative to the pack.
///
/// # Errors
/// If the reference is absolute or has a `..` segment.
pub fn input_file(reference: &str) -> Result<String, UnsafePath> {
    artefact(INPUTS, reference, "")
}

/// The file of a step's trace, relative to the pack.
///
/// # Errors
/// If the step's id is absolute or has a `..` segment.
pub fn trace_file(step_id: &str) -> Result<String, UnsafePath> {
    artefact(TRACES, step_id, ".json")
}

/// The path of an artefact below a folder of the pack: its name must be relative and without `..`.
fn artefact(folder: &str, name: &str, suffix: &str) -> Result<String, UnsafePath> {
    if name.starts_with('/') {
        return Err(UnsafePath::Absolute);
    }
    if name.split('/').any(|segment| segment == "..") {
        return Err(UnsafePath::Parent);
    }
    resolve(&format!("{folder}/{name}{suffix}"))
}

/// The file of an item of the contract's `inputs`.
pub(crate) fn input(index: usize, reference: &str) -> Result<String, Finding> {
    let pointer = || JsonPointer::root().member("inputs").index(index).member("ref");
    input_file(reference).map_err(|why| error(pointer(), reference, why))
}

/// The file of the trace of a step; an id that leads astray is an error, whatever the step's status.
pub(crate) fn trace(index: usize, step_id: &str) -> Result<String, Finding> {
    trace_file(step_id).map_err(|why| error(step_place(index).member("step_id"), step_id, why))
}

/// Where the files of an episode lie in its pack; what is wrong, if one of them would lie elsewhere (ruling EP-48).
pub(crate) fn paths(script: &Script) -> Result<Paths, Vec<Finding>> {
    let contract = &script.contract;
    let mut found = Vec::new();
    let mut safe = |path: Result<String, Finding>| path.map_err(|unsafe_path| found.push(unsafe_path)).ok();
    let inputs = contract.inputs.iter().enumerate().filter_map(|(index, item)| safe(input(index, &item.reference)));
    let inputs = inputs.collect();
    let traces = contract.steps.iter().enumerate().filter_map(|(index, step)| safe(trace(index, &step.step_id)));
    let traces = traces.collect();
    if found.is_empty() { Ok(Paths { inputs, traces }) } else { Err(found) }
}

/// Lays a trace among the files of a pack. Ids may differ and lead to one file, which then holds one value or none at all.
pub(crate) fn lay(files: &mut Files, index: usize, path: String, output: Output) -> Result<(), Finding> {
    let taken = |why: &str| Err(Finding::error(LAW, step_place(index).member("step_id"), format!("{path:?}: {why}")));
    let mut canon = Canon::new(Numbers::Rfc8785);
    if let Some(other) = files.get(&path) {
        return match canon.digest(other) {
            Ok(digest) if digest == output.digest => Ok(()),
            _ => taken("another step has another output there"),
        };
    }
    let below = format!("{path}/");
    let is_folder = files.range(below.clone()..).next().is_some_and(|(other, _)| other.starts_with(&below));
    if is_folder || path.match_indices('/').any(|(end, _)| path.get(..end).is_some_and(|at| files.contains_key(at))) {
        return taken("the output of another step has the name of a folder on the way");
    }
    files.insert(path, output.text);
    Ok(())
}

/// A file that the manifest names at `pointer`.
pub(crate) fn named(pointer: JsonPointer, path: &str) -> Result<String, Finding> {
    listed(path).map_err(|why| error(pointer, path, why).with_code("E_PATH_ESCAPE"))
}

fn error(pointer: JsonPointer, path: &str, why: UnsafePath) -> Finding {
    Finding::error(LAW, pointer, format!("{path:?}: {why}"))
}

/// The finding for a file that could not be read: a symbolic link breaks this law, all else the one that wants the file.
pub(crate) fn unread(wanted_by: Law, why: &PackFileError) -> Finding {
    let law = if *why == PackFileError::Symlink { LAW } else { wanted_by };
    let finding = Finding::error(law, JsonPointer::root(), why.to_string());
    if matches!(why, PackFileError::TooLarge { .. }) { finding.with_code("A_LIMIT") } else { finding }
}

/// A path of the manifest, with its `..` segments resolved: it may wander, but not leave.
pub(crate) fn listed(path: &str) -> Result<String, UnsafePath> {
    if path.starts_with('/') { Err(UnsafePath::Absolute) } else { resolve(path) }
}

/// Drops empty and `.` segments and resolves `..`. Without symbolic links, spelling is all there is.
fn resolve(path: &str) -> Result<String, UnsafePath> {
    let mut segments = Vec::new();
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            ".." => {
                segments.pop().ok_or(UnsafePath::Escape)?;
            }
            name => segments.push(name),
        }
    }
    if segments.is_empty() || path.ends_with('/') || path.contains('\0') {
        return Err(UnsafePath::NoName);
    }
    Ok(segments.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn artefacts_are_relative_and_never_go_up() {
        let check = |name: &str, expected: Result<&str, UnsafePath>| {
            assert_eq!(artefact("inputs", name, ""), expected.map(str::to_owned), "{name:?}");
        };
        check("nums.json", Ok("inputs/nums.json"));
        check("a/./b//c", Ok("inputs/a/b/c"));
        check("..a/b..", Ok("inputs/..a/b.."));
        check("/etc/passwd", Err(UnsafePath::Absolute));
        check("../x", Err(UnsafePath::Parent));
        check("a/../b", Err(UnsafePath::Parent));
        check("a/..", Err(UnsafePath::Parent));
        check("..", Err(UnsafePath::Parent));
        check("a/", Err(UnsafePath::NoName));
        check("", Err(UnsafePath::NoName));
        check("a\0b", Err(UnsafePath::NoName));
        assert_eq!(artefact("recorded_traces", "", ".json").as_deref(), Ok("recorded_traces/.json"));
        assert_eq!(artefact("recorded_traces", "..", ".json"), Err(UnsafePath::Parent));
    }

    #[test]
    fn listed_paths_may_wander_inside() {
        assert_eq!(listed("a/../receipt_pack.jsonl").as_deref(), Ok("receipt_pack.jsonl"));
        assert_eq!(listed("a/../../x"), Err(UnsafePath::Escape));
        assert_eq!(listed("/x"), Err(UnsafePath::Absolute));
        assert_eq!(listed("."), Err(UnsafePath::NoName));
    }
}
