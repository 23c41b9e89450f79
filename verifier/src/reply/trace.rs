//! The order of judgement on the events of one invocation, walked once: the verdict is the first step that breaks a law
//! given the steps before it.
//!
//! Spec: Canonical Reply System Architecture (Final), 2, 7 and 9 to 12; ruling RE-35.

use super::code;
use super::judgement::{Judgement, Party};
use super::laws::area_registered::Areas;
use super::laws::one_outcome::{Ended, Outcome};
use super::laws::single_builder::{self, Made};
use super::laws::terminal_freeze::Freeze;
use super::laws::terminal_return::Pending;
use super::laws::{
    builder_api, crash_is_error, no_forbidden_methods, no_raw_return, reply_shape, type_agrees, type_closed,
    wrapper_pure,
};
use super::model::member::{Due, misfit};
use super::model::reply_type::ReplyType;
use super::model::text;
use super::model::trace::{self, Call, Event, StatedReply};
use crate::json::JsonPointer;
use crate::rejection::Rejection;

/// What a trace comes to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// What is wrong with the first illegal step; advice on the steps before it.
    pub judgement: Judgement,
    /// That step; one past the last where the invocation has no outcome.
    pub first_illegal: Option<usize>,
    /// How many steps there are.
    pub steps: usize,
}

/// Judges the trace of one invocation.
///
/// # Errors
/// If the document is not JSON, exceeds a limit, or holds a malformed event.
pub fn trace(bytes: &[u8]) -> Result<Trace, Rejection> {
    let document = text::read(bytes)?;
    let root = JsonPointer::root();
    let events = trace::read(document.root(), &root)?;
    let place = root.member("steps");
    let mut walk = Walk { events: &events, ..Walk::default() };
    let mut judgement = Judgement::default();
    let mut first_illegal = None;
    for step in 0..=events.len() {
        let blame = walk.step(step, &place.index(step), &mut judgement)?;
        if !judgement.is_lawful() {
            judgement.findings.iter_mut().for_each(|breach| breach.blame = blame);
            first_illegal = Some(step);
            break;
        }
    }
    Ok(Trace { judgement: judgement.settled(), first_illegal, steps: events.len() })
}

/// What the steps so far have come to.
#[derive(Default)]
struct Walk<'e, 'd> {
    events: &'e [Event<'d>],
    made: Made<'d>,
    freeze: Freeze,
    pending: Pending,
    outcome: Outcome<'e>,
}

