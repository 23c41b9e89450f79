//! Pairs of bundles as documents.

use assize::minimise::input::Question;
use assize_inputs::Pair;

use crate::documents::{DocumentError, Documents};

/// The documents with a pair's bundles and turn files added, `prefix` before each name.
#[must_use]
pub fn with_pair(documents: Documents, prefix: &str, pair: &Pair) -> Documents {
    let bundles =
        documents.with(format!("{prefix}bundle_a"), &pair.bundle_a).with(format!("{prefix}bundle_b"), &pair.bundle_b);
    pair.files.iter().fold(bundles, |all, (path, content)| all.with(format!("{prefix}files/{path}"), content))
}

/// The pair whose documents' names begin with `prefix`.
///
/// # Errors
/// A bundle is missing, or a document cannot be read.
pub fn pair_of(documents: &Documents, prefix: &str) -> Result<Pair, DocumentError> {
    Ok(Pair {
        bundle_a: documents.octets(&format!("{prefix}bundle_a"))?,
        bundle_b: documents.octets(&format!("{prefix}bundle_b"))?,
        files: documents.below(&format!("{prefix}files/"))?,
    })
}

/// What a pair asks whose documents' names begin with `prefix`.
#[must_use]
pub fn question(prefix: &str, mode: &str) -> Question {
    let bundles = ["bundle_a", "bundle_b"];
    let question = Question::of("sovereign.compare").arg("mode", mode).files(&format!("{prefix}files/"));
    bundles.into_iter().fold(question, |question, bundle| question.doc(bundle, &format!("{prefix}{bundle}")))
}
