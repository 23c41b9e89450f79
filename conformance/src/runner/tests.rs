//! A scripted driver shows what a run makes of the answers it gets; no process is started.

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
};

use assize_corpus::{
    handler::InProcess,
    store::Store,
    testee::{Answer, Output, Testee as _},
};

use super::*;
use crate::{
    protocol::Declaration,
    testee::{Unusable, alter::Kind},
};

/// What a driver says to a case; the number says how often it was asked for the same purpose before.
type Script = dyn Fn(&Case, &'static str, usize) -> Response + Sync;

/// A driver that follows a script.
struct Scripted {
    script: Box<Script>,
    /// Whether an answer that is altered on its way arrives altered.
    alters: bool,
    /// Every batch that was run, with its purpose.
    batches: Mutex<Vec<(&'static str, Vec<String>)>>,
}

impl Scripted {
    fn new(script: impl Fn(&Case, &'static str, usize) -> Response + Sync + 'static) -> Self {
        Self { script: Box::new(script), alters: true, batches: Mutex::default() }
    }

    fn honest() -> Self {
        Self::new(|case, _, _| right(case))
    }

    fn batches(&self, purpose: &str) -> Vec<Vec<String>> {
        let batches = self.batches.lock().unwrap();
        batches.iter().filter(|(of, _)| *of == purpose).map(|(_, ids)| ids.clone()).collect()
    }
}

impl Driver for Scripted {
    fn kind(&self) -> TransportKind {
        TransportKind::Process
    }

    fn introduce(&self) -> Result<Introduction, Unusable> {
        Ok(Introduction::built_in())
    }

    fn run(&self, batch: &[Item<'_>], purpose: &'static str, respond: &mut dyn FnMut(usize, Response, Duration)) {
        let ids = batch.iter().map(|item| item.case.id.clone()).collect();
        self.batches.lock().unwrap().push((purpose, ids));
        let mut times: BTreeMap<&str, usize> = BTreeMap::new();
        for (place, item) in batch.iter().enumerate() {
            let time = times.entry(&item.case.id).or_default();
            match item.alteration {
                Some(alteration) if self.alters => respond(place, altered(alteration.kind), Duration::ZERO),
                _ => respond(place, (self.script)(item.case, purpose, *time), Duration::ZERO),
            }
            *time += 1;
        }
    }

    fn tapped(&self, _: bool) -> io::Result<Box<dyn Driver + '_>> {
        Ok(Box::new(Tapped(self)))
    }
}

/// The same driver, for controls.
struct Tapped<'b>(&'b Scripted);

impl Driver for Tapped<'_> {
    fn kind(&self) -> TransportKind {
        self.0.kind()
    }

    fn introduce(&self) -> Result<Introduction, Unusable> {
        self.0.introduce()
    }

    fn run(&self, batch: &[Item<'_>], purpose: &'static str, respond: &mut dyn FnMut(usize, Response, Duration)) {
        self.0.run(batch, purpose, respond);
    }

    fn tapped(&self, untimely: bool) -> io::Result<Box<dyn Driver + '_>> {
        self.0.tapped(untimely)
    }
}

/// The case on which a script is odd.
const ODD: &str = "canon/sovereign/case-05";
/// Cases of the suite.
const CASES: usize = 24;

/// A suite of cases that differ in a number.
fn suite() -> Suite {
    let cases = (0..CASES).map(|number| {
        let id = format!("canon/sovereign/case-{number:02}");
        let text = format!(
            r#"{{"id":"{id}","op":"canon.bytes","args":{{"profile":"sovereign"}},
                "spec":{{"document":"d","section":"s"}},"force":"spec","rationale":"r","provenance":"hand","agreement":"located",
                "in":{{"doc":{{"text":"[ {number}]"}}}},
                "expect":{{"is":"accept","out":{{"bytes":{{"text":"[{number}]"}}}}}}}}"#
        );
        (format!("vectors/{id}.json"), text)
    });
    let suite = Suite::load(&Store::memory(cases)).unwrap();
    assert_eq!((suite.corpus.cases.len(), suite.broken.len()), (CASES, 0), "{:?}", suite.corpus.errors);
    suite
}

fn right(case: &Case) -> Response {
    Response::Answer(InProcess.answer(&case.request(None)))
}

/// The response to an answer with this alteration.
fn altered(kind: Kind) -> Response {
    let other = [("bytes", Output::Bytes(b"other".to_vec()))];
    match kind {
        Kind::Verdict | Kind::Code => wrong(),
        Kind::Output => Response::Answer(Answer::accept(other)),
        Kind::Dropped | Kind::Late => Response::Timeout("hung".to_owned()),
        Kind::Repeated => Response::Protocol("a second time".to_owned()),
    }
}

