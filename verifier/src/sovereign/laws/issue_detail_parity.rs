//! Issue detail parity: every member of an issue's details matters.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, A, Issue Detail Parity Law, and C, get_issue_key; rulings ISS-14,
//! ISS-16, ISS-17.
//!
//! The canonical details are part of the key under which issues meet, so a difference in them never pairs two issues: it
//! shows as one issue too many on either side. No member inside details is left out, not even one named `message`.

use std::borrow::Cow;

use crate::canon::{Canonicalizer, MemberSpan};
use crate::json::{JsonStr, NodeRef};
use crate::law::Law;
use crate::sovereign::model::issue::{Issue, IssueSpans};
use crate::sovereign::model::stage_order::StageOrder;
use crate::sovereign::model::turn::append;

pub(crate) const LAW: Law = Law::named("sovereign/issue-detail-parity");

/// What an issue's key is made of beside its details.
pub(crate) struct Key<'d> {
    pub(crate) stage: JsonStr<'d>,
    pub(crate) location: JsonStr<'d>,
    pub(crate) code: JsonStr<'d>,
}

/// Appends a lawful issue's canonical bytes and returns the spans of its details and of all but its message.
pub(crate) fn spans<'d>(
    issue: NodeRef<'d>,
    stages: &StageOrder,
    canonicalizer: &mut Canonicalizer,
    canonical: &mut Vec<u8>,
) -> Option<IssueSpans<'d>> {
    let text = |name: &str| issue.get(name).and_then(NodeRef::as_string);
    let key = Key { stage: text("stage")?, location: text("location")?, code: text("code")? };
    let normal = append(issue, canonicalizer, canonical)?;
    located(key, normal, stages, canonicalizer.outermost_members(), canonical)
}

/// The spans of an issue whose canonical bytes have been written at a place, with these members.
pub(crate) fn located<'d>(
    key: Key<'d>,
    normal: (usize, usize),
    stages: &StageOrder,
    members: &[MemberSpan],
    canonical: &[u8],
) -> Option<IssueSpans<'d>> {
    let details =
        members.iter().find(|member| canonical.get(member.name.0 as usize..member.name.1 as usize) == Some(b"details"));
    let details = details.map(|member| (member.value.0 as usize, member.value.1 as usize))?;
    let stage_index = key.stage.to_str().and_then(|stage| stages.index(stage)).unwrap_or(usize::MAX);
    Some(IssueSpans {
        stage_index,
        stage: key.stage.into_bytes(),
        location: key.location.into_bytes(),
        code: key.code.into_bytes(),
        details,
        normal,
    })
}

/// Builds the typed issue whose key holds the whole of its details.
pub(crate) fn issue<'t>(spans: &'t IssueSpans<'_>, canonical: &'t [u8]) -> Issue<'t> {
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
