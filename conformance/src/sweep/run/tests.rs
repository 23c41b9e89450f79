use std::sync::atomic::AtomicUsize;

use assize_verifier::digest::Digest;

use super::{
    super::{Order, Store},
    *,
};

fn entries(count: u64) -> impl Iterator<Item = io::Result<Entry>> + Send {
    (1..=count).map(|row| {
        let asked = Asked { kind: "k".to_owned(), paths: vec![row.to_string()], options: BTreeMap::new() };
        Ok(Entry { row, line: row, id: Digest::of(&row.to_be_bytes()), asked: Ok(asked) })
    })
}

fn store() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let order = Order::new(folder.path(), None, None);
    let store = Store::open(&folder.path().join("out"), &order, false).unwrap();
    (folder, store)
}

fn lawful(_: &Asked, _: Option<(&Needs, &Held)>) -> Judged {
    Judged::new("lawful", Exit::Conforms)
}

#[test]
fn what_breaks_off_is_a_row_and_every_line_has_one() {
    let (_folder, store) = store();
    for jobs in [1, 3] {
        let stop = AtomicBool::new(false);
        let steps = AtomicUsize::new(0);
        let judge = |asked: &Asked, read: Option<(&Needs, &Held)>| {
            // The words of a judge that stumbles over an artefact.
            assert_ne!(asked.paths, ["7"], "seven");
            lawful(asked, read)
        };
        let step = || {
            steps.fetch_add(1, Ordering::Relaxed);
        };
        let ended = Sweep { jobs, stop: &stop, earlier: None, needs: |_: &Asked| None, judge, step: &step }
            .run(entries(20), store.rows(20).unwrap())
            .unwrap();
        let Ended::Whole { rows, judged } = ended else { panic!("{ended:?}") };
        assert_eq!((judged, steps.into_inner()), (if jobs == 1 { 20 } else { 0 }, 20));
        let (mut summary, mut bugs) = (Summary::new(judged, ["k"]), Vec::new());
        let show = |row: &Row| {
            summary.add(row);
            bugs.extend((row.judged.verdict == "bug").then(|| (row.row, row.judged.error.clone().unwrap())));
        };
        store.finish(rows, show).unwrap();
        assert_eq!((summary.rows, summary.exit_code), (20, 70));
        assert_eq!(bugs.len(), 1);
        assert!(bugs[0].0 == 7 && bugs[0].1.contains("seven"), "{bugs:?}");
    }
}

#[test]
fn a_sweep_that_is_stopped_goes_on_where_it_was() {
    let (_folder, store) = store();
    let stop = AtomicBool::new(false);
    let judged = AtomicUsize::new(0);
    let judge = |asked: &Asked, read: Option<(&Needs, &Held)>| {
        stop.store(judged.fetch_add(1, Ordering::Relaxed) == 4, Ordering::Relaxed);
        lawful(asked, read)
    };
    let sweep = Sweep { jobs: 1, stop: &stop, earlier: None, needs: |_: &Asked| None, judge, step: &|| () };
    let ended = sweep.run(entries(9), store.rows(9).unwrap()).unwrap();
    assert!(matches!(ended, Ended::Stopped(5)), "{ended:?}");
    stop.store(false, Ordering::Relaxed);
    let ended = sweep.run(entries(9), store.rows(9).unwrap()).unwrap();
    assert!(matches!(ended, Ended::Whole { judged: 4, .. }), "{ended:?}");
    assert_eq!(judged.load(Ordering::Relaxed), 9);
}

#[test]
fn a_manifest_that_breaks_off_ends_the_sweep() {
    let (_folder, store) = store();
    let stop = AtomicBool::new(false);
    let broken = entries(3).chain([Err(io::Error::other("gone"))]).chain(entries(1));
    let sweep = Sweep { jobs: 2, stop: &stop, earlier: None, needs: |_: &Asked| None, judge: lawful, step: &|| () };
    let ended = sweep.run(broken, store.rows(9).unwrap());
    assert!(matches!(ended, Err(SweepError::Manifest(_))));
    assert_eq!(store.rows(9).unwrap().there(), 3);
}

#[test]
fn the_worst_row_is_the_end_and_nothing_is_no_answer() {
    let mut summary = Summary::new(0, ["other"]);
    assert_eq!(summary.exit_code, 3);
    let mut entries = entries(3).map(Result::unwrap);
    for (exit, worst) in [(Exit::Conforms, 0), (Exit::Integrity, 2), (Exit::Violates, 2)] {
        let entry = entries.next().unwrap();
        summary.add(&Row::of(&entry, Judged::new("x", exit), 0));
        assert_eq!(summary.exit_code, worst);
    }
    assert_eq!((summary.rows, summary.without_kind, summary.kinds.len()), (3, 3, 0));
}