fn wrong() -> Response {
    Response::Answer(Answer::reject("A_JSON"))
}

fn plan() -> Plan {
    Plan { seed: 7, jobs: 1, certifying: true, terms: Terms::default() }
}

fn ran(driver: &Scripted, plan: Plan) -> Ran {
    run(&suite(), &Selection::default(), driver, &Introduction::built_in(), &plan, &|_| {}, &Laps::default())
}

fn outcomes(ran: &Ran) -> BTreeMap<&str, Outcome> {
    ran.results.iter().map(|result| (result.id.as_str(), result.judgement.outcome)).collect()
}

/// Checks that all cases except the odd one pass, and what is said about that one.
#[track_caller]
fn check(ran: &Ran, odd: Outcome, unstable: &[UnstableWhere], complete: bool) {
    let found = outcomes(ran);
    assert_eq!(found.len(), CASES);
    for (id, outcome) in found {
        assert_eq!(outcome, if id == ODD { odd } else { Outcome::Pass }, "{id}");
    }
    let places: Vec<_> = ran.unstable.iter().map(|unstable| (unstable.id.as_str(), unstable.place)).collect();
    assert_eq!(places, unstable.iter().map(|place| (ODD, *place)).collect::<Vec<_>>());
    assert_eq!(ran.complete, complete);
}

#[test]
fn the_same_answer_each_time_is_stable() {
    let driver = Scripted::honest();
    let ran = ran(&driver, plan());
    check(&ran, Outcome::Pass, &[], true);
    assert_eq!(driver.batches("fresh").len(), FRESH, "each case of the sample has a process of its own");
    let controls = ran.tally.controls;
    assert!(controls.altered.planted > 0 && controls.missed.is_empty(), "{controls:?}");
}

#[test]
fn the_same_wrong_answer_each_time_is_stable_too() {
    let driver = Scripted::new(|case, _, _| if case.id == ODD { wrong() } else { right(case) });
    check(&ran(&driver, plan()), Outcome::WrongVerdict, &[], true);
}

#[test]
fn of_two_answers_the_worse_stands_whichever_came_first() {
    for bad in [0, 1] {
        let driver = Scripted::new(move |case, purpose, time| {
            let differs = case.id == ODD && purpose == "orders" && time == bad;
            if differs { wrong() } else { right(case) }
        });
        let ran = ran(&driver, Plan { seed: 1, ..plan() });
        // Where the first answer is the wrong one and a fresh process gives the right one, that shows as well.
        let mut places = vec![UnstableWhere::Orders];
        if bad == 0 && driver.batches("fresh").iter().flatten().any(|id| id == ODD) {
            places.push(UnstableWhere::FreshProcess);
        }
        check(&ran, Outcome::WrongVerdict, &places, true);
    }
}

#[test]
fn a_crash_the_second_time_is_worse_than_an_answer() {
    let driver = Scripted::new(|case, purpose, time| {
        let dies = case.id == ODD && purpose == "orders" && time == 1;
        if dies { Response::Crash("exit code 9".to_owned()) } else { right(case) }
    });
    check(&ran(&driver, plan()), Outcome::Crash, &[], true);
}

#[test]
fn a_second_time_that_does_not_come_leaves_the_run_incomplete() {
    let driver = Scripted::new(|case, purpose, time| {
        let cut = case.id == ODD && purpose == "orders" && time == 1;
        if cut { Response::NotRun("broken off".to_owned()) } else { right(case) }
    });
    let cut = ran(&driver, plan());
    // The first answer came, and stands.
    check(&cut, Outcome::Pass, &[], false);
    assert_eq!(cut.tally.controls.altered.planted, 0, "controls of an incomplete run show nothing");
    // Asked once, the same testee has answered everything.
    check(&ran(&driver, Plan { certifying: false, ..plan() }), Outcome::Pass, &[], true);
}

#[test]
fn a_bench_that_leaves_a_place_out_has_not_run_it() {
    struct Silent;
    impl Driver for Silent {
        fn kind(&self) -> TransportKind {
            TransportKind::Process
        }
        fn introduce(&self) -> Result<Introduction, Unusable> {
            Ok(Introduction::built_in())
        }
        fn run(&self, _: &[Item<'_>], _: &'static str, _: &mut dyn FnMut(usize, Response, Duration)) {}
        fn tapped(&self, _: bool) -> io::Result<Box<dyn Driver + '_>> {
            Ok(Box::new(Self))
        }
    }
    let ran =
        run(&suite(), &Selection::default(), &Silent, &Introduction::built_in(), &plan(), &|_| {}, &Laps::default());
    assert!(outcomes(&ran).values().all(|outcome| *outcome == Outcome::NotRun) && !ran.complete);
}

