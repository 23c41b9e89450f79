//! How long the streams of generated inputs are, and which.
//!
//! `ASSIZE_RUNS` (generated pairs: `ASSIZE_PAIRS`) sets the number of inputs, `ASSIZE_SEED` the stream. The defaults are as few as reach
//! every answer, since people wait for them; the gate asks for more.

/// A number from the environment.
pub(crate) fn setting(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name} is a number")),
        Err(_) => default,
    }
}
