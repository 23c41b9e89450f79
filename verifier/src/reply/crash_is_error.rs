//! After an exception that nobody handled, the outcome is an error.
//!
//! Spec: Canonical Reply System Architecture (Final), 11, Critical Rule; rulings RE-12, RE-22: any E code will do.

use super::type_closed::ReplyType;

pub(super) fn is_told(emitted: Option<ReplyType>) -> bool {
    emitted == Some(ReplyType::E)
}
