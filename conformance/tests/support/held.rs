//! Testees that move the clock of their limits themselves, so that nobody waits for a limit, however busy the machine is.

use std::{ffi::OsString, fs, path::Path, sync::atomic::AtomicBool, time::Duration};

use assize::{
    config::ENVIRONMENT,
    protocol::Limits,
    testee::{Clock, Launch, Setup, Subject, Timing},
};

/// A clock that shows a second for each byte of a file.
pub(crate) fn held_clock(hand: &Path) -> Clock {
    let hand = hand.to_owned();
    Clock::held(move || Duration::from_secs(fs::metadata(&hand).map_or(0, |file| file.len())))
}

/// An unsealed testee whose limits are counted by that clock, which begins now.
pub(crate) fn held_setup(argv: Vec<OsString>, limits: Limits, hand: &Path) -> Setup {
    static STOP: AtomicBool = AtomicBool::new(false);
    fs::write(hand, "").unwrap();
    let launch = Launch {
        argv,
        directory: None,
        environment: ENVIRONMENT.iter().map(|name| (*name).to_owned()).collect(),
        line: limits.line,
        cpu_s: limits.cpu_s,
        memory_mb: limits.memory_mb,
        timing: Timing { clock: held_clock(hand), ..Timing::default() },
        seal: None,
        subject: Subject::default(),
    };
    Setup { launch, limits, run: "r-held".to_owned(), suite_sha256: "0".repeat(64), stop: &STOP }
}
