//! The reply system: rulings that need many cells at once, broken and hostile input, large input, and the reference builder.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "everything here is a test; helpers outside test functions are not recognised as such"
)]

#[path = "reply/bad_input.rs"]
mod bad_input;
#[path = "reply/builder.rs"]
mod builder;
#[path = "reply/large.rs"]
mod large;
#[path = "reply/rulings.rs"]
mod rulings;

use assize_verifier::reply::Judgement;

/// The broken laws without their system, in alphabetical order.
fn laws(found: &Judgement) -> Vec<&'static str> {
    let mut laws: Vec<_> = found.laws().iter().map(|law| law.slug().trim_start_matches("reply/")).collect();
    laws.sort_unstable();
    laws
}
