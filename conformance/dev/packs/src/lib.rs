//! Builds proof packs for tests: a second, small implementation of the container, so that no expectation about a pack
//! comes from the verifier.
//!
//! Spec: RCE Profile v0.1; Constitutional Receipt Standard v0.1; ruling EP-14 and `contracts/episode` for the
//! container.
//!
//! An [`Episode`] describes what ran; [`Episode::pack`] turns it into a [`Pack`], which is closed stage by stage, so that
//! a fault can be planted before or after any of them; [`Pack::files`] is what lies in the folder.
//!
//! ```
//! use assize_packs::{Episode, Outcome, step};
//! use serde_json::json;
//!
//! let episode = Episode::new(
//!     &[("nums.json", "[1,2,3]\n")],
//!     [
//!         (step::load("in", "nums.json"), Outcome::pass(json!([1, 2, 3]))),
//!         (step::emit("out", "list", "in"), Outcome::pass(json!({"list": [1, 2, 3]}))),
//!     ],
//! );
//! let pack = episode.sealed();
//! assert!(pack.files.contains_key("recorded_traces/out.json"));
//! ```
//!
//! The signatures are made with a key that everybody has ([`TestKey`]); they prove nothing.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "test support: a fault in here is to fail the test that asked for the pack"
)]

pub mod bulk;
pub mod canon;
pub mod cases;
mod episode;
pub mod finding;
mod key;
pub mod pack;
pub mod place;
mod receipts;
mod stage;
pub mod vector;

pub use episode::{Episode, Outcome, Shape, Status, step};
pub use finding::Finding;
pub use key::TestKey;
pub use pack::Pack;
pub use stage::Stage;
