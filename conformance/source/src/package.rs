//! Packages: sources that see the names of each other without importing them.

use crate::{Family, walk::Root};

/// The package of a source, as imports call it: in Go by the folder below that of a `go.mod`, in Java by what the source says. Where
/// neither says anything, the sources of one folder belong together.
pub(crate) fn of(family: Family, name: &str, declared: Option<&str>, roots: &[Root]) -> Option<String> {
    let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
    match family {
        Family::Python | Family::Script => None,
        Family::Java => Some(declared.map_or_else(|| format!("./{folder}"), str::to_owned)),
        Family::Go => {
            // Tests of a package may stand beside it as a package of their own.
            let apart = if declared.is_some_and(|name| name.ends_with("_test")) { "_test" } else { "" };
            let within = |root: &&Root| root.folder.is_empty() || below(folder, &root.folder).is_some();
            let root = roots.iter().filter(within).max_by_key(|root| root.folder.len());
            let Some(root) = root else { return Some(format!("./{folder}{apart}")) };
            let rest = if root.folder.is_empty() { folder } else { below(folder, &root.folder).unwrap_or_default() };
            let slash = if rest.is_empty() { "" } else { "/" };
            Some(format!("{}{slash}{rest}{apart}", root.module))
        }
    }
}

/// What of a folder stands below another.
fn below<'f>(folder: &'f str, above: &str) -> Option<&'f str> {
    let rest = folder.strip_prefix(above)?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') }
}
