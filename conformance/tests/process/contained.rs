//! How a process ends, and everything that it has started with it.

use std::{
    process::{Command, Stdio},
    sync::atomic::AtomicBool,
    thread,
};

use assize::testee::process::{Ended, Event};

use super::{LONG, SHORT, becomes, is_there, launch, line, python, sh, soon, start, timed};

/// Exactly one orphan is reported, by this command line, and it is gone.
fn check_orphan(ended: &Ended, pid: &str, command: &str) {
    assert_eq!(ended.orphans, [command], "{ended:?}");
    assert!(!is_there(pid), "{pid} is still there");
}

#[test]
fn the_end_is_told_by_its_cause() {
    for (script, described) in [
        ("exit 0", "exit code 0"),
        ("exit 3", "exit code 3"),
        ("kill -SEGV $$", "signal 11 (SIGSEGV)"),
        ("kill -ABRT $$", "signal 6 (SIGABRT)"),
        // Not by us: what killed it did so before.
        ("kill -KILL $$", "signal 9 (SIGKILL)"),
        ("kill -40 $$", "signal 40"),
    ] {
        let mut process = sh(script);
        assert_eq!(process.next(soon()), Event::Eof);
        let ended = process.kill();
        assert_eq!(ended.described, described, "{script}");
        assert!(ended.status.is_some());
    }
    let mut process = python("import os, sys\nsys.stderr.write('last words')\nsys.stderr.flush()\nos.abort()");
    assert_eq!(process.next(soon()), Event::Eof);
    let ended = process.finish(LONG);
    assert_eq!((ended.described.as_str(), ended.stderr.as_str()), ("signal 6 (SIGABRT)", "last words"));
}

#[test]
fn a_testee_that_ignores_the_polite_signals_ends_too() {
    let mut process = sh("trap '' TERM INT HUP PIPE; echo $$; while :; do sleep 1; done");
    let pid = line(&mut process);
    let ended = process.finish(SHORT);
    assert_eq!((ended.described.as_str(), ended.orphans.len()), ("killed by the harness", 0));
    assert!(!is_there(&pid));
}

/// Each of these would be waited for a long time if the run had not been interrupted.
#[cfg(target_os = "linux")]
#[test]
fn the_end_is_not_waited_for_once_the_run_is_broken_off() {
    static STOP: AtomicBool = AtomicBool::new(true);
    let mut process = sh("trap '' TERM INT HUP PIPE; echo $$; while :; do sleep 1; done");
    process.heed(&STOP);
    let pid = line(&mut process);
    assert_eq!(process.finish(LONG).described, "killed by the harness");
    assert!(!is_there(&pid));
    // Its helper computes for ever, which usually counts as work that may be about to end.
    let mut process = sh("echo $$; (while :; do :; done) & echo $!");
    process.heed(&STOP);
    let (leader, helper) = (line(&mut process), line(&mut process));
    let stat = format!("/proc/{leader}/stat");
    while !std::fs::read_to_string(&stat).unwrap().contains(") Z ") {
        thread::yield_now();
    }
    assert_eq!(process.finish(LONG).described, "exit code 0");
    assert!(!is_there(&helper));
}

#[test]
fn a_child_that_left_the_group_is_found() {
    // It holds the output open, so the end of the output does not come.
    let mut process = sh("setsid sleep 123400 & echo $!; read x");
    let pid = line(&mut process);
    becomes(&pid, "sleep 123400");
    let ended = process.finish(LONG);
    assert_eq!(ended.described, "exit code 1");
    check_orphan(&ended, &pid, "sleep 123400");
}

#[test]
fn a_child_that_left_the_group_is_found_after_a_kill() {
    let mut process = sh("setsid sleep 123500 & echo $!; sleep 123600");
    let pid = line(&mut process);
    becomes(&pid, "sleep 123500");
    // The other child, which stayed in the group, is not an orphan.
    check_orphan(&process.kill(), &pid, "sleep 123500");
}

#[test]
fn a_child_that_stays_in_the_group_after_the_end_is_an_orphan() {
    let mut process = sh("sleep 123700 & echo $!");
    let pid = line(&mut process);
    becomes(&pid, "sleep 123700");
    check_orphan(&process.finish(LONG), &pid, "sleep 123700");
}

