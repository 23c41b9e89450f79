//! `sovereign.*`.

use crate::testee::{Answer, Request};

pub(super) fn compare(request: &Request) -> Answer {
    super::unsupported(request)
}

pub(super) fn audit(request: &Request) -> Answer {
    super::unsupported(request)
}

pub(super) fn deny_code(request: &Request) -> Answer {
    super::unsupported(request)
}

pub(super) fn select_path(request: &Request) -> Answer {
    super::unsupported(request)
}

pub(super) fn order(request: &Request) -> Answer {
    super::unsupported(request)
}

pub(super) fn report_id(request: &Request) -> Answer {
    super::unsupported(request)
}

pub(super) fn contract(request: &Request) -> Answer {
    super::unsupported(request)
}

pub(super) fn decision_id(request: &Request) -> Answer {
    super::unsupported(request)
}

pub(super) fn registry_digest(request: &Request) -> Answer {
    super::unsupported(request)
}
