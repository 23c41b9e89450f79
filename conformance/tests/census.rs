//! The census: its cells come from the contracts, its counts from the corpus, and what nothing reaches has a name.
use std::collections::BTreeSet;
use std::sync::LazyLock;

use assize::{
    census::{self, Area, Cell, Census, Row},
    suite::Suite,
};
use assize_corpus::store::Store;

static SUITE: LazyLock<Suite> = LazyLock::new(|| Suite::load(&Store::embedded()).unwrap());
/// Taken once: the tests of empty cells look at it too.
pub(crate) static CENSUS: LazyLock<Census> = LazyLock::new(|| census::take(&SUITE, &[], 0, &|| ()).unwrap());

#[track_caller]
fn row<'c>(census: &'c Census, system: &str, area: Area, cell: &str) -> &'c Row {
    let found = census.rows.iter().find(|row| row.cell == Cell { system: system.into(), area, cell: cell.into() });
    found.unwrap_or_else(|| panic!("no cell {system} {} {cell}", area.name()))
}

#[test]
fn every_cell_of_the_contracts_appears_once_and_nothing_else_is_reached() {
    let cells: BTreeSet<&Cell> = CENSUS.rows.iter().map(|row| &row.cell).collect();
    assert_eq!(cells.len(), CENSUS.rows.len());
    assert_eq!(cells, census::universe().iter().collect());
    assert_eq!(CENSUS.unlisted, []);
    // One cell of each source of cells.
    for (system, area, cell) in [
        ("episode", Area::Output, "episode.verify verdict=\"DIVERGE\""),
        ("episode", Area::Output, "episode.verify phase=3"),
        ("sovereign", Area::Output, "sovereign.compare exception=\"RecursionError\""),
        ("sovereign", Area::Code, "sovereign.contract A_SCHEMA"),
        ("authority", Area::Code, "authority.chain authority/ledger-integrity"),
        ("sovereign", Area::Status, "reference DIVERGENT"),
        ("sovereign", Area::Surface, "law decision_record"),
        ("sovereign", Area::Stage, "law replay"),
        ("sovereign", Area::Reason, "law E_REPLAY_EQUIVALENCE_FAILED"),
        ("sovereign", Area::Schema, "kernel-issue#/properties/level = \"FAIL\""),
        ("episode", Area::Schema, "episode-contract# another type"),
        ("canon", Area::Number, "negative zero"),
        ("authority", Area::String, "lone surrogate by escape"),
    ] {
        row(&CENSUS, system, area, cell);
    }
}

#[test]
fn totals_agree_with_the_corpus() {
    assert_eq!(CENSUS.cases, SUITE.corpus.cases.len());
    // Counted in another way: from the text of the files.
    let store = Store::embedded();
    let texts: Vec<String> = store
        .below("vectors/sovereign/")
        .filter(|path| assize_corpus::vector::id_of(path).is_some())
        .map(|path| String::from_utf8(store.read(path).unwrap().into_owned()).unwrap())
        .collect();
    for class in ["TypeError", "RecursionError", "UnicodeEncodeError"] {
        let exception: serde_json::Value = class.into();
        let held = texts.iter().filter(|text| {
            let case: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
            case.pointer("/expect/out/exception") == Some(&exception)
        });
        let cell = format!("sovereign.compare exception=\"{class}\"");
        assert_eq!(row(&CENSUS, "sovereign", Area::Output, &cell).corpus, held.count(), "{class}");
    }
}

#[test]
fn a_family_that_is_gone_leaves_an_empty_cell() {
    // Of the others one is enough, and counted in a fraction of the time.
    const STAYS: &str = "vectors/canon/";
    let whole = Store::embedded();
    let kept = whole
        .paths()
        .filter(|path| path.starts_with(STAYS) || !path.starts_with("vectors/"))
        .map(|path| (path.to_owned(), whole.read(path).unwrap().into_owned()));
    let suite = Suite::load(&Store::memory(kept.collect::<Vec<_>>())).unwrap();
    let census = census::take(&suite, &[], 0, &|| ()).unwrap();
    let cell = ("episode", Area::Output, "episode.verify verdict=\"MATCH\"");
    assert!(row(&CENSUS, cell.0, cell.1, cell.2).corpus > 0);
    assert!(row(&census, cell.0, cell.1, cell.2).is_empty());
    assert_eq!(census.rows.len(), CENSUS.rows.len());
    assert!(census.rows.iter().filter(|row| row.cell.system == "episode").all(Row::is_empty));
    let other = ("canon", Area::Number, "negative zero");
    assert_eq!(row(&census, other.0, other.1, other.2).corpus, row(&CENSUS, other.0, other.1, other.2).corpus);
}

#[test]
fn no_reason_is_stale() {
    assert_eq!(CENSUS.stale, [] as [String; 0]);
}

#[test]
fn a_row_has_the_members_of_the_format() {
    let json = serde_json::to_value(&CENSUS.rows[0]).unwrap();
    let members: BTreeSet<_> = json.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(members, BTreeSet::from(["area", "cell", "corpus", "generators", "system"]));
}
