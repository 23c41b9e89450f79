//! The events of one invocation, walked once: the verdict is the first step that breaks a law given the steps before it.
//!
//! Spec: Canonical Reply System Architecture (Final), 2, 7 and 9 to 12; ruling RE-35.

mod event;

use super::area_registered::Areas;
use super::judgement::{Judgement, Party};
use super::member::{Due, misfit};
use super::one_outcome::{Ended, Outcome};
use super::single_builder::Made;
use super::terminal_freeze::Freeze;
use super::terminal_return::Pending;
use super::type_closed::{self, ReplyType};
use super::{builder_api, code, crash_is_error, reply_shape, text, type_agrees, wrapper_pure};
use crate::json::{JsonPointer, NodeRef};
use crate::law::Law;
use crate::rejection::Rejection;
use event::{Event, Told};

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
    let events = event::read(document.root(), &root)?;
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

const LATE: &str = "a terminal reply is due: return it before anything else";
const TWICE: &str = "the tool has ended already: one invocation has one outcome";
const UNBUILT: &str = "a reply that the one builder of the invocation did not make: use that builder";

impl<'e> Walk<'e, '_> {
    /// Takes one step, or the end behind the last; says whose fault a breach of it is.
    fn step(&mut self, step: usize, at: &JsonPointer, found: &mut Judgement) -> Due<&'static [Party]> {
        let events = self.events;
        if !matches!(events.get(step), Some(Event::ReturnOf(_) | Event::ReturnCallee(_) | Event::ReturnRaw))
            && self.pending.is_due()
        {
            found.meaning(Law::ReplyTerminalReturn, at.clone(), LATE);
        }
        match events.get(step) {
            Some(Event::New { b }) => {
                if !self.made.make(b) {
                    found.meaning(
                        Law::ReplySingleBuilder,
                        at.clone(),
                        "a second builder escapes the freeze: use the first",
                    );
                }
            }
            Some(Event::Call { b, method, code, data, gave }) => {
                let call = Call { b, method, code: code.as_deref(), data: *data, gave: *gave };
                self.call(&call, step, at, found);
                return Ok(if *gave { &[Party::Tool, Party::Builder] } else { &[Party::Tool] });
            }
            Some(Event::Direct) => found.meaning(Law::ReplySingleBuilder, at.clone(), UNBUILT),
            Some(Event::Work) => {}
            Some(Event::ReturnOf(of)) => {
                // Asked here, not where events are read: an earlier step that breaks a law is the verdict, whatever follows.
                let Some(Event::Call { method, code, gave: true, .. }) =
                    events.get(..step).and_then(|past| past.get(*of))
                else {
                    return Err(misfit(&at.member("of"), "an earlier step that gave a reply"));
                };
                self.hand_over(Some(*of), Ended::Returned(ReplyType::from_name(method), code.as_deref()), at, found);
            }
            Some(Event::ReturnCallee(told)) => {
                let kind = callee(told, at, found);
                self.hand_over(None, Ended::Returned(kind, told.code.as_deref()), at, found);
            }
            Some(Event::ReturnRaw) => {
                found.meaning(Law::ReplyNoRawReturn, at.clone(), "no reply is returned: build one");
                self.hand_over(None, Ended::Returned(None, None), at, found);
            }
            Some(Event::Throw) => self.end(Ended::Thrown, at, found),
            Some(Event::Emit(told)) => {
                self.emit(told, at, found);
                return Ok(&[Party::Wrapper]);
            }
            None => {
                if !self.outcome.has_ended() {
                    found.meaning(
                        Law::ReplyOneOutcome,
                        at.clone(),
                        "the invocation ends without an outcome: return a reply",
                    );
                }
            }
        }
        Ok(&[Party::Tool])
    }

    fn call(&mut self, call: &Call<'_, '_>, step: usize, at: &JsonPointer, found: &mut Judgement) {
        let at = || at.clone();
        let kind = builder_api::judge(call.method, call.code.is_some(), at, found);
        let own = self.made.is(call.b);
        if !own {
            found.meaning(Law::ReplySingleBuilder, at(), "a call on a builder that was never made");
        }
        if own && self.freeze.is_frozen() {
            return found.meaning(
                Law::ReplyTerminalFreeze,
                at(),
                "the builder is frozen: nothing is called on it any more",
            );
        }
        if self.outcome.has_ended() {
            found.meaning(Law::ReplyOneOutcome, at(), TWICE);
        }
        if let Some(code) = call.code {
            let of = code::judge(code, &Areas::default(), at, found);
            if let Some(due) = kind {
                type_agrees::judge(due, of, at, found);
            }
        }
        if !reply_shape::is_data(call.data) {
            found.meaning(Law::ReplyShape, at(), "data is an object or null");
        }
        if let Some(kind) = kind.filter(|_| call.gave) {
            self.freeze.constructed(kind);
            self.pending.constructed(kind, step);
        }
    }

    fn hand_over(&mut self, of: Option<usize>, how: Ended<'e>, at: &JsonPointer, found: &mut Judgement) {
        if !self.pending.hand_over(of) {
            found.meaning(Law::ReplyTerminalReturn, at.clone(), LATE);
        }
        self.end(how, at, found);
    }

    fn end(&mut self, how: Ended<'e>, at: &JsonPointer, found: &mut Judgement) {
        if !self.outcome.end(how) {
            found.meaning(Law::ReplyOneOutcome, at.clone(), TWICE);
        }
    }

    fn emit(&mut self, told: &Told<'_>, at: &JsonPointer, found: &mut Judgement) {
        let code = told.code.as_deref();
        let kind = type_closed::judge(&told.kind, || at.clone(), found);
        match self.outcome.emit() {
            None => {
                let message = "an envelope without an outcome, or a second one: one invocation has one outcome";
                found.meaning(Law::ReplyOneOutcome, at.clone(), message);
            }
            Some(Ended::Returned(returned, named)) if !wrapper_pure::is_unchanged((returned, named), (kind, code)) => {
                let message = "the wrapper changed type or code of the returned reply: it adds metadata alone";
                found.meaning(Law::ReplyWrapperPure, at.clone(), message);
            }
            // Nothing was recorded that the code could be held to but its type.
            Some(Ended::Returned(_, None)) => agrees(kind, code, at, found),
            Some(Ended::Returned(_, Some(_))) => {}
            Some(Ended::Thrown) => {
                if !crash_is_error::is_told(kind) {
                    let message = "an exception became another outcome: a crash is always E";
                    found.meaning(Law::ReplyCrashIsError, at.clone(), message);
                }
                agrees(kind, code, at, found);
            }
        }
    }
}

/// A call on a builder.
struct Call<'c, 'd> {
    b: &'c str,
    method: &'c [u8],
    code: Option<&'c [u8]>,
    data: Option<NodeRef<'d>>,
    gave: bool,
}

/// A reply that the tool was given by what it called.
fn callee(told: &Told<'_>, at: &JsonPointer, found: &mut Judgement) -> Option<ReplyType> {
    let code = told.code.as_deref();
    let kind = type_closed::judge(&told.kind, || at.clone(), found);
    if !reply_shape::has_code(code) {
        found.meaning(Law::ReplyShape, at.clone(), "a reply has a code");
    }
    agrees(kind, code, at, found);
    kind
}

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
        assert_eq!(of_a_raised_call("warn").expect("in the domain"), (Some(1), vec![Law::ReplyNoForbiddenMethods]));
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
        assert_eq!(emitted("MCP-SYS-E-001").expect("in the domain"), (Some(3), vec![Law::ReplyTypeAgrees]));
    }
}
