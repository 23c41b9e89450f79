//! kernel/issue-order: the one order of issues, of the kernel's own and of those that somebody wrote.
//!
//! Spec: Kernel v1 Requirements Pack, Spec-002, 8 and Spec-003, KernelIssue; rulings KE-4, KE-22, KE-35. Issues
//! that come as documents keep every member.

use std::cmp::Ordering;

use crate::canon::{Profile, canonicalize, compose};
use crate::json::{Dialect, Document, NodeRef};
use crate::kernel::model::issue::{Issue, Issues, Stage};
use crate::law::Law;
use crate::rejection::Rejection;

pub(crate) const LAW: Law = Law::named("kernel/issue-order");

/// Sorts an array of issues by stage index, location, code and canonical details, and returns its canonical text.
///
/// ```
/// let issues = br#"[{"stage": "lsi", "location": "/a", "code": "E_B"}, {"stage": "ci", "location": "/z", "code": "E_C"}]"#;
/// let sorted = assize_verifier::kernel::issue_order(issues)?;
/// assert_eq!(sorted, br#"[{"code":"E_C","location":"/z","stage":"ci"},{"code":"E_B","location":"/a","stage":"lsi"}]"#);
/// # Ok::<(), assize_verifier::kernel::Rejection>(())
/// ```
///
/// # Errors
/// If the text is not an array of objects whose stage, location and code are strings, or an issue has no canonical form.
pub fn issue_order(issues: &[u8]) -> Result<Vec<u8>, Rejection> {
    let document = Document::parse(issues, &Dialect::STRICT)?;
    if !document.root().is_array() {
        return Err(Rejection::Input("issues are an array".to_owned()));
    }
    let mut taken = Vec::new();
    for (index, node) in document.root().elements().enumerate() {
        taken.push(Foreign::take(node).map_err(|wrong| Rejection::Input(format!("/{index}: {wrong}")))?);
    }
    taken.sort_by(|a, b| a.key().cmp(&b.key()));
    Ok(compose::array(taken.iter().map(|issue| &issue.canonical)))
}

impl Stage {
    /// Sort key of any name of a stage: by index, and unknown ones last by name (KE-35).
    fn rank(name: &str) -> (usize, &str) {
        match Self::from_name(name) {
            Some(stage) => (stage as usize, ""),
            None => (Self::ALL.len(), name),
        }
    }
}

impl Issue {
    /// The one order of issues: stage index, location, code, canonical details (KE-35).
    fn order(&self, other: &Self) -> Ordering {
        (self.stage, &self.location, self.code, self.details.as_slice()).cmp(&(
            other.stage,
            &other.location,
            other.code,
            other.details.as_slice(),
        ))
    }
}

impl Issues {
    /// Puts issues into their order.
    #[must_use]
    pub fn sorted(mut issues: Vec<Issue>) -> Self {
        issues.sort_by(Issue::order);
        Self(issues)
    }
}

/// An issue of an unknown writer.
struct Foreign {
    stage: String,
    location: String,
    code: String,
    details: Vec<u8>,
    canonical: Vec<u8>,
}

