//! The bar on standard error, where that is a terminal.

use std::{
    collections::BTreeSet,
    fmt,
    io::{self, IsTerminal as _, Read},
    sync::{Mutex, PoisonError},
};

use assize::runner::CaseResult;
use assize_corpus::agreement::Outcome;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

/// Counts of cases that were answered and of those that failed.
pub(crate) struct Progress {
    bar: ProgressBar,
    seen: Mutex<Seen>,
}

/// A case that is answered twice counts once.
#[derive(Default)]
struct Seen {
    answered: BTreeSet<String>,
    failed: BTreeSet<String>,
}

impl Progress {
    /// A bar for this many cases; none where nobody watches.
    pub(crate) fn over(cases: usize) -> Self {
        let bar = drawn(cases, "{bar:30} {pos}/{len} cases, {msg} [{elapsed}]");
        bar.set_message(beside(0, false));
        Self { bar, seen: Mutex::default() }
    }

    /// Counts a case.
    pub(crate) fn step(&self, result: &CaseResult) {
        if self.bar.is_hidden() {
            return;
        }
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if !matches!(result.judgement.outcome, Outcome::Pass | Outcome::NotApplicable | Outcome::NotRun) {
            seen.failed.insert(result.id.clone());
        }
        if seen.answered.insert(result.id.clone()) {
            self.bar.inc(1);
        }
        let every = self.bar.length() == Some(self.bar.position());
        self.bar.set_message(beside(seen.failed.len(), every));
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// What stands beside the bar: failures, and what is still going on once every case was answered.
fn beside(failed: usize, every: bool) -> String {
    format!("{failed} fail{}", if every { "; second order, samples and controls" } else { "" })
}

/// A bar that counts and knows nothing of what it counts.
pub(crate) struct Bar(ProgressBar);

impl Bar {
    /// A bar for this many things; none where nobody watches, or for a single one.
    pub(crate) fn over(count: usize, things: &str) -> Self {
        if count < 2 {
            return Self(ProgressBar::hidden());
        }
        let bar = drawn(count, "{bar:30} {pos}/{len} {msg} [{elapsed}]");
        bar.set_message(things.to_owned());
        Self(bar)
    }

    /// A bar for this many things that says how fast they come and how long the rest takes; none where nobody watches.
    pub(crate) fn paced(count: u64, things: &str) -> Self {
        let template = "{bar:30} {pos}/{len} {msg}, {pace} [{elapsed}, {eta} left]";
        let bar = drawn(usize::try_from(count).unwrap_or(usize::MAX), template);
        bar.set_message(things.to_owned());
        Self(bar)
    }

    /// A bar for this many bytes; none where nobody watches, or for what is read in a moment.
    pub(crate) fn bytes(length: u64) -> Self {
        const LONG: u64 = 32 << 20;
        match usize::try_from(length) {
            Ok(length) if length as u64 >= LONG => Self(drawn(length, "{bar:30} {bytes}/{total_bytes} [{elapsed}]")),
            _ => Self(ProgressBar::hidden()),
        }
    }

    /// Counts the bytes that are read. Where nobody watches, the source is not slowed down.
    pub(crate) fn counting(&self, source: Box<dyn Read + Send>) -> Box<dyn Read + Send> {
        if self.0.is_hidden() { source } else { Box::new(self.0.wrap_read(source)) }
    }

    /// Counts one.
    pub(crate) fn step(&self) {
        self.0.inc(1);
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        self.0.finish_and_clear();
    }
}

fn drawn(length: usize, template: &str) -> ProgressBar {
    let bar = match u64::try_from(length) {
        Ok(length) if io::stderr().is_terminal() => {
            ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr())
        }
        _ => ProgressBar::hidden(),
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.with_key("pace", pace));
    }
    bar
}

/// How many come in a second: of some that take long, with what is left of one.
fn pace(state: &ProgressState, to: &mut dyn fmt::Write) {
    let each = state.per_sec();
    // Nothing is left to say when even this cannot be written.
    let _ = if each < 10.0 { write!(to, "{each:.1}/s") } else { write!(to, "{each:.0}/s") };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_bar_says_what_is_still_asked() {
        assert_eq!(beside(0, false), "0 fail");
        assert_eq!(beside(2, true), "2 fail; second order, samples and controls");
    }
}
