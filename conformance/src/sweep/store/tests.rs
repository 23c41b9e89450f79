use std::collections::BTreeMap;

use super::{super::row::Judged, *};
use crate::exit::Exit;

fn order(manifest: &str) -> Order {
    Order::new(Path::new("."), Some(Digest::of(manifest.as_bytes())), None)
}

fn id(row: u64) -> Digest {
    Digest::of(&row.to_be_bytes())
}

fn row(row: u64) -> Row {
    Row {
        row,
        line: row,
        id: id(row).to_hex(),
        kind: None,
        paths: Vec::new(),
        options: BTreeMap::new(),
        judged: Judged::new("lawful", Exit::Conforms),
        earlier: false,
        ms: 0,
    }
}

fn text(rows: &[u64]) -> String {
    rows.iter().map(|number| format!("{}\n", serde_json::to_string(&row(*number)).unwrap())).collect()
}

fn finished(store: &Store, rows: Rows) -> Vec<u64> {
    let mut seen = Vec::new();
    store.finish(rows, |row| seen.push(row.row)).unwrap();
    seen
}

#[test]
fn rows_stand_in_the_order_of_the_manifest_at_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path(), &order("m"), false).unwrap();
    let mut rows = store.rows(4).unwrap();
    for number in [3, 1, 4, 2] {
        assert!(!rows.has(number, &id(number)));
        rows.append(&row(number)).unwrap();
        assert!(rows.has(number, &id(number)));
    }
    assert_eq!(fs::read_to_string(store.results()).unwrap(), text(&[3, 1, 4, 2]));
    assert_eq!((rows.there(), finished(&store, rows)), (4, vec![1, 2, 3, 4]));
    assert_eq!(fs::read_to_string(store.results()).unwrap(), text(&[1, 2, 3, 4]));
    // Once more, without a file of another order.
    assert_eq!(finished(&store, store.rows(4).unwrap()), [1, 2, 3, 4]);
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

#[test]
fn what_was_being_written_is_cut_off_wherever_it_broke() {
    let whole = text(&[2, 1]);
    for cut in 0..=whole.len() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), &order("m"), false).unwrap();
        let part = whole.get(..cut).unwrap();
        fs::write(store.results(), part).unwrap();
        let rows = store.rows(2).unwrap();
        let lines = part.matches('\n').count();
        assert_eq!(rows.there(), lines as u64, "{cut}");
        assert_eq!(fs::read_to_string(store.results()).unwrap(), text(&[2, 1][..lines]));
    }
}

#[test]
fn a_row_of_another_line_does_not_count() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path(), &order("m"), false).unwrap();
    fs::write(store.results(), text(&[1, 2])).unwrap();
    let mut rows = store.rows(2).unwrap();
    assert!(rows.has(1, &id(1)) && !rows.has(2, &id(7)));
    assert_eq!(rows.there(), 1);
    // One that no manifest of this length has ends what can be read.
    assert_eq!(store.rows(1).unwrap().there(), 1);
}

#[test]
fn results_of_another_order_or_of_nobody_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let open = |manifest: &str, restart| Store::open(folder.path(), &order(manifest), restart);
    fs::write(folder.path().join(RESULTS), "mine").unwrap();
    for restart in [false, true] {
        assert!(matches!(open("m", restart), Err(StoreError::Foreign(_))));
    }
    assert_eq!(fs::read_to_string(folder.path().join(RESULTS)).unwrap(), "mine");
    fs::remove_file(folder.path().join(RESULTS)).unwrap();
    let store = open("m", false).unwrap();
    store.rows(1).unwrap().append(&row(1)).unwrap();
    if store._lock.is_some() {
        assert!(matches!(open("m", false), Err(StoreError::Busy(_))));
    }
    drop(store);
    assert!(matches!(open("n", false), Err(StoreError::Other { .. })));
    assert_eq!(open("m", false).unwrap().rows(1).unwrap().there(), 1);
    assert_eq!(open("n", true).unwrap().rows(1).unwrap().there(), 0);
    assert!(matches!(open("m", false), Err(StoreError::Other { .. })));
    fs::write(folder.path().join(ORDER), "{}").unwrap();
    assert!(matches!(open("n", true), Err(StoreError::Foreign(_))));
}
