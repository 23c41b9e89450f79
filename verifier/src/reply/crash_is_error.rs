//! After an exception that nobody handled, the outcome is an error.
//!
//! Spec: section 11, Critical Rule; `facts/reply.md` 8, ruling RE-22. Which code of type E the wrapper takes is free.

use super::type_closed::ReplyType;

pub(super) fn is_told(emitted: Option<ReplyType>) -> bool {
    emitted == Some(ReplyType::E)
}
