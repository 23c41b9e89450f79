//! What an agent does when it has read an envelope.
//!
//! Spec: Canonical Reply System Architecture (Final), 3 and 6, Properties; ruling RE-41. Only what decides is judged: the
//! type, and the trace id that an error makes the agent report. Status and texts may say the opposite.

use super::judgement::Judgement;
use super::laws::{branch_on_code, envelope_members, type_closed};
use super::model::action::Action;
use super::model::text;
use crate::json::JsonPointer;
use crate::rejection::Rejection;

/// What an agent makes of an envelope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acted {
    /// What keeps it from acting.
    pub judgement: Judgement,
    /// What it does; nothing where it cannot act.
    pub action: Option<Action>,
    /// What it reports when it stops.
    pub trace_id: Option<String>,
}

/// Decides what an agent does.
///
/// # Errors
/// If the text is not one JSON text with unique names and finite numbers, or exceeds a limit.
pub fn action(bytes: &[u8]) -> Result<Acted, Rejection> {
    let document = text::read(bytes)?;
    let (envelope, root) = (document.root(), JsonPointer::root());
    let mut found = Judgement::default();
    let named = envelope_members::judge_type(envelope, &root, &mut found);
    let kind = named.and_then(|named| type_closed::judge(&named, || root.member("reply_type"), &mut found));
    let action = kind.and_then(branch_on_code::action);
    let reported = action.filter(|action| action.reports());
    let trace_id = reported.and_then(|_| envelope_members::judge_trace_id(envelope, &root, &mut found));
    let judgement = found.settled();
    Ok(Acted { action: action.filter(|_| judgement.is_lawful()), judgement, trace_id })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn acted(text: &str) -> (Option<&'static str>, Option<String>, Vec<&'static str>) {
        let acted = action(text.as_bytes()).expect("a JSON text");
        let laws = acted.judgement.laws().iter().map(|law| law.slug()).collect();
        (acted.action.map(Action::name), acted.trace_id, laws)
    }

    #[test]
    fn the_type_alone_decides() {
        let envelope =
            |kind: &str| format!(r#"{{"status": "success", "reply_type": "{kind}", "meta": {{"trace_id": "t"}}}}"#);
        assert_eq!(acted(&envelope("S")), (Some("proceed"), None, vec![]));
        assert_eq!(acted(&envelope("I")), (Some("correct-and-retry"), None, vec![]));
        assert_eq!(acted(&envelope("D")), (Some("escalate"), None, vec![]));
        assert_eq!(acted(&envelope("E")), (Some("stop"), Some("t".to_owned()), vec![]));
        assert_eq!(acted(&envelope("s")), (None, None, vec!["reply/type-closed"]));
    }

    #[test]
    fn an_agent_that_stops_has_something_to_report() {
        for meta in
            ["", r#", "meta": 1"#, r#", "meta": {}"#, r#", "meta": {"trace_id": ""}"#, r#", "meta": {"trace_id": 7}"#]
        {
            let envelope = format!(r#"{{"reply_type": "E"{meta}}}"#);
            assert_eq!(acted(&envelope), (None, None, vec!["reply/envelope-members"]), "{meta}");
        }
        assert_eq!(acted("[]"), (None, None, vec!["reply/envelope-members"]));
        assert_eq!(acted(r#"{"reply_type": "D"}"#), (Some("escalate"), None, vec![]));
    }
}
