//! What the harness allows a testee.

use serde::{Deserialize, Serialize};

/// The longest frame, unless the harness says otherwise.
pub const DEFAULT_LINE: usize = 8 << 20;

/// The longest name, version, language or word of a hello, in bytes: they stand in every report.
pub(super) const NAME: usize = 1 << 10;
/// The most operations of a hello, arguments of one, and values of an argument: every case is held against them.
pub(super) const MANY: usize = 1 << 10;
/// The most digits of `max_integer`: no case has as many.
pub(super) const DIGITS: usize = 4500;

/// Limits that a testee can notice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Longest frame in bytes, without its line feed.
    pub line: usize,
    /// Milliseconds without progress.
    pub case_ms: u64,
    /// Milliseconds to hello.
    pub start_ms: u64,
    /// Ends of a process by crash, time-out or bad frame before the rest is not run.
    pub ends: usize,
    /// Seconds of processor time of one process; nothing without a limit.
    pub cpu_s: Option<u64>,
    /// Megabytes of private memory of one process; nothing without a limit.
    pub memory_mb: Option<u64>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { line: DEFAULT_LINE, case_ms: 2000, start_ms: 30_000, ends: 20, cpu_s: Some(3600), memory_mb: Some(8192) }
    }
}
