//! A finding or an advice as lint writes it, in every format.

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
}

fn slug<S: Serializer>(law: &Law, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(law.slug())
}
