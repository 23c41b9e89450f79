//! Path safety: what a pack names lies in the pack.
//!
//! Spec: `facts/episode.md` sections 7.1 and 7.5. That no symbolic link is followed is promised by
//! [`PackFiles`](crate::files::PackFiles).

/// Why a path is not looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum UnsafePath {
    #[error("the path is absolute: write it relative to the pack")]
    Absolute,
    #[error("the path has a `..` segment: name the file directly")]
    Parent,
    #[error("the path leaves the pack")]
    Escape,
    #[error("no file can have this name")]
    NoName,
}

/// The path of an artefact below a folder of the pack: `ref` or `step_id` must be relative and without `..`.
pub(super) fn artefact(folder: &str, name: &str, suffix: &str) -> Result<String, UnsafePath> {
    if name.starts_with('/') {
        return Err(UnsafePath::Absolute);
    }
    if name.split('/').any(|segment| segment == "..") {
        return Err(UnsafePath::Parent);
    }
    resolve(&format!("{folder}/{name}{suffix}"))
}

/// A path of the manifest, with its `..` segments resolved: it may wander, but not leave.
pub(super) fn listed(path: &str) -> Result<String, UnsafePath> {
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
