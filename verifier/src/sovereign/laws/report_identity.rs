//! Report identity: what a report's id covers.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, C, compute_report_id, and the note on `diagnostic` in B.5,
//! replay-report.schema.json; rulings REP-01, REP-14.
//!
//! The id is the digest of the canonical report in which `report_id` and every `diagnostic` are null. It covers
//! `reason_code`, `run_id`, `status`, `exit_code` and the order of mismatches; it proves nothing about the bundles.

use super::canonical_parity;
use crate::canon::{CanonRefusal, Canonicalizer, Rules};
use crate::digest::Digest;
use crate::json::{Dialect, Document, NodeRef, append_escaped};
use crate::law::Law;
use crate::rejection::Rejection;
use crate::sovereign::model::report::{Cell, Report, Row, Status, Writer};

pub(crate) const LAW: Law = Law::named("sovereign/report-identity");

/// Writes rows that are already in order, and computes the identity.
///
/// # Errors
/// If a foreign cell or the run id has no canonical form.
pub(crate) fn identified(run_id: &Cell, status: Status, rows: Vec<Row>) -> Result<Report, CanonRefusal> {
    let mut writer = Writer::with_capacity(256 + rows.len() * 512);
    writer.head(status, &rows, true);
    let split = writer.out.len();
    writer.tail(run_id, status);
    if let Some(refusal) = writer.worst {
        return Err(refusal);
    }
    let (head, tail) = writer.out.split_at(split);
    let report_id = if rows.iter().all(|row| row.diagnostic.is_none()) {
        of_parts(head, tail)
    } else {
        let mut plain = Writer::with_capacity(split);
        plain.head(status, &rows, false);
        of_parts(&plain.out, tail)
    };
    let mut text = Vec::with_capacity(writer.out.len() + 66);
    text.extend_from_slice(head);
    text.push(b'"');
    report_id.append_hex(&mut text);
    text.push(b'"');
    text.extend_from_slice(tail);
    // Canonical text is UTF-8: surrogates were refused above.
    let text = String::from_utf8(text).unwrap_or_default();
    Ok(Report { status, rows, report_id, text })
}

/// The report of last resort, for rows that turn out to have no canonical form: an error without rows.
pub(crate) fn unrepresentable() -> Report {
    let mut writer = Writer::with_capacity(0);
    writer.head(Status::Error, &[], true);
    let split = writer.out.len();
    writer.tail(&Cell::Name(""), Status::Error);
    let (head, tail) = writer.out.split_at(split);
    let report_id = of_parts(head, tail);
    let text = [head, format!("\"{report_id}\"").as_bytes(), tail].concat();
    Report { status: Status::Error, rows: Vec::new(), report_id, text: String::from_utf8(text).unwrap_or_default() }
}

/// The id of a report whose canonical text, with null diagnostics, is `head null tail`.
fn of_parts(head: &[u8], tail: &[u8]) -> Digest {
    Digest::of_parts([head, b"null", tail])
}

/// Computes the id of a report that somebody else wrote; the id it carries does not matter.
///
/// # Errors
/// If the document is not JSON, is not an object with an array of objects as `mismatches`, or has no canonical form.
pub fn report_id(report: &[u8]) -> Result<Digest, Rejection> {
    let document = Document::parse(report, &Dialect::LAW)?;
    let root = document.root();
    if !root.is_object() {
        return Err(Rejection::input_at("", "a report is an object"));
    }
    let mut out = Vec::with_capacity(report.len());
    append_object(root, &mut out, &["report_id"], |name, value, out| {
        if name != b"mismatches" {
            return Ok(false);
        }
        if !value.is_array() {
            return Err(Rejection::input_at("/mismatches", "mismatches is an array"));
        }
        out.push(b'[');
        for (index, mismatch) in value.elements().enumerate() {
            if !mismatch.is_object() {
                return Err(Rejection::input_at(format!("/mismatches/{index}"), "a mismatch is an object"));
            }
            if index > 0 {
                out.push(b',');
            }
            append_object(mismatch, out, &["diagnostic"], |_, _, _| Ok(false))?;
        }
        out.push(b']');
        Ok(true)
    })?;
    Ok(Digest::of(&out))
}

/// Appends an object in canonical order with one member of the given names set to null, added where it is absent.
///
/// `own` may write a member's value itself; where it declines, the value's canonical form is written.
fn append_object<'d>(
    object: NodeRef<'d>,
    out: &mut Vec<u8>,
    nulled: &[&'static str],
    mut own: impl FnMut(&[u8], NodeRef<'d>, &mut Vec<u8>) -> Result<bool, Rejection>,
) -> Result<(), Rejection> {
    let mut members: Vec<_> = object.members().map(|(name, value)| (name.decode().into_bytes(), Some(value))).collect();
    members.retain(|(name, _)| !nulled.iter().any(|nulled| **name == *nulled.as_bytes()));
    members.extend(nulled.iter().map(|name| (name.as_bytes().into(), None)));
    members.sort_by(|(a, _), (b, _)| a.cmp(b));
    if members.iter().zip(members.iter().skip(1)).any(|((a, _), (b, _))| a == b) {
        return Err(canonical_parity::refused());
    }
    let mut canonicalizer = Canonicalizer::new(Rules::LAW);
    out.push(b'{');
    for (index, (name, value)) in members.into_iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        if std::str::from_utf8(&name).is_err() {
            return Err(canonical_parity::refused());
        }
        out.push(b'"');
        append_escaped(&name, out);
        out.extend_from_slice(b"\":");
        let Some(value) = value else {
            out.extend_from_slice(b"null");
            continue;
        };
        if !own(&name, value, out)? {
            match canonicalizer.append_node(value, out)? {
                None => {}
                Some(_) => return Err(canonical_parity::refused()),
            }
        }
    }
    out.push(b'}');
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const EMPTY: &str = r#"{"contract_version":"kernel_api/v1","report_id":null,"run_id":"r","status":"EQUIVALENT","exit_code":0,"mismatches":[]}"#;

    #[test]
    fn the_sheets_check_value() {
        let id = report_id(EMPTY.as_bytes()).expect("a report");
        assert_eq!(id.to_hex(), "29c57fcebad76a149da7ae4e094e93c79f9cc256079b8ff33b3225495a077f62");
    }

    #[test]
    fn diagnostics_and_the_old_id_do_not_matter() {
        let with = |diagnostic: &str, id: &str| {
            report_id(format!(r#"{{"report_id":{id},"mismatches":[{{"path":"/x"{diagnostic}}}]}}"#).as_bytes())
                .expect("a report")
        };
        assert_eq!(with("", "null"), with(r#","diagnostic":{"x":1.5}"#, "7"));
        assert_ne!(with("", "null"), with(r#","reason_code":null"#, "null"));
    }
}
