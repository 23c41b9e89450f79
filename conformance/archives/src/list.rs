//! What lies in an archive.

use std::{collections::HashSet, path::Path};

use crate::{Damage, Kind, Limits, member::What, members::Members, name::Named};

/// Shows each path in an archive that is a file or a folder, with whether it is a folder, sorted name by name; folders that only what lies in
/// them tells of are shown too. Paths are held where `wanted` says so.
///
/// # Errors
/// The archive is not whole, or a name leads out of it.
pub fn list(
    path: &Path,
    kind: Kind,
    limits: &Limits,
    wanted: impl Fn(&str, bool) -> bool,
) -> Result<Vec<String>, Damage> {
    let mut members = Members::open(path, kind, limits)?;
    let mut found = HashSet::new();
    while let Some(member) = members.next()? {
        let (path, folder) = match (&member.name, member.what) {
            (Named::Elsewhere(name), _) => {
                let message =
                    format!("{}: member {}, {name:?}: leads out of the archive", members.name(), member.number);
                return Err(Damage::new(message, "make the archive anew"));
            }
            // No link is followed, as in a folder.
            (_, What::Other(_)) => continue,
            (Named::At(path) | Named::Odd(path), what) => (path, what == What::Folder),
        };
        let above = path.match_indices('/').filter_map(|(end, _)| path.get(..end)).map(|path| (path, true));
        for (path, folder) in above.chain([(path.as_str(), folder)]).filter(|(path, _)| !path.is_empty()) {
            if wanted(path, folder) {
                found.insert(path.to_owned());
            }
        }
    }
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort_unstable_by(|one, other| one.split('/').cmp(other.split('/')));
    Ok(found)
}
