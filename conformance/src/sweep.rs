//! A sweep: many artefacts, one row of results each.
//!
//! A manifest lists artefacts line by line; whoever calls brings the judge, which is that of the verb for one artefact. Nothing here
//! decides anything. What grows with a sweep is the file of results and 16 bytes a row: a line is read when somebody is free to
//! judge it, and its row is written as soon as it was judged, so that a sweep that was broken off at any moment goes on where it was.

mod drift;
mod earlier;
mod listing;
mod manifest;
mod row;
mod rows;
mod run;
mod store;
mod tasks;

pub use drift::{Change, Counted, Drift, Stand, Turned, page as drift_page};
pub use earlier::Earlier;
pub use listing::{Listing, Sought};
pub use manifest::{Asked, Entry, LINE, Layout, Manifest, ManifestError, Refused};
pub use row::{First, Judged, Row, UNREADABLE};
pub use rows::Rows;
pub use run::{Ended, Summary, Sweep, SweepError};
pub use store::{Order, Store, StoreError};
pub use tasks::Needs;

/// What results are called by those who read them.
pub const CONTRACT: &str = "assize-sweep/v1";
