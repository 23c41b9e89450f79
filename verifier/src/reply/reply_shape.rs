//! What a reply holds: a code that is a string, and data that is an object or null.
//!
//! Spec: Canonical Reply System Architecture (Final), 7; rulings RE-3, RE-35.

use crate::json::NodeRef;

/// Whether data can be that of a reply; none stands for an absent member or null.
pub(super) fn is_data(data: Option<NodeRef<'_>>) -> bool {
    data.is_none_or(NodeRef::is_object)
}

/// Whether a reply that is handed over has its code.
pub(super) fn has_code(code: Option<&[u8]>) -> bool {
    code.is_some()
}
