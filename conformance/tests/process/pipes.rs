//! What goes in and comes out.

use std::{
    fs,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

use assize::testee::{Clock, process::Event};

use super::{LINE, LONG, SHORT, launch, line, python, sh, soon, start, timed};

/// Bytes that a process has written.
fn written(pid: &str) -> usize {
    let counts = fs::read_to_string(Path::new("/proc").join(pid).join("io")).unwrap();
    counts.lines().find_map(|line| line.strip_prefix("wchar: ")).unwrap().parse().unwrap()
}

#[test]
fn what_is_sent_comes_back_and_the_end_is_told() {
    let mut process = start(&["cat"]);
    process.send(b"one".to_vec());
    process.send("zwei \u{1f600}\n".as_bytes().to_vec());
    process.send(b"\n".to_vec());
    assert_eq!([line(&mut process), line(&mut process), line(&mut process)], ["one", "zwei \u{1f600}", ""]);
    process.close_input();
    process.send(b"too late".to_vec());
    assert_eq!((process.next(soon()), process.next(soon())), (Event::Eof, Event::Eof));
    let ended = process.finish(LONG);
    assert_eq!((ended.described.as_str(), ended.stderr.as_str(), ended.orphans.len()), ("exit code 0", "", 0));
    assert!(ended.status.is_some_and(|status| status.success()));
}

#[test]
fn long_frames_in_flight_do_not_lock_each_other() {
    let mut process = start(&["cat"]);
    for index in 0..64_u8 {
        process.send(vec![b'0' + index; 1 << 20]);
    }
    for index in 0..64_u8 {
        let Event::Line(line) = process.next(soon()) else { panic!("{index}") };
        assert!(line.len() == 1 << 20 && line.iter().all(|byte| *byte == b'0' + index));
    }
    assert!(process.finish(LONG).status.is_some());
}

#[test]
fn many_short_lines_keep_their_order() {
    let (total, in_flight) = (50_000, 64);
    let mut process = start(&["cat"]);
    let frame = |index: usize| format!("{index:0300}\n").into_bytes();
    let ((), taken) = timed(|| {
        (0..in_flight).for_each(|index| process.send(frame(index)));
        for index in 0..total {
            assert_eq!(line(&mut process).parse(), Ok(index));
            process.send(frame(index + in_flight));
        }
    });
    println!("{:.0} lines of 300 bytes a second, {in_flight} in flight", f64::from(total as u32) / taken.as_secs_f64());
    assert!(process.kill().status.is_none());
}

#[test]
fn a_testee_that_never_answers_costs_the_time_that_it_is_given() {
    let mut process = sh("sleep 600000");
    let (event, taken) = timed(|| process.next(Instant::now() + SHORT));
    assert_eq!(event, Event::Expired);
    assert!(taken >= SHORT, "{taken:?}");
    let ended = process.kill();
    assert_eq!((ended.described.as_str(), ended.status, ended.orphans.len()), ("killed by the harness", None, 0));
}

#[test]
fn a_testee_that_does_not_read_holds_nobody_up() {
    let mut process = sh("exec sleep 600000");
    (0..64).for_each(|_| process.send(vec![b'x'; 1 << 20]));
    assert_eq!(process.finish(SHORT).status, None);
}

#[test]
fn a_line_without_end_is_cut_short() {
    let mut process = sh("echo $$; exec head -c 1000000000 /dev/zero");
    let pid = line(&mut process);
    let event = process.next(soon());
    let Event::Overlong(start) = event else { panic!("{event:?}") };
    assert!(!start.is_empty() && start.len() <= 4096 && start.iter().all(|byte| *byte == 0));
    // What is not read waits on the side that writes.
    assert!(written(&pid) < LINE + (1 << 20), "{} bytes", written(&pid));
    // It is ended by the harness, not by a pipe that closed.
    assert_eq!(process.kill().described, "killed by the harness");
}

#[test]
fn the_longest_line_is_still_one() {
    let mut short = launch(&["printf", "12345\\n123456\\n"]);
    short.line = 5;
    let mut process = short.start(None).unwrap();
    assert_eq!(process.next(soon()), Event::Line(b"12345".to_vec()));
    assert_eq!(process.next(soon()), Event::Overlong(b"123456".to_vec()));
    assert_eq!(process.next(soon()), Event::Eof);
}

#[test]
fn a_flood_of_lines_waits_for_its_reader() {
    let mut process = sh("echo $$; exec yes");
    let pid = line(&mut process);
    // Until it rests. On a busy machine it may seem to rest too soon, and then less is tried.
    let (mut before, mut looks) = (0, 0);
    while looks < 50 {
        thread::sleep(SHORT / 10);
        let now = written(&pid);
        assert!(now < 4 << 20, "{now} bytes are taken that nobody has asked for");
        looks = if now > before || now == 0 { 0 } else { looks + 1 };
        before = now;
    }
    assert_eq!(line(&mut process), "y");
    assert_eq!(process.kill().orphans.len(), 0);
}

#[test]
fn an_output_that_ends_inside_a_line_says_so() {
    let mut process = sh("printf 'whole\\nhalf'; exit 3");
    assert_eq!(line(&mut process), "whole");
    assert_eq!(process.next(soon()), Event::Unended(b"half".to_vec()));
    assert_eq!(process.next(soon()), Event::Eof);
    assert_eq!(process.kill().described, "exit code 3");
}

#[test]
fn of_a_flood_on_standard_error_the_end_is_kept() {
    let script = "import sys\nfor _ in range(100): sys.stderr.buffer.write(b'x' * 1000000)\nsys.stderr.write('the end')\nprint('done')";
    let mut process = python(script);
    assert_eq!(line(&mut process), "done");
    let ended = process.finish(LONG);
    assert!(ended.stderr.len() == 8 << 10 && ended.stderr.ends_with("xthe end"), "{}", ended.stderr);
}

#[test]
fn a_tap_drops_doubles_and_delays() {
    let (release, held) = mpsc::channel();
    let mut process = launch(&["cat"])
        .start(Some(Box::new(move |line| match line.as_slice() {
            b"drop" => Vec::new(),
            b"double" => vec![line.clone(), line],
            b"delay" => {
                held.recv().unwrap();
                vec![line]
            }
            _ => vec![line.to_ascii_uppercase()],
        })))
        .unwrap();
    for word in ["drop", "double", "other", "delay"] {
        process.send(word.into());
    }
    // That a line was kept is news too: it is later by now, and whoever waits looks at the clock at once.
    assert_eq!(process.next(Instant::now() + LONG), Event::Expired);
    assert_eq!([line(&mut process), line(&mut process), line(&mut process)], ["double", "double", "OTHER"]);
    assert_eq!(process.next(Instant::now() + SHORT), Event::Expired);
    release.send(()).unwrap();
    assert_eq!(line(&mut process), "delay");
}

/// What counts for limits is when a line arrived, not when somebody looks for it.
const LIMIT: Duration = Duration::from_secs(1);

#[test]
fn a_line_that_was_in_time_stays_in_time() {
    let hand = Arc::new(AtomicU64::new(0));
    let (shown, moved) = (Arc::clone(&hand), Arc::clone(&hand));
    let (reached, at) = mpsc::channel();
    let mut cat = launch(&["cat"]);
    cat.timing.clock = Clock::held(move || Duration::from_secs(shown.load(Ordering::SeqCst)));
    let tap = move |line: Vec<u8>| {
        if line == b"late" {
            moved.store(2, Ordering::SeqCst);
        }
        // Everything that came before this line has been handed over.
        reached.send(()).unwrap();
        vec![line]
    };
    let mut process = cat.start(Some(Box::new(tap))).unwrap();
    process.send(b"in time".to_vec());
    process.send(b"late".to_vec());
    at.recv().unwrap();
    at.recv().unwrap();
    assert_eq!(process.next_by(LIMIT, || false), Event::Line(b"in time".to_vec()));
    // The other may be there by now, or not.
    assert_eq!(process.next_by(LIMIT, || false), Event::Expired);
}

#[test]
fn a_line_that_was_late_stays_late() {
    let (shown, moved) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let (reader, hand) = (Arc::clone(&moved), Arc::clone(&shown));
    let mut cat = launch(&["cat"]);
    // Only the thread that reads sees that time has passed: the one who waits for the line finds it, and finds it late.
    let here = thread::current().id();
    cat.timing.clock = Clock::held(move || {
        let hand = if thread::current().id() == here { &hand } else { &reader };
        Duration::from_secs(hand.load(Ordering::SeqCst))
    });
    let tap = move |line| {
        moved.store(2, Ordering::SeqCst);
        vec![line]
    };
    let mut process = cat.start(Some(Box::new(tap))).unwrap();
    process.send(b"late".to_vec());
    assert_eq!(process.next_by(LIMIT, || false), Event::Expired);
    assert_eq!(shown.load(Ordering::SeqCst), 0);
}

/// As when somebody stops the harness and lets it go on: the line was there, and is read when the limit is long over.
#[test]
fn a_line_that_came_while_the_harness_itself_stood_still_is_not_late() {
    let hand = Arc::new(AtomicU64::new(0));
    let (clock, pulse, moved) = (Arc::clone(&hand), Arc::clone(&hand), Arc::clone(&hand));
    let mut cat = launch(&["cat"]);
    cat.timing.clock = Clock::held(move || Duration::from_secs(clock.load(Ordering::SeqCst)))
        .with_pulse(move || Duration::from_secs(pulse.load(Ordering::SeqCst)));
    let (looked, look) = mpsc::channel();
    let tap = move |line| {
        // Not before it is waited for.
        look.recv().unwrap();
        moved.store(100, Ordering::SeqCst);
        vec![line]
    };
    let mut process = cat.start(Some(Box::new(tap))).unwrap();
    process.send(b"in time".to_vec());
    let given_up = || looked.send(()).is_err();
    assert_eq!(process.next_by(LIMIT, given_up), Event::Line(b"in time".to_vec()));
}

#[test]
fn a_sleeping_tap_does_not_hold_up_the_end() {
    let ((asleep, seen), (release, held)) = (mpsc::channel(), mpsc::channel::<()>());
    let tap = move |line| {
        asleep.send(()).unwrap();
        // Until the other end is dropped.
        let _ = held.recv();
        vec![line]
    };
    let mut process = launch(&["cat"]).start(Some(Box::new(tap))).unwrap();
    process.send(b"late".to_vec());
    seen.recv().unwrap();
    assert_eq!(process.kill().status, None);
    drop(release);
}
