//! The events of a trace (ruling RE-35). An absent member equals null; a malformed event is `A_INPUT`.

use super::member::{Due, given, integer, list, misfit, object, owed, text, text_or_none};
use super::text::Text;
use crate::json::{JsonPointer, NodeRef};

/// One event.
pub(crate) enum Event<'d> {
    /// A builder is made.
    New { b: &'d str },
    /// A method of a builder is called, and gives a reply or raises.
    Call(Call<'d>),
    /// A reply is made without a builder.
    Direct,
    /// Some other effect.
    Work,
    /// The tool returns the reply of a step; whether that step gave one shows on the way there.
    ReturnOf(usize),
    /// The tool passes on a reply that it was given.
    ReturnCallee(StatedReply<'d>),
    /// The tool returns no reply.
    ReturnRaw,
    /// The tool ends by an exception.
    Throw,
    /// An envelope leaves the wrapper.
    Emit(StatedReply<'d>),
}

/// A call on a builder.
pub(crate) struct Call<'d> {
    pub(crate) b: &'d str,
    pub(crate) method: Text<'d>,
    pub(crate) code: Option<Text<'d>>,
    /// None stands for an absent member or null.
    pub(crate) data: Option<NodeRef<'d>>,
    /// Whether it gave a reply; otherwise it raised.
    pub(crate) gave: bool,
}

/// Type and code of a reply, as recorded.
pub(crate) struct StatedReply<'d> {
    pub(crate) kind: Text<'d>,
    pub(crate) code: Option<Text<'d>>,
}

/// Reads `{"steps": [event, ...]}`.
pub(crate) fn read<'d>(node: NodeRef<'d>, at: &JsonPointer) -> Due<Vec<Event<'d>>> {
    let node = object(node, at)?;
    owed(node, at, "steps")?;
    let steps = at.member("steps");
    let mut events = Vec::new();
    for (index, step) in list(node, at, "steps")?.enumerate() {
        let at = steps.index(index);
        events.push(event(object(step, &at)?, &at)?);
    }
    Ok(events)
}

fn event<'d>(node: NodeRef<'d>, at: &JsonPointer) -> Due<Event<'d>> {
    let op = text(node, at, "op")?;
    Ok(match &*op {
        b"new" => Event::New { b: integer(node, at, "b")? },
        b"call" => Event::Call(Call {
            b: integer(node, at, "b")?,
            method: text(node, at, "method")?,
            code: text_or_none(node, at, "code")?,
            data: given(node, "data"),
            gave: match &*text(node, at, "got")? {
                b"reply" => true,
                b"raised" => false,
                _ => return Err(misfit(&at.member("got"), "reply or raised")),
            },
        }),
        b"direct" => {
            stated(node, at)?;
            Event::Direct
        }
        b"work" => Event::Work,
        b"return" => returned(node, at)?,
        b"throw" => Event::Throw,
        b"emit" => Event::Emit(stated(node, at)?),
        _ => return Err(misfit(&at.member("op"), "new, call, direct, work, return, throw or emit")),
    })
}

fn returned<'d>(node: NodeRef<'d>, at: &JsonPointer) -> Due<Event<'d>> {
    match (given(node, "of"), given(node, "callee"), given(node, "raw")) {
        (Some(_), None, None) => {
            let step = integer(node, at, "of")?.parse::<usize>().ok();
            step.map(Event::ReturnOf).ok_or_else(|| misfit(&at.member("of"), "the number of a step"))
        }
        (None, Some(callee), None) => {
            let at = at.member("callee");
            Ok(Event::ReturnCallee(stated(object(callee, &at)?, &at)?))
        }
        (None, None, Some(raw)) => {
            let is_raw = raw.as_string().is_some_and(|name| matches!(name.as_bytes(), b"dict" | b"text" | b"none"));
            is_raw.then_some(Event::ReturnRaw).ok_or_else(|| misfit(&at.member("raw"), "dict, text or none"))
        }
        _ => Err(misfit(at, "one of of, callee and raw")),
    }
}

fn stated<'d>(node: NodeRef<'d>, at: &JsonPointer) -> Due<StatedReply<'d>> {
    Ok(StatedReply { kind: text(node, at, "reply_type")?, code: text_or_none(node, at, "code")? })
}
