//! Rows of a sweep as Parquet, and manifests out of it; empty without the feature `parquet`.

#[cfg(feature = "parquet")]
mod manifest;
#[cfg(feature = "parquet")]
mod read;
#[cfg(feature = "parquet")]
mod rows;

#[cfg(feature = "parquet")]
pub use manifest::lines;
#[cfg(feature = "parquet")]
pub use read::rows;
#[cfg(feature = "parquet")]
pub use rows::{SCHEMA, Writer};