impl Foreign {
    fn take(node: NodeRef<'_>) -> Result<Self, String> {
        let canonical = |node: NodeRef<'_>| match canonicalize(Profile::Sovereign, node.raw()) {
            Ok(bytes) => Ok(bytes.as_slice().to_vec()),
            Err(why) => Err(why.to_string()),
        };
        let text = |name: &str| {
            let value = node.get(name).and_then(NodeRef::as_string);
            let text = value.and_then(|value| value.to_str().map(str::to_owned));
            text.ok_or_else(|| format!("an issue is an object, and its {name} a string"))
        };
        Ok(Self {
            stage: text("stage")?,
            location: text("location")?,
            code: text("code")?,
            details: node.get("details").map_or_else(|| Ok(b"{}".to_vec()), canonical)?,
            canonical: canonical(node)?,
        })
    }

    fn key(&self) -> impl Ord {
        (Stage::rank(&self.stage), &self.location, &self.code, &self.details)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::JsonPointer;
    use crate::kernel::model::issue::Details;

    fn at(stage: Stage, location: &str, code: &'static str) -> Issue {
        Issue::fail(stage, code, JsonPointer::from_text(location))
    }

    fn sorted(issues: &str) -> String {
        String::from_utf8(issue_order(issues.as_bytes()).expect("issues")).expect("UTF-8")
    }

    fn issue(stage: &str, location: &str, code: &str, rest: &str) -> String {
        format!(r#"{{"code":"{code}"{rest},"location":"{location}","stage":"{stage}"}}"#)
    }

    fn check(order: &[String]) {
        let expected = format!("[{}]", order.join(","));
        let mut backwards = order.to_vec();
        backwards.reverse();
        assert_eq!(sorted(&format!("[{}]", backwards.join(","))), expected);
        assert_eq!(sorted(&expected), expected);
    }

    #[test]
    fn stage_index_comes_first_and_unknown_stages_last_by_name() {
        check(&[
            issue("base_shape", "/z", "E_Z", ""),
            issue("rel_vocab", "/a", "E_A", ""),
            issue("relationship_vocabulary", "/b", "E_A", ""),
            issue("policy", "/a", "E_A", ""),
            issue("replay", "/a", "E_A", ""),
            issue("Lsi", "/b", "E_A", ""),
            issue("aaa", "/a", "E_A", ""),
        ]);
    }

    #[test]
    fn then_location_as_text_then_code_then_details() {
        check(&[
            issue("ci", "/a", "E_B", ""),
            issue("ci", "/a/10", "E_A", r#","details":{"a":2}"#),
            issue("ci", "/a/10", "E_A", r#","details":{"b":1}"#),
            issue("ci", "/a/10", "E_B", ""),
            issue("ci", "/a/2", "E_A", ""),
            issue("ci", "/\u{FF61}", "E_A", ""),
            issue("ci", "/\u{1F600}", "E_A", ""),
        ]);
    }

    #[test]
    fn absent_details_are_an_empty_object() {
        check(&[
            issue("ci", "/a", "E_A", r#","details":{"a":1}"#),
            issue("ci", "/a", "E_A", ""),
            issue("ci", "/b", "E_A", r#","details":{}"#),
        ]);
    }

    #[test]
    fn members_are_kept_and_issues_that_nothing_parts_stay_in_place() {
        let kept = issue("ci", "/a", "E_A", r#","level":"INFO""#);
        let other = issue("ci", "/a", "E_A", r#","level":"FAIL""#);
        assert_eq!(sorted(&format!("[{kept},{other}]")), format!("[{kept},{other}]"));
        assert_eq!(sorted("[]"), "[]");
    }

    #[test]
    fn what_is_no_array_of_issues_is_refused() {
        for text in [
            "{}",
            "[1]",
            r#"[{"stage": "ci", "location": "/a"}]"#,
            r#"[{"stage": 1, "location": "/a", "code": "E_A"}]"#,
            r#"[{"stage": "ci", "location": "\ud800", "code": "E_A"}]"#,
            r#"[{"stage": "ci", "location": "/a", "code": "E_A", "details": {"n": 1.0}}]"#,
            r#"[{"stage": "ci", "location": "/a", "code": "E_A", "code": "E_A"}]"#,
        ] {
            assert_eq!(issue_order(text.as_bytes()).expect_err(text).codes(), ["A_INPUT"], "{text}");
        }
        assert_eq!(issue_order(b"[").expect_err("cut").codes(), ["A_JSON"]);
    }

    #[test]
    fn unknown_stages_come_last_by_name() {
        assert!(Stage::rank("replay") < Stage::rank("a"));
        assert!(Stage::rank("a") < Stage::rank("b"));
    }

    #[test]
    fn order_is_stage_index_then_location_then_code_then_details() {
        let later = at(Stage::BaseShape, "/a", "E_A").with_details(Details::texts(&[("id", "x")]));
        let issues = [
            at(Stage::DtoLinks, "/a", "E_A"),
            at(Stage::BaseShape, "/links/k/2", "E_A"),
            at(Stage::BaseShape, "/links/k/10", "E_B"),
            at(Stage::BaseShape, "/links/k/10", "E_A"),
            later.clone(),
            at(Stage::BaseShape, "/a", "E_A"),
        ];
        // `{"id"...` sorts before `{}`, for `"` is the smaller byte.
        let [links, two, ten_b, ten_a, detailed, bare] = issues.clone();
        assert_eq!(Issues::sorted(issues.to_vec()).as_slice(), [detailed, bare, ten_a, ten_b, two, links]);
    }
}
