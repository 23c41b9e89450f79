//! What a run found out, as one value, and every way of writing it.
//!
//! Exit codes: [`crate::exit`]. [`Report`] is built once by [`sum`]; each writer renders it and decides nothing.
//! `result` holds what another run of the same testee must reach again, and its digest names it; `run` holds what
//! belongs to this run alone: ids, times, sessions, and how far the testee was contained.

mod annotations;
pub(crate) mod badge;
pub(crate) mod basis;
mod challenged;
pub(crate) mod cluster;
mod diff;
#[cfg(test)]
pub(crate) mod fixture;
mod form;
mod grade;
pub(crate) mod html;
mod json;
mod junit;
mod markdown;
mod model;
mod run;
pub mod sum;
mod tap;
mod text;
pub(crate) mod view;

pub use annotations::write as annotations;
pub use badge::write as badge;
pub use challenged::Challenged;
pub use form::{Form, ReportError, write};
pub use grade::Grade;
pub use html::write as html;
pub use json::write as json;
pub use junit::write as junit;
pub use markdown::write as markdown;
pub use model::{
    CaseRow, Cluster, FailOn, Failure, LawRow, LevelRow, LevelState, Report, Results, RulingsInfo, RunGrade,
    TesteeInfo, Totals, Unrun,
};
pub use run::Run;
pub use tap::write as tap;
pub use text::{Paint, within as text_within, write as text};
