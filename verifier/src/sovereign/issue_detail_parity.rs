//! Issue detail parity: every member of an issue's details matters.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, A, Issue Detail Parity Law, and C, get_issue_key; rulings ISS-14,
//! ISS-16, ISS-17.
//!
//! The canonical details are part of the key under which issues meet, so a difference in them never pairs two issues: it
//! shows as one issue too many on either side. No member inside details is left out, not even one named `message`.

use std::borrow::Cow;

use super::issue_multiplicity::Issue;
use super::turn::IssueSpans;

/// Builds the typed issue whose key holds the whole of its details.
pub(super) fn issue<'t>(spans: &'t IssueSpans<'_>, canonical: &'t [u8]) -> Issue<'t> {
    let bytes = |(start, end): (usize, usize)| canonical.get(start..end).unwrap_or_default();
    Issue {
        stage_index: spans.stage_index,
        stage: Cow::Borrowed(&spans.stage),
        location: Cow::Borrowed(&spans.location),
        code: Cow::Borrowed(&spans.code),
        details: bytes(spans.details),
        normal: bytes(spans.normal),
    }
}
