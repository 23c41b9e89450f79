//! The kernel's promotion as a transition system, checked over all of its states below a bound.
//!
//! Spec: Kernel v1 Requirements Pack, Law 1 to Law 6, and Spec-002, 7 Atomic Promotion; rulings KE-31, KE-39, KE-40 and KE-42.
//!
//! Two runs stage, delete and promote in every order ([`Bounds`]), but no turn deletes what it stages; every promotion is also stopped before each of its file operations,
//! and so is the recovery that follows. What committed has to be is a [`Committed`], which knows of no file. Two kernels are held to it:
//! the [`Reference`] of the verifier, over files in memory, and a [`Small`] one of a page, in which a [`Bug`] can be planted for each
//! property, so that it is seen which property finds what.
//!
//! What a pass does not prove: anything beyond the bounds, what several processes do to one home at a time, or what a disk does that
//! forgets a write that it confirmed.

mod committed;
mod model;
mod reference;
mod small;

pub use committed::{Committed, Version};
pub use model::{Action, Bounds, Kernel, PROPERTIES, Promotions, State, Stopped, check, check_until};
pub use reference::Reference;
pub use small::{Bug, Small};
