//! What the steps of clients leave behind, and what an interrupt leaves.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    path::Path,
};

use rustix::process::{Pid, Signal, kill_process};

use super::{Bench, CLIENT};
use crate::support::until;

/// Starts a process that leaves its group and its session and holds none of the step's files, as daemons do.
const DAEMON: &str = "
import os, subprocess, sys
nothing = subprocess.DEVNULL
wait = [sys.executable, '-c', 'import threading; threading.Event().wait()']
daemon = subprocess.Popen(wait, start_new_session=True, stdin=nothing, stdout=nothing, stderr=nothing)
";

/// Writes the numbers of both, whole.
const SAY: &str = "
with open(sys.argv[1] + '.part', 'w') as file:
    file.write(f'{os.getpid()} {daemon.pid}')
os.rename(sys.argv[1] + '.part', sys.argv[1])
";

const TABLE: &str = r#"
[client.leaving]
language = "python"
files = [{ from = "step.py" }]
steps = [["python3", "step.py", "{cache}/begun"]]
command = ["python3", "-c", "print('hello, world')"]
[[implementation]]
name = "leaving"
client = "leaving"
versions = ["1"]
"#;

fn bench(step: &str) -> Bench {
    let bench = Bench::with(&[CLIENT, TABLE].concat());
    fs::write(bench.path("step.py"), step).unwrap();
    bench
}

/// Asserts that none of the processes that a step has named is there any more, and ends those that are.
#[track_caller]
fn gone(bench: &Bench) {
    let text = fs::read_to_string(bench.path("scratch/cache/leaving/begun")).unwrap();
    let all: Vec<i32> = text.split(' ').map(|number| number.parse().unwrap()).collect();
    assert_eq!(all.len(), 2);
    let there: Vec<i32> = all.into_iter().filter(|number| Path::new(&format!("/proc/{number}")).exists()).collect();
    for number in &there {
        let _ = kill_process(Pid::from_raw(*number).unwrap(), Signal::KILL);
    }
    assert!(there.is_empty(), "{there:?} of {text} are left");
}

#[test]
fn what_a_step_leaves_behind_ends_with_it() {
    let bench = bench(&[DAEMON, SAY].concat());
    bench.run(&[]).exits(3).says(&["leaving@1: not judged"]);
    gone(&bench);
}

#[test]
fn a_second_interrupt_leaves_nobody_behind() {
    // The step does not end when it is asked to.
    const STUBBORN: &str = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n";
    let bench = bench(&[STUBBORN, DAEMON, SAY, "import threading\nthreading.Event().wait()\n"].concat());
    let mut child = bench.start();
    until(&mut child, "the step begins", || bench.path("scratch/cache/leaving/begun").exists());
    let id = Pid::from_child(&child);
    kill_process(id, Signal::INT).unwrap();
    let lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let heard = lines.map(Result::unwrap).any(|line| line.contains("once more ends it at once"));
    assert!(heard);
    kill_process(id, Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(3));
    gone(&bench);
}
