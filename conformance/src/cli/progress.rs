//! The bar on standard error, where that is a terminal.

use std::{
    collections::BTreeSet,
    io::{self, IsTerminal as _},
    sync::{Mutex, PoisonError},
};

use assize::suite::Tried;
use assize_corpus::agreement::Outcome;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Counts of cases that were heard and of those that failed.
pub(crate) struct Progress {
    bar: ProgressBar,
    seen: Mutex<Seen>,
}

/// A case that is heard twice counts once.
#[derive(Default)]
struct Seen {
    heard: BTreeSet<String>,
    failed: BTreeSet<String>,
}

impl Progress {
    /// A bar for so many cases; none where nobody looks.
    pub(crate) fn over(cases: usize) -> Self {
        let bar = match u64::try_from(cases) {
            Ok(cases) if io::stderr().is_terminal() => {
                ProgressBar::with_draw_target(Some(cases), ProgressDrawTarget::stderr())
            }
            _ => ProgressBar::hidden(),
        };
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} cases, {msg} [{elapsed}]") {
            bar.set_style(style);
        }
        bar.set_message("0 fail");
        Self { bar, seen: Mutex::default() }
    }

    /// Counts a case.
    pub(crate) fn step(&self, tried: &Tried) {
        if self.bar.is_hidden() {
            return;
        }
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if !matches!(tried.judgement.outcome, Outcome::Pass | Outcome::NotApplicable | Outcome::NotRun) {
            seen.failed.insert(tried.id.clone());
            self.bar.set_message(format!("{} fail", seen.failed.len()));
        }
        if seen.heard.insert(tried.id.clone()) {
            self.bar.inc(1);
        }
        if self.bar.length() == Some(self.bar.position()) {
            self.bar.set_message(format!("{} fail; second order, samples and controls", seen.failed.len()));
        }
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