#[test]
fn a_fresh_process_that_answers_otherwise_is_told() {
    // A sample need not hold one particular case, so every case differs.
    let driver = Scripted::new(|case, purpose, _| if purpose == "fresh" { wrong() } else { right(case) });
    let ran = ran(&driver, plan());
    let sampled: BTreeSet<String> = driver.batches("fresh").concat().into_iter().collect();
    assert_eq!(sampled.len(), FRESH);
    let unstable: BTreeSet<String> = ran.unstable.iter().map(|unstable| unstable.id.clone()).collect();
    assert_eq!(unstable, sampled);
    assert!(ran.unstable.iter().all(|unstable| unstable.place == UnstableWhere::FreshProcess));
    for (id, outcome) in outcomes(&ran) {
        let owed = if sampled.contains(id) { Outcome::WrongVerdict } else { Outcome::Pass };
        assert_eq!(outcome, owed, "{id}");
    }
}

#[test]
fn a_fresh_process_that_does_not_come_leaves_the_run_incomplete() {
    let driver = Scripted::new(|case, purpose, _| match purpose {
        "fresh" => Response::NotRun("broken off".to_owned()),
        _ => right(case),
    });
    let ran = ran(&driver, plan());
    check(&ran, Outcome::Pass, &[], false);
}

#[test]
fn what_is_not_declared_is_not_asked() {
    let driver = Scripted::honest();
    let profiles = BTreeMap::from([("profile".to_owned(), vec!["episode".to_owned()])]);
    let ops: Declaration = [("canon.bytes".to_owned(), profiles)].into_iter().collect();
    let introduction = Introduction { ops, ..Introduction::built_in() };
    let watched = Mutex::new(0);
    let count = |_: &CaseResult| *watched.lock().unwrap() += 1;
    let ran = run(&suite(), &Selection::default(), &driver, &introduction, &plan(), &count, &Laps::default());
    assert!(outcomes(&ran).values().all(|outcome| *outcome == Outcome::NotApplicable));
    assert_eq!((ran.results.len(), *watched.lock().unwrap()), (CASES, CASES));
    assert!(driver.batches("orders").is_empty());
}

#[test]
fn an_order_belongs_to_its_seed() {
    let order = |seed| {
        let driver = Scripted::honest();
        ran(&driver, Plan { seed, ..plan() });
        (driver.batches("orders"), driver.batches("fresh"))
    };
    let (orders, fresh) = order(1);
    assert_eq!((orders.clone(), fresh.clone()), order(1));
    let (other_orders, other_fresh) = order(2);
    assert!(orders != other_orders && fresh != other_fresh);
    let [batch] = &orders[..] else { panic!("one process for both orders: {orders:?}") };
    let (first, second) = batch.split_at(CASES);
    assert_ne!(first, second, "the second order is another one");
}

/// How often each case came, and whether one came twice before another of its order.
fn counted(batch: &[String]) -> BTreeMap<&str, usize> {
    batch.iter().fold(BTreeMap::new(), |mut counts, id| {
        *counts.entry(id.as_str()).or_default() += 1;
        counts
    })
}

#[test]
fn some_of_each_law_come_again_and_again_among_the_others() {
    let mut places = BTreeSet::new();
    for seed in 0..20 {
        let driver = Scripted::honest();
        ran(&driver, Plan { seed, ..plan() });
        let [batch] = &driver.batches("orders")[..] else { panic!("one process for both orders") };
        let counts = counted(batch);
        let more: Vec<usize> = counts.values().filter(|count| **count > 2).map(|count| count - 2).collect();
        assert_eq!((counts.len(), more.len()), (CASES, RECURRING));
        assert!(more.iter().all(|times| TIMES.contains(times)) && more.iter().collect::<BTreeSet<_>>().len() > 1);
        // Wherever the second time of a case stands, a later one may follow.
        places.extend(batch.iter().enumerate().filter(|(_, id)| counts[id.as_str()] == 2).map(|(place, _)| place));
        assert!(batch[..CASES].iter().collect::<BTreeSet<_>>().len() == CASES);
    }
    assert!(places.iter().any(|place| *place > CASES * 3) && places.iter().any(|place| *place < CASES + 5));
}

#[test]
fn whoever_is_wrong_the_fourth_time_is_told() {
    // Of few cases every one comes four times; of many, some of each law do.
    let driver = Scripted::new(|case, purpose, time| match (purpose, time) {
        ("orders", 3..) => wrong(),
        _ => right(case),
    });
    let ran = ran(&driver, plan());
    let wrong = outcomes(&ran).into_values().filter(|outcome| *outcome == Outcome::WrongVerdict).count();
    assert_eq!((wrong, ran.unstable.len()), (RECURRING, RECURRING));
    assert!(ran.unstable.iter().all(|unstable| unstable.place == UnstableWhere::Orders));
}

