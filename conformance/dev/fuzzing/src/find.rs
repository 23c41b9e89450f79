//! A find: what a target judged when it failed, as a file that people can read and `cargo test` can replay.

use assize::minimise::input::Question;
use serde::{Deserialize, Serialize};

use crate::documents::Documents;

/// The content of a file below `fuzz/regressions/<target>/`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Find {
    /// The target that judged it.
    pub target: String,
    /// What was wrong, and what became of it: a fix, an erratum or a vector. Written by a person.
    pub note: String,
    /// What an implementation can be asked, the usual question first; nothing where Assize itself is judged.
    pub asks: Vec<Question>,
    /// What is judged.
    pub documents: Documents,
}

impl Find {
    /// The file's text: indented, with a final line feed.
    #[must_use]
    pub fn text(&self) -> String {
        // Maps of strings: nothing that serde_json could refuse.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }
}
