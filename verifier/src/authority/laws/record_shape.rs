//! authority/record-shape: an evidence record is exactly its seven members.
//!
//! Spec: Kernel Contract 0.1.0, 2.2; rulings AU-10, AU-13 and AU-15. That `v` is the integer 1 and that `ts` and
//! `kind` are strings is judged when a run is derived again; a chain holds with anything that was hashed.

use crate::authority::breach::{Breach, Flaw};
use crate::authority::model::record::{CanonicalRecord, Member};
use crate::authority::model::recorded::{Placed, Recorded};
use crate::finding::Finding;
use crate::json::JsonPointer;
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("authority/record-shape");

/// A record of a chain is an object of the seven members.
pub(crate) fn check(record: CanonicalRecord<'_>) -> Result<(), Box<Flaw>> {
    let root = JsonPointer::root();
    let (place, message) = if !record.is_object() {
        (root, "a record is an object of seven members".to_owned())
    } else if let Some(name) = record.unknown() {
        (root.member(name), "a record has no such member".to_owned())
    } else if let Some(member) = Member::ALL.into_iter().find(|member| !record.has(*member)) {
        (root.member(member.name()), format!("the member `{}` is missing", member.name()))
    } else {
        return Ok(());
    };
    Err(Flaw::new(Finding::error(LAW, place, message)))
}

/// A record of a run has the version 1, and a token and a kind that are strings; the token comes back.
pub(crate) fn typed(record: Recorded<'_>) -> Result<String, Box<Breach>> {
    let version = member(record, Member::V)?;
    version.expect(b"1", "a record's version is the integer 1").map_err(Breach::of(LAW))?;
    let ts = record.whole().text(Member::Ts.name()).map_err(Breach::of(LAW))?;
    record.whole().text(Member::Kind.name()).map_err(Breach::of(LAW))?;
    Ok(ts)
}

/// A member of a record.
pub(crate) fn member<'d>(record: Recorded<'d>, member: Member) -> Result<Placed<'d>, Box<Breach>> {
    record.whole().member(member.name()).map_err(Breach::of(LAW))
}
