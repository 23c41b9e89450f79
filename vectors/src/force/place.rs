//! Places of an answer.

use std::borrow::Cow;

use crate::node::Node;

/// One step of a place.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Name(String),
    /// `*`: any name or index.
    Any,
}

/// A JSON Pointer into `{is, codes, out}`, in which `*` stands for any name or index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// As it is written.
    pub text: String,
    steps: Vec<Step>,
}

impl Place {
    /// Reads a place.
    ///
    /// # Errors
    /// It does not begin with `/is`, `/codes` or `/out/`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut steps = text.split('/');
        let top = text == "/is" || text == "/codes" || text.starts_with("/out/");
        if steps.next() != Some("") || !top {
            return Err(format!(
                "{text:?} is not a place of an answer: write a JSON Pointer that begins with /is, /codes or /out/"
            ));
        }
        let step = |step: &str| if step == "*" { Step::Any } else { Step::Name(unescaped(step).into_owned()) };
        Ok(Self { text: text.to_owned(), steps: steps.map(step).collect() })
    }

    /// Whether it is exactly this pointer.
    #[must_use]
    pub fn is_at(&self, pointer: &str) -> bool {
        let pointer = tokens(pointer);
        self.steps.len() == pointer.len() && self.leads_through(&pointer)
    }

    /// Whether it is this pointer or leads to it.
    pub(super) fn covers(&self, pointer: &[Cow<'_, str>]) -> bool {
        self.steps.len() <= pointer.len() && self.leads_through(pointer)
    }

    /// Whether it and this pointer are one as far as both of them reach.
    fn leads_through(&self, pointer: &[Cow<'_, str>]) -> bool {
        self.steps.iter().zip(pointer).all(|(step, name)| match step {
            Step::Any => true,
            Step::Name(wanted) => wanted == name,
        })
    }

    /// Whether it leads below this pointer.
    pub(super) fn leads_below(&self, pointer: &[Cow<'_, str>]) -> bool {
        self.steps.len() > pointer.len() && self.leads_through(pointer)
    }

    /// The name that comes next where it leads below this pointer; nothing for `*`.
    pub(super) fn next(&self, pointer: &[Cow<'_, str>]) -> Option<&str> {
        match self.steps.get(pointer.len()) {
            Some(Step::Name(name)) if self.leads_through(pointer) => Some(name),
            _ => None,
        }
    }

    /// What makes one place count before another that covers the same pointer: its length, then names before `*`, from the top.
    pub(super) fn rank(&self) -> (usize, Vec<bool>) {
        (self.steps.len(), self.steps.iter().map(|step| matches!(step, Step::Name(_))).collect())
    }

    /// Whether it is exactly some place of this answer, whose top is an object with `is`, `codes` and `out`.
    #[must_use]
    pub fn is_in(&self, answer: &Node) -> bool {
        fn within(steps: &[Step], node: &Node) -> bool {
            let Some((step, rest)) = steps.split_first() else { return true };
            match (step, node) {
                (Step::Any, Node::Object(members)) => members.values().any(|member| within(rest, member)),
                (Step::Any, Node::Array(items)) => items.iter().any(|item| within(rest, item)),
                (Step::Name(name), Node::Object(members)) => members.get(name).is_some_and(|node| within(rest, node)),
                (Step::Name(name), Node::Array(items)) => {
                    name.parse().ok().and_then(|index: usize| items.get(index)).is_some_and(|node| within(rest, node))
                }
                _ => false,
            }
        }
        within(&self.steps, answer)
    }
}

/// The reference tokens of a JSON Pointer.
pub(super) fn tokens(pointer: &str) -> Vec<Cow<'_, str>> {
    pointer.split('/').skip(1).map(unescaped).collect()
}

fn unescaped(token: &str) -> Cow<'_, str> {
    if token.contains('~') { Cow::Owned(token.replace("~1", "/").replace("~0", "~")) } else { Cow::Borrowed(token) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_in_an_answer_or_not() {
        let answer = Node::parse(r#"{"is": "accept", "out": {"r": [{"code": null}], "a/b": {}}}"#).unwrap();
        for (place, known) in [
            ("/is", true),
            ("/codes", false),
            ("/out/r/*/code", true),
            ("/out/r/0/code", true),
            ("/out/r/1/code", false),
            ("/out/a~1b", true),
            ("/out/a~1b/*", false),
            ("/out/*/0", true),
        ] {
            assert_eq!(Place::parse(place).unwrap().is_in(&answer), known, "{place}");
        }
    }
}
