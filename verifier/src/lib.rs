//! Skeleton.

pub mod files;
