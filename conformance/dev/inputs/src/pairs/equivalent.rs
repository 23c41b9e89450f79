//! A pair, and an equivalent one: everything changed that no law looks at.

use arbitrary::{Arbitrary, Result, Unstructured};

use super::Pair;
use super::draft::Draft;
use super::draw::{self, int, odds};
use super::json::Json;
use super::{drafts, few, finish, mutate};

/// A pair with an equivalent one: other messages, events, spelling, and order of members, turns, decisions and issues.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EquivalentPair {
    /// The pair.
    pub pair: Pair,
    /// The equivalent pair. `None` if the bytes of a document were damaged: damage has no other spelling.
    pub equivalent: Option<Pair>,
    /// True if both sides are lawful by their making.
    pub lawful: bool,
}

impl EquivalentPair {
    /// What a string of bytes stands for. Every string stands for a pair.
    #[must_use]
    pub fn from_bytes(octets: &[u8]) -> Self {
        Self::arbitrary(&mut Unstructured::new(octets)).unwrap_or_else(|_| Self {
            pair: Pair::empty(),
            equivalent: None,
            lawful: false,
        })
    }
}

impl<'a> Arbitrary<'a> for EquivalentPair {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let lawful = !odds(u, 1, 2)?;
        let (a, b) = if lawful { lawful_drafts(u)? } else { drafts(u)? };
        let sides = [&a, &b];
        let damaged =
            sides.iter().any(|draft| draft.damage.is_some() || draft.turns.iter().any(|t| t.damage.is_some()));
        let rewritten = if damaged { None } else { Some((rewrite(u, &a)?, rewrite(u, &b)?)) };
        let pair = finish(u, a, b)?;
        let equivalent = rewritten.map(|(a, b)| finish(u, a, b)).transpose()?;
        Ok(Self { pair, equivalent, lawful })
    }
}

fn lawful_drafts(u: &mut Unstructured<'_>) -> Result<(Draft, Draft)> {
    let mut a = Draft::lawful(u)?;
    mutate::make_lawful(&mut a);
    let mut b = a.clone();
    for _ in 0..few(u, &[20, 40, 25, 15])? {
        mutate::lawful(u, &mut b)?;
    }
    if odds(u, 1, 8)? {
        mutate::overlap(u, &mut a, &mut b)?;
        mutate::make_lawful(&mut a);
        mutate::make_lawful(&mut b);
    }
    if odds(u, 1, 2)? {
        std::mem::swap(&mut a, &mut b);
    }
    Ok((a, b))
}

/// The draft with other events and messages, and everything in another order that has none of its own.
fn rewrite(u: &mut Unstructured<'_>, draft: &Draft) -> Result<Draft> {
    let mut again = draft.clone();
    if let Some(turns) = again.bundle.member_mut("turn_results").and_then(Json::items_mut) {
        shuffle(u, turns)?;
    }
    for turn in &mut again.turns {
        let events = Json::List(vec![Json::text("retold"), draw::value(u, 1, false)?]);
        turn.document.set("events", events);
        if let Some(issues) = turn.document.member_mut("issues").and_then(Json::items_mut) {
            shuffle(u, issues)?;
            for issue in issues {
                match int(u, 3)? {
                    3 => issue.remove("message"),
                    2 => issue.set("message", draw::value(u, 1, false)?),
                    _ => issue.set("message", Json::text("retold")),
                }
            }
        }
        let decisions = turn.document.member_mut("capabilities").and_then(|audit| audit.member_mut("decisions"));
        if let Some(records) = decisions.and_then(Json::items_mut) {
            shuffle(u, records)?;
        }
    }
    for document in again.documents_mut() {
        shuffle_members(u, document)?;
    }
    Ok(again)
}

/// Members at every depth, but for those of objects that repeat a name: there the order has a meaning.
fn shuffle_members(u: &mut Unstructured<'_>, value: &mut Json) -> Result<()> {
    match value {
        Json::Token(_) | Json::Text(_) => {}
        Json::List(items) => {
            for item in items {
                shuffle_members(u, item)?;
            }
        }
        Json::Object(members) => {
            let repeated =
                members.iter().enumerate().any(|(at, (name, _))| members.iter().take(at).any(|m| m.0 == *name));
            if !repeated {
                shuffle(u, members)?;
            }
            for (_, value) in members {
                shuffle_members(u, value)?;
            }
        }
    }
    Ok(())
}

/// Another order. Bytes that run out change it as well.
fn shuffle<T>(u: &mut Unstructured<'_>, list: &mut [T]) -> Result<()> {
    for last in (1..list.len()).rev() {
        let with = draw::index(u, last + 1)?.unwrap_or(last);
        list.swap(last, with);
    }
    Ok(())
}
