//! What a certifying run says, for people and for machines: one value, rendered twice.
//!
//! Contract: `contracts/interface/report.schema.json`. A report states what was run and what came of it; that the corpus is
//! right is not its claim.

mod json;
mod model;
mod text;

pub use json::write as json;
pub use model::{Failure, LawRow, Report, Selected, SuiteInfo, TesteeInfo, Totals, Unrun};
pub use text::{Paint, write as text};
