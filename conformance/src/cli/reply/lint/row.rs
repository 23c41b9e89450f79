//! A finding or an advice as lint writes it, in every format.

use assize_source::Place;
use assize_verifier::law::Law;
use serde::{Serialize, Serializer};

/// One finding or advice, where it stands in the project.
#[derive(Serialize)]
pub(super) struct Row {
    #[serde(serialize_with = "slug")]
    pub(super) law: Law,
    pub(super) file: String,
    pub(super) line: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) revision: Option<String>,
    /// The code, area or method that it is about.
    pub(super) subject: String,
    /// Where the verifier found it, in the document of its operation.
    pub(super) pointer: String,
    pub(super) message: String,
    /// Where a source has it.
    #[serde(flatten)]
    pub(super) seen: Option<Seen>,
}

/// A place in a source, with what stands there.
#[derive(Clone, Serialize)]
pub(super) struct Seen {
    pub(super) column: usize,
    pub(super) end_column: usize,
    /// The line, or as much of it as is shown.
    pub(super) text: String,
    #[serde(skip)]
    caret: usize,
    /// Its file below the root of the sources.
    #[serde(skip)]
    pub(super) file: String,
}

impl Row {
    /// Where on its line it stands, for an order.
    pub(super) fn place(&self) -> Option<(usize, usize)> {
        self.seen.as_ref().map(|seen| (seen.column, seen.end_column))
    }
}

impl Seen {
    pub(super) fn of(place: &Place) -> Self {
        Self {
            column: place.column,
            end_column: place.end_column,
            text: place.text.clone(),
            caret: place.caret,
            file: place.file.clone(),
        }
    }

    /// The line, and below it what the finding is about.
    pub(super) fn shown(&self) -> [String; 2] {
        let text = self.text.trim_start();
        let cut = self.text.chars().count() - text.chars().count();
        let text = text.trim_end().replace('\t', " ");
        let before = self.caret.saturating_sub(cut);
        let room = text.chars().count().saturating_sub(before).max(1);
        let width = (self.end_column - self.column).clamp(1, room);
        let marks = format!("{}{}", " ".repeat(before), "^".repeat(width));
        [text, marks]
    }
}

fn slug<S: Serializer>(law: &Law, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(law.slug())
}
