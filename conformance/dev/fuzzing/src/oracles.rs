//! What several targets need to judge: one module for each second source or law between answers.

pub mod authority;
pub mod canonical_forms;
pub mod comparator;
pub mod episode;
pub mod frames;
pub mod json_reader;
pub mod kernel;
pub mod law_mode;
pub mod law_report;
pub mod layouts;
pub mod made_packs;
pub mod memory_files;
pub mod packs;
pub mod pairs;
pub mod reply;
pub mod rewritings;
pub mod sovereign;
pub(crate) mod spelling;
pub mod steps;