#[test]
fn shares_part_the_cases_whatever_the_number_of_jobs() {
    for (jobs, certifying) in [(0, true), (1, false), (1, true), (2, true), (5, false), (5, true), (40, true)] {
        let driver = Scripted::honest();
        let ran = ran(&driver, Plan { jobs, certifying, ..plan() });
        check(&ran, Outcome::Pass, &[], true);
        let batches = driver.batches("orders");
        assert_eq!(batches.len(), jobs.clamp(1, CASES), "{jobs} jobs");
        let mut all = Vec::new();
        for batch in batches {
            let share: BTreeSet<String> = batch.iter().cloned().collect();
            let (first, second) = batch.split_at(share.len());
            assert_eq!(
                first.iter().collect::<BTreeSet<_>>().len(),
                share.len(),
                "the first order holds each case once"
            );
            let owed = if certifying { share.len() } else { 0 };
            assert_eq!(second.iter().collect::<BTreeSet<_>>().len(), owed, "and the second each of them");
            all.extend(share);
        }
        all.sort();
        assert_eq!(all, outcomes(&ran).into_keys().collect::<Vec<_>>(), "{jobs} jobs");
    }
}

#[test]
fn alterations_that_do_not_arrive_are_missed() {
    let driver = Scripted { alters: false, ..Scripted::honest() };
    let ran = ran(&driver, plan());
    // Every control was made, and the harness, not the testee, is at fault.
    check(&ran, Outcome::Pass, &[], true);
    let controls = ran.tally.controls;
    assert_eq!((controls.altered.caught, controls.missed.len()), (0, controls.altered.planted));
    assert!(controls.altered.planted > 0);
}

#[test]
fn a_control_that_is_not_heard_leaves_the_run_incomplete() {
    let driver = Scripted {
        alters: false,
        ..Scripted::new(|case, purpose, _| match purpose {
            "controls" => Response::NotRun("broken off".to_owned()),
            _ => right(case),
        })
    };
    let ran = ran(&driver, plan());
    check(&ran, Outcome::Pass, &[], false);
    let controls = ran.tally.controls;
    assert_eq!((controls.altered.planted, controls.missed.len()), (0, 0));
    // Each is told with its kind, its case and what came.
    assert!(!ran.silent.is_empty());
    for silent in &ran.silent {
        assert!(silent.contains(" of canon/sovereign/case-") && silent.ends_with(": NOT-RUN, broken off"), "{silent}");
    }
}

/// Cases of both sides.
fn mixed() -> Suite {
    let cases = (0..CASES).map(|number| {
        let id = format!("canon/sovereign/case-{number:02}");
        let (text, expect) = match number % 2 {
            0 => (format!("[ {number}]"), format!(r#"{{"is":"accept","out":{{"bytes":{{"text":"[{number}]"}}}}}}"#)),
            _ => (format!("[{number}.5]"), r#"{"is":"reject","codes":["E_CANONICALIZATION_ERROR"]}"#.to_owned()),
        };
        let text = format!(
            r#"{{"id":"{id}","op":"canon.bytes","args":{{"profile":"sovereign"}},
                "spec":{{"document":"d","section":"s"}},"force":"spec","rationale":"r","provenance":"hand","agreement":"located",
                "in":{{"doc":{{"text":"{text}"}}}},"expect":{expect}}}"#
        );
        (format!("vectors/{id}.json"), text)
    });
    Suite::load(&Store::memory(cases)).unwrap()
}

fn broken(answer: impl Fn(&Case) -> Response + Sync + 'static) -> Option<String> {
    let driver = Scripted::new(move |case, _, _| answer(case));
    let (suite, introduction) = (mixed(), Introduction::built_in());
    run(&suite, &Selection::default(), &driver, &introduction, &plan(), &|_| {}, &Laps::default()).broken
}

#[test]
fn a_shim_that_cannot_reach_its_library_is_told_from_one_that_is_wrong() {
    let fault = || Answer::Fault { kind: "import".to_owned(), message: "no module".to_owned() };
    let said = broken(move |_| Response::Answer(fault())).unwrap();
    assert!(said.contains("every case that was asked faults (import: no module)"), "{said}");
    let said = broken(|_| Response::Answer(Answer::reject("A_LIMIT"))).unwrap();
    assert!(said.contains("everything is refused"), "{said}");
    let said = broken(|_| Response::Answer(Answer::accept::<String>([]))).unwrap();
    assert!(said.contains("accept-all"), "{said}");
    // One other answer is an implementation's.
    let refuse = || Response::Answer(Answer::reject("A_LIMIT"));
    assert_eq!(broken(move |case| if case.id.ends_with("-02") { right(case) } else { refuse() }), None);
    assert_eq!(broken(right), None);
}