/// Starts a daemon in the classic way, with nothing left of its parents except what `how` leaves.
fn daemon(how: &str) -> (String, Ended) {
    let script = format!(
        r"
import os, subprocess, sys
if os.fork() == 0:
    os.setsid()
    child = subprocess.Popen(['sleep', '123800'], start_new_session=True, {how})
    print(child.pid, flush=True)
    os._exit(0)
os.wait()
sys.stdin.read()
"
    );
    let mut process = python(&script);
    let pid = line(&mut process);
    becomes(&pid, "sleep 123800");
    (pid, process.finish(LONG))
}

#[test]
fn a_daemon_is_known_by_its_environment() {
    let (pid, ended) = daemon("stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL");
    check_orphan(&ended, &pid, "sleep 123800");
}

#[test]
fn a_daemon_is_known_by_its_output() {
    let (pid, ended) = daemon("env={}, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL");
    check_orphan(&ended, &pid, "sleep 123800");
    let (pid, ended) = daemon("env={}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL");
    check_orphan(&ended, &pid, "sleep 123800");
}

#[test]
fn helpers_that_end_with_the_testee_are_no_orphans() {
    // The helper ends a little later than the shell, as the child of a wrapper may.
    let mut wrapper = launch(&["sh", "-c", "(sleep 0.03) & echo ready"]);
    wrapper.timing.patience.helpers = LONG;
    let mut process = wrapper.start(None).unwrap();
    assert_eq!(line(&mut process), "ready");
    let ended = process.finish(LONG);
    assert_eq!((ended.described.as_str(), ended.orphans.len()), ("exit code 0", 0), "{ended:?}");
}

/// A helper that gets no processor is as slow as one with much to do: neither has been left behind.
#[test]
fn a_helper_that_is_busy_ending_is_no_orphan() {
    let work = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done";
    let mut wrapper = launch(&["sh", "-c", &format!("({work}) & echo ready")]);
    wrapper.timing.patience.helpers = SHORT / 10;
    let mut process = wrapper.start(None).unwrap();
    assert_eq!(line(&mut process), "ready");
    let ended = process.finish(LONG);
    assert_eq!((ended.described.as_str(), ended.orphans.len()), ("exit code 0", 0), "{ended:?}");
}

#[test]
fn sessions_and_other_children_do_not_touch_each_other() {
    let mut other = Command::new("setsid").args(["sh", "-c", "read x; exit 7"]).stdin(Stdio::piped()).spawn().unwrap();
    let mut staying = sh("setsid cat & cat; wait");
    staying.send(b"before".to_vec());
    assert_eq!(line(&mut staying), "before");
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for round in 0..8 {
                    let mut process = sh("setsid sleep 123900 & echo $!; exec cat");
                    let pid = line(&mut process);
                    becomes(&pid, "sleep 123900");
                    let ended = if round % 2 == 0 { process.kill() } else { process.finish(LONG) };
                    check_orphan(&ended, &pid, "sleep 123900");
                    assert_eq!(ended.status.is_none(), round % 2 == 0);
                }
            });
        }
    });
    staying.send(b"after".to_vec());
    assert_eq!(line(&mut staying), "after");
    assert!(other.try_wait().unwrap().is_none());
    drop(other.stdin.take());
    assert_eq!(other.wait().unwrap().code(), Some(7));
}

#[test]
fn a_dropped_process_leaves_nothing() {
    let mut process = sh("echo $$; setsid sleep 124000 & echo $!; sleep 124100");
    let pids = [line(&mut process), line(&mut process)];
    becomes(&pids[1], "sleep 124000");
    drop(process);
    assert!(pids.iter().all(|pid| !is_there(pid)), "{pids:?}");
}

#[test]
fn many_starts_end_by_themselves() {
    let ((), taken) = timed(|| {
        for _ in 0..50 {
            assert_eq!(start(&["cat"]).finish(LONG).described, "exit code 0");
        }
    });
    println!("{:.1} ms for a start and an end", taken.as_secs_f64() * 20.0);
}
