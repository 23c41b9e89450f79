//! `canon.bytes`.

use crate::testee::{Answer, Request};

pub(super) fn bytes(request: &Request) -> Answer {
    super::unsupported(request)
}