impl<'e> Walk<'e, '_> {
    /// Takes one step, or the end after the last; says whose fault a breach of it is.
    fn step(&mut self, step: usize, at: &JsonPointer, found: &mut Judgement) -> Due<&'static [Party]> {
        let events = self.events;
        self.pending.judge(events.get(step), at, found);
        no_raw_return::judge(events, step, at, found);
        match events.get(step) {
            Some(Event::New { b }) => self.made.make(b, at, found),
            Some(Event::Call(call)) => {
                self.call(call, step, at, found);
                return Ok(if call.gave { &[Party::Tool, Party::Builder] } else { &[Party::Tool] });
            }
            Some(Event::Direct) => single_builder::judge_direct(at, found),
            Some(Event::Work) => {}
            Some(Event::ReturnOf(of)) => {
                // Asked here, not where events are read: an earlier step that breaks a law is the verdict, whatever follows.
                let Some(Event::Call(call @ Call { gave: true, .. })) =
                    events.get(..step).and_then(|past| past.get(*of))
                else {
                    return Err(misfit(&at.member("of"), "an earlier step that gave a reply"));
                };
                let kind = ReplyType::from_name(&call.method);
                self.hand_over(Some(*of), Ended::Returned(kind, call.code.as_deref()), at, found);
            }
            Some(Event::ReturnCallee(stated)) => {
                let code = stated.code.as_deref();
                let kind = type_closed::judge(&stated.kind, || at.clone(), found);
                reply_shape::judge_callee(stated, at, found);
                agrees(kind, code, at, found);
                self.hand_over(None, Ended::Returned(kind, code), at, found);
            }
            Some(Event::ReturnRaw) => self.hand_over(None, Ended::Returned(None, None), at, found),
            Some(Event::Throw) => self.outcome.end(Ended::Thrown, at, found),
            Some(Event::Emit(stated)) => {
                self.emit(stated, at, found);
                return Ok(&[Party::Wrapper]);
            }
            None => self.outcome.finish(at, found),
        }
        Ok(&[Party::Tool])
    }

    fn call(&mut self, call: &Call<'_>, step: usize, at: &JsonPointer, found: &mut Judgement) {
        let code = call.code.as_deref();
        no_forbidden_methods::judge(&call.method, || at.clone(), found);
        let kind = builder_api::judge(&call.method, code.is_some(), || at.clone(), found);
        self.made.judge_call(call, at, found);
        if self.freeze.judge(&self.made, call, at, found) {
            return;
        }
        self.outcome.judge_call(at, found);
        agrees(kind, code, at, found);
        reply_shape::judge_call(call, at, found);
        if let Some(kind) = kind.filter(|_| call.gave) {
            self.freeze.constructed(kind);
            self.pending.constructed(kind, step);
        }
    }

    fn hand_over(&mut self, of: Option<usize>, how: Ended<'e>, at: &JsonPointer, found: &mut Judgement) {
        self.pending.hand_over(of, at, found);
        self.outcome.end(how, at, found);
    }

    fn emit(&mut self, stated: &StatedReply<'_>, at: &JsonPointer, found: &mut Judgement) {
        let code = stated.code.as_deref();
        let kind = type_closed::judge(&stated.kind, || at.clone(), found);
        match self.outcome.emit(at, found) {
            None => {}
            Some(Ended::Returned(returned, named)) => {
                let unchanged = wrapper_pure::judge((returned, named), (kind, code), at, found);
                // Nothing was recorded that the code could be held to but its type.
                if unchanged && named.is_none() {
                    agrees(kind, code, at, found);
                }
            }
            Some(Ended::Thrown) => {
                crash_is_error::judge(kind, at, found);
                agrees(kind, code, at, found);
            }
        }
    }
}

/// Judges the code of a reply, and its type against that of the reply.
fn agrees(kind: Option<ReplyType>, code: Option<&[u8]>, at: &JsonPointer, found: &mut Judgement) {
    if let Some(code) = code {
        let of = code::judge(code, &Areas::default(), || at.clone(), found);
        if let Some(due) = kind {
            type_agrees::judge(due, of, || at.clone(), found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::Law;

    fn judged(steps: &str) -> Result<(Option<usize>, Vec<Law>), Rejection> {
        let found = trace(format!(r#"{{"steps": [{steps}]}}"#).as_bytes())?;
        Ok((found.first_illegal, found.judgement.laws()))
    }

    #[test]
    fn a_return_of_nothing_lies_outside_the_domain_unless_a_law_was_broken_before() {
        let of_a_raised_call = |method: &str| {
            judged(&format!(
                r#"{{"op": "new", "b": 1}}, {{"op": "call", "b": 1, "method": "{method}", "code": "WA-RES-I-001", "got": "raised"}},
                   {{"op": "return", "of": 1}}"#
            ))
        };
        assert_eq!(of_a_raised_call("warn").expect("in the domain"), (Some(1), vec![no_forbidden_methods::LAW]));
        assert!(matches!(of_a_raised_call("invalid"), Err(Rejection::Input(_))));
        assert!(matches!(judged(r#"{"op": "return", "of": 0}"#), Err(Rejection::Input(_))));
        assert!(matches!(judged(r#"{"op": "return", "of": -1}"#), Err(Rejection::Input(_))));
    }

    #[test]
    fn an_emitted_code_agrees_with_its_type_where_the_returned_reply_shows_none() {
        let emitted = |code: &str| {
            judged(&format!(
                r#"{{"op": "new", "b": 1}}, {{"op": "call", "b": 1, "method": "success", "got": "reply"}},
                   {{"op": "return", "of": 1}}, {{"op": "emit", "reply_type": "S", "code": "{code}"}}"#
            ))
        };
        assert_eq!(emitted("MCP-SYS-S-001").expect("in the domain"), (None, vec![]));
        assert_eq!(emitted("MCP-SYS-E-001").expect("in the domain"), (Some(3), vec![type_agrees::LAW]));
    }
}
