//! The census with generated inputs: reproducible from its seeds, listed in full, and with reasons that hold.

use std::sync::LazyLock;

use assize::{
    census::{self, Area, Census, Row},
    suite::Suite,
};
use assize_corpus::store::Store;
use assize_fuzzing::generators;

static SUITE: LazyLock<Suite> = LazyLock::new(|| Suite::load(&Store::embedded()).unwrap());
static CENSUS: LazyLock<Census> = LazyLock::new(take);

fn take() -> Census {
    census::take(&SUITE, &generators::ALL, 300, &|| ()).unwrap()
}

#[track_caller]
fn row<'c>(system: &str, area: Area, cell: &str) -> &'c Row {
    let is = |row: &&Row| row.cell.system == system && row.cell.area == area && row.cell.cell == cell;
    CENSUS.rows.iter().find(is).unwrap_or_else(|| panic!("no cell {system} {} {cell}", area.name()))
}

#[test]
fn nothing_is_reached_that_the_contracts_do_not_list() {
    assert_eq!(CENSUS.unlisted, []);
}

#[test]
fn no_reason_is_stale() {
    assert_eq!(CENSUS.stale, [] as [String; 0]);
}

#[test]
fn the_same_seeds_give_the_same_census() {
    assert_eq!(take(), *CENSUS);
}

#[test]
fn generators_reach_what_only_the_verifier_can_say() {
    for (area, cell) in [
        (Area::Status, "law ERROR"),
        (Area::Status, "reference DIVERGENT"),
        (Area::Surface, "law transition"),
        (Area::Output, "sovereign.compare exception=\"TypeError\""),
    ] {
        assert!(row("sovereign", area, cell).generators.unwrap() > 0, "{cell}");
    }
    assert_eq!(row("authority", Area::Number, "integer").generators, None);
}
