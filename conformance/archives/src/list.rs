//! What lies in an archive.

use std::{collections::HashSet, path::Path};

use crate::{Damage, Kind, Limits, caught::caught, member::What, members::Members, name::Named};

/// Paths in an archive that are wanted, sorted name by name. Each is shown with whether it is a folder, and folders that only what lies in them
/// tells of are shown too; in a folder that is wanted nothing more is looked for.
///
/// # Errors
/// The archive is not whole, or a name leads out of it.
pub fn list(
    path: &Path,
    kind: Kind,
    limits: &Limits,
    wanted: impl Fn(&str, bool) -> bool,
) -> Result<Vec<String>, Damage> {
    caught(path, || listed(path, kind, limits, wanted))
}

fn listed(
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
        let mut way = above.chain([(path.as_str(), folder)]).filter(|(path, _)| !path.is_empty());
        if let Some((path, _)) = way.find(|(path, folder)| wanted(path, *folder))
            && !found.contains(path)
        {
            found.insert(path.to_owned());
        }
    }
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort_unstable_by(|one, other| one.split('/').cmp(other.split('/')));
    Ok(found)
}
