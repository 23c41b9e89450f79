//! authority/canonical-form: whatever is hashed has canonical bytes.
//!
//! Spec: Kernel Contract 0.1.0, 2.1 and 4.1; rulings AU-11 and AU-42 to AU-46. The bytes are those of
//! [`crate::canon::Profile::Authority`].

use crate::canon::Trouble;
use crate::finding::Finding;
use crate::json::{Dialect, JsonPointer, Reader};
use crate::law::Law;

/// A value of a record without canonical form; `text` is the record's, and the trouble's offset lies in it.
pub(super) fn finding(record: &JsonPointer, text: &[u8], trouble: Trouble) -> Finding {
    let inside =
        Reader::new(text, &Dialect::AUTHORITY).map(|reader| reader.pointer_at(trouble.offset)).unwrap_or_default();
    let message = format!("{} has no canonical form: {}", trouble.kind, trouble.kind.help());
    Finding::error(Law::CanonicalForm, record.below(&inside), message)
}

/// Canonical bytes as text.
pub(super) fn text(canonical: &[u8]) -> String {
    String::from_utf8_lossy(canonical).into_owned()
}
