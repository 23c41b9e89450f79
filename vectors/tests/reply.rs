//! The reply system: rulings that need many cells at once, broken and hostile input, large input, and the reference builder.

mod bad_input;
mod builder;
mod large;
mod rulings;

use assize_verifier::reply::Judgement;

/// The broken laws without their system, in alphabetical order.
fn laws(found: &Judgement) -> Vec<&'static str> {
    let mut laws: Vec<_> = found.laws().iter().map(|law| law.slug().trim_start_matches("reply/")).collect();
    laws.sort_unstable();
    laws
}
