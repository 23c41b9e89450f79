//! The system has no operation of its own: `canon.bytes` reads what it is given, and its law is asked through that.

use crate::operation::Handler;

/// The operations of the system.
pub(crate) const TABLE: &[(&str, Handler)] = &[];
