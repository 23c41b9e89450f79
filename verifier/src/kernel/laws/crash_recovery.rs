//! kernel/crash-recovery: after a stop at any point of a promotion, the next operation finds committed exactly old or
//! exactly new.
//!
//! Spec: Kernel v1 Requirements Pack, Spec-002, 7; rulings KE-10, KE-39, KE-42. A journal that was decided is carried out to
//! its end. Then three names tell what else happened, here or in a kernel that puts one tree in the place of another:
//!
//! | committed | new tree | old tree | what happened, and what is done |
//! |---|---|---|---|
//! | there | perhaps | absent | stopped before it was decided, if at all: what was written for it is dropped |
//! | there | perhaps | there | stopped after the switch: cleaned up |
//! | absent | there | there | stopped between the renames: the new tree is put in place, and cleaned up |
//! | absent | absent | there | the new tree is gone too: the old tree is put back |
//! | absent | there | absent | stopped before the first promotion was decided: what was written for it is dropped |

use super::promotion_atomicity::{carry_out, clean_up};
use crate::files::{HomeFiles, HomeReader};
use crate::kernel::model::home::{HomeFailure, Stop, at, list};
use crate::kernel::model::layout::{COMMITTED, INDEX, JOURNAL, NEW, OLD, Tree, WRITING, below};
use crate::kernel::model::ledger::Ledger;
use crate::kernel::model::token::Turn;
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("kernel/crash-recovery");

/// Ends what an earlier stop has left undone. Every operation begins with this.
///
/// # Errors
/// If the home does not do what it is asked; trying again is safe.
pub(crate) fn recover(home: &mut dyn HomeFiles) -> Result<(), HomeFailure> {
    let entries = list(home, INDEX)?;
    let there = |path: &str| {
        let name = below(INDEX, path);
        entries.iter().any(|entry| Some(entry.name.as_str()) == name)
    };
    if there(WRITING) {
        home.remove(WRITING).map_err(at(WRITING))?;
    }
    if there(JOURNAL) {
        match carry_out(home)? {
            Some(turn) => clean_up(home, &turn)?,
            None => home.remove(JOURNAL).map_err(at(JOURNAL))?,
        }
        return recover(home);
    }
    match (there(COMMITTED), there(NEW), there(OLD)) {
        (true, _, true) => finish(home),
        (false, true, true) => {
            home.rename(NEW, COMMITTED).map_err(at(COMMITTED))?;
            finish(home)
        }
        (false, false, true) => home.rename(OLD, COMMITTED).map_err(at(COMMITTED)),
        (_, true, false) => home.remove(NEW).map_err(at(NEW)),
        (_, false, false) => Ok(()),
    }
}

/// Cleans up after the switch.
fn finish(home: &mut dyn HomeFiles) -> Result<(), HomeFailure> {
    home.settle().map_err(at(COMMITTED))?;
    for turn in promoted(home)? {
        let staging = Tree::staged(&turn);
        home.remove(staging.folder()).map_err(at(staging.folder()))?;
    }
    for leftover in [NEW, OLD] {
        home.remove(leftover).map_err(at(leftover))?;
    }
    Ok(())
}

