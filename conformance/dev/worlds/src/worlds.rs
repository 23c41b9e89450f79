//! The worlds.

mod attempts;
mod doubles;
mod episodes;
mod graphs;
mod issues;
mod ledgers;
mod matrix;
mod scripts;
mod statuses;
mod texts;
mod traces;

use crate::search::World;

/// Every world.
pub const ALL: [&dyn World; 11] = [
    &texts::CHARACTERS,
    &texts::TOKENS,
    &doubles::Doubles,
    &issues::Issues,
    &attempts::Attempts,
    &statuses::Statuses,
    &scripts::Scripts,
    &traces::Traces,
    &graphs::Graphs,
    &ledgers::Ledgers,
    &matrix::Matrix,
];

/// A world by its name.
#[must_use]
pub fn find(name: &str) -> Option<&'static dyn World> {
    ALL.into_iter().find(|world| world.facts().name == name)
}
