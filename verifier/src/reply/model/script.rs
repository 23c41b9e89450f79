//! Scripts for builders and wrappers (rulings RE-38 to RE-40). An absent member equals null; a malformed script is `A_INPUT`.

use super::member::{Due, given, integer, list, misfit, object, owed, text, text_or_none};
use super::registry::Registries;
use super::text::Text;
use crate::json::{JsonPointer, NodeRef};

/// What a builder is called with, one call after the other.
pub(crate) struct Script<'d> {
    pub(crate) registry: Option<Registries<'d>>,
    pub(crate) calls: Vec<Call<'d>>,
}

/// One call; whether it can be made is decided by the builder.
pub(crate) struct Call<'d> {
    pub(crate) method: Text<'d>,
    pub(crate) code: Option<Text<'d>>,
    /// None stands for an absent member or null.
    pub(crate) data: Option<NodeRef<'d>>,
}

/// How a tool ends that was not ended by a call.
pub(crate) enum End {
    /// It returns the reply of the call of this index.
    Return(usize),
    /// It throws.
    Throw,
}

impl<'d> Script<'d> {
    /// Reads what the scripts of builders and of wrappers have in common.
    fn read(node: NodeRef<'d>, at: &JsonPointer) -> Due<Self> {
        let node = object(node, at)?;
        let registry =
            given(node, "registry").map(|held| Registries::read(held, &at.member("registry"))).transpose()?;
        owed(node, at, "calls")?;
        let place = at.member("calls");
        let mut calls = Vec::new();
        for (index, call) in list(node, at, "calls")?.enumerate() {
            let at = place.index(index);
            let call = object(call, &at)?;
            calls.push(Call {
                method: text(call, &at, "method")?,
                code: text_or_none(call, &at, "code")?,
                data: given(call, "data"),
            });
        }
        Ok(Self { registry, calls })
    }

    /// Reads a script for a builder, and the index of the call whose reply is to be changed.
    pub(crate) fn for_builder(node: NodeRef<'d>, at: &JsonPointer) -> Due<(Self, Option<usize>)> {
        let script = Self::read(node, at)?;
        let place = at.member("mutate");
        let Some(mutate) = given(node, "mutate") else { return Ok((script, None)) };
        let mutate = object(mutate, &place)?;
        let of = index(mutate, &place, "of")?;
        if !matches!(&*text(mutate, &place, "member")?, b"reply_type" | b"code" | b"data") {
            return Err(misfit(&place.member("member"), "reply_type, code or data"));
        }
        Ok((script, Some(of)))
    }

    /// Reads a script for a wrapper, and how its tool ends.
    pub(crate) fn for_wrapper(node: NodeRef<'d>, at: &JsonPointer) -> Due<(Self, End)> {
        let script = Self::read(node, at)?;
        if let Some(arguments) = given(node, "arguments") {
            object(arguments, &at.member("arguments"))?;
        }
        let end = match (given(node, "return"), given(node, "throw")) {
            (Some(_), None) => {
                let of = index(node, at, "return")?;
                if of >= script.calls.len() {
                    return Err(misfit(&at.member("return"), "the index of a call"));
                }
                End::Return(of)
            }
            (None, Some(_)) => {
                text(node, at, "throw")?;
                End::Throw
            }
            _ => return Err(misfit(at, "one of return and throw")),
        };
        Ok((script, end))
    }
}

fn index(node: NodeRef<'_>, at: &JsonPointer, name: &str) -> Due<usize> {
    integer(node, at, name)?.parse().map_err(|_| misfit(&at.member(name), "the index of a call"))
}