/// The turn by which committed is ahead of the old tree. A ledger that cannot be read tells nothing.
fn promoted(home: &dyn HomeReader) -> Result<Vec<Turn>, HomeFailure> {
    let ledger = |tree: &Tree| match Ledger::load(home, tree) {
        Ok(ledger) => Ok(Some(ledger)),
        Err(Stop::Refused(_)) => Ok(None),
        Err(Stop::Home(failure)) => Err(failure),
    };
    let (Some(new), Some(old)) = (ledger(&Tree::committed())?, ledger(&Tree::at(OLD))?) else {
        return Ok(Vec::new());
    };
    Ok(new.beyond(&old).map(|(run, id)| Turn { run: run.clone(), id }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::MemoryHome;

    /// A home with a file in each of these folders of its index.
    fn home(folders: &[&str]) -> MemoryHome {
        let mut home = MemoryHome::default();
        for folder in folders {
            home.create_folder(folder).expect("a folder");
            home.create(&format!("{folder}/of"), folder.as_bytes()).expect("a file");
        }
        home
    }

    /// What the file in committed says once everything is recovered, and nothing but committed is left.
    fn recovered(home: &mut MemoryHome) -> Option<String> {
        recover(home).expect("a home that works");
        let left = home.list(INDEX).expect("the index").into_iter().map(|entry| format!("{INDEX}/{}", entry.name));
        assert!(left.into_iter().all(|path| path == COMMITTED || path == "index/staging"));
        let mut bytes = Vec::new();
        home.read(&format!("{COMMITTED}/of"), 100, &mut bytes).ok()?;
        String::from_utf8(bytes).ok()
    }

    #[test]
    fn trees_that_were_to_take_each_other_s_place_are_recovered_by_name() {
        for (there, due) in [
            (&[COMMITTED, NEW][..], Some(COMMITTED)),
            (&[COMMITTED, OLD], Some(COMMITTED)),
            (&[COMMITTED, NEW, OLD], Some(COMMITTED)),
            (&[NEW, OLD], Some(NEW)),
            (&[OLD], Some(OLD)),
            (&[NEW], None),
            (&[COMMITTED, WRITING], Some(COMMITTED)),
        ] {
            assert_eq!(recovered(&mut home(there)).as_deref(), due, "{there:?}");
        }
    }

    #[test]
    fn the_staging_goes_by_which_committed_is_ahead_of_the_old_tree() {
        let mut home = home(&[COMMITTED, OLD, "index/staging/r/turn-0001", "index/staging/r/turn-0002"]);
        home.create_folder("index/committed/index").expect("a folder");
        let ledger = br#"{"lsi_version":"lsi/v1","runs":{"r":"turn-0001"}}"#;
        home.create(&Tree::committed().ledger(), ledger).expect("a ledger");
        assert_eq!(recovered(&mut home).as_deref(), Some(COMMITTED));
        let turns: Vec<_> = home.list("index/staging/r").expect("a run").into_iter().map(|entry| entry.name).collect();
        assert_eq!(turns, ["turn-0002"]);
    }

    #[test]
    fn a_journal_is_carried_out_by_its_page_dropped_without_one_and_left_with_one_that_nobody_can_read() {
        const PAGE: &str = r#"{"deleted":["gone"],"lsi_version":"lsi/v1","run_id":"r","turn_id":"turn-0001"}"#;
        for (page, carried) in [
            (Some(PAGE.to_owned()), Some(true)),
            (None, Some(false)),
            (Some("{".to_owned()), None),
            (Some(PAGE.replace("lsi/v1", "lsi/v2")), None),
            (Some(PAGE.replace("turn-0001", "turn-1")), None),
            (Some(PAGE.replace("\"r\"", "\"\"")), None),
            (Some(PAGE.replace("gone", "..")), None),
            (Some(PAGE.replace("{", "{\"more\":1,")), None),
        ] {
            let mut home = home(&["index/staging/r/turn-0001", "index/.promoting/triplets", "index/.promoting/refs/a"]);
            for path in ["index/committed/triplets", "index/committed/refs"] {
                home.create_folder(path).expect("a folder");
            }
            home.create("index/committed/triplets/gone.json", b"").expect("a record");
            home.create("index/committed/triplets/of", b"old").expect("a file");
            if let Some(page) = &page {
                home.create("index/.promoting/promotion.json", page.as_bytes()).expect("a page");
            }
            let Some(carried) = carried else {
                let failure = recover(&mut home).expect_err("a page that cannot be read");
                assert_eq!(failure.path, "index/.promoting/promotion.json", "{page:?}");
                assert!(home.kind("index/.promoting/triplets/of").expect("a kind").is_some(), "{page:?}");
                assert!(home.kind("index/committed/triplets/gone.json").expect("a kind").is_some(), "{page:?}");
                continue;
            };
            assert_eq!(recovered(&mut home), None);
            let kind = |path: &str| home.kind(path).expect("a kind").is_some();
            assert_eq!(kind("index/committed/triplets/gone.json"), !carried, "{page:?}");
            assert_eq!(kind("index/committed/refs/a/of"), carried, "{page:?}");
            assert_eq!(kind("index/staging/r/turn-0001"), !carried, "{page:?}");
            let mut bytes = Vec::new();
            home.read("index/committed/triplets/of", 100, &mut bytes).expect("a file");
            let due: &[u8] = if carried { b"index/.promoting/triplets" } else { b"old" };
            assert_eq!(bytes, due, "{page:?}");
        }
    }
}
