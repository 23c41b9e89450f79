//! The way in which two answers differ: what must stay the same while the question shrinks.
//!
//! Contract: `contracts/interface/protocol.md`, Outcomes. Two disagreements of one signature need not have one cause;
//! those of two signatures are certainly different.

mod place;

use std::{collections::BTreeSet, fmt};

use assize_corpus::{
    agreement::between,
    node::Node,
    testee::{Answer, Output},
};

pub use place::Place;

use crate::testee::Response;

/// Outputs that name the verdict of an acceptance: a member of a document, or a value.
const VERDICTS: [&str; 3] = ["verdict", "outcome", "status"];

/// What one side did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Way {
    /// It accepted, with this verdict if the operation has any.
    Accept(Option<String>),
    /// It rejected with these codes.
    Reject(BTreeSet<String>),
    /// It does not do what it declared.
    Unsupported,
    /// It said that it broke, in this way.
    Fault(String),
    /// Its process ended.
    Crash,
    /// It did not answer in time.
    Timeout,
    /// It did not keep to the protocol.
    Protocol,
}

impl Way {
    fn of(answer: &Answer) -> Self {
        match answer {
            Answer::Accept { out } => Self::Accept(out.values().find_map(verdict).or_else(|| {
                let named = VERDICTS.iter().filter_map(|name| out.get(*name));
                named
                    .filter_map(|value| if let Output::Value(value) = value { value.as_str() } else { None })
                    .map(str::to_owned)
                    .next()
            })),
            Answer::Reject { codes, .. } => Self::Reject(codes.clone()),
            Answer::Unsupported { .. } => Self::Unsupported,
            Answer::Fault { kind, .. } => Self::Fault(kind.clone()),
        }
    }

    fn codes(&self) -> impl Iterator<Item = &str> {
        let codes = if let Self::Reject(codes) = self { Some(codes) } else { None };
        codes.into_iter().flatten().map(String::as_str)
    }
}

fn verdict(output: &Output) -> Option<String> {
    let Output::Doc(text) = output else { return None };
    let node = Node::parse(text).ok()?;
    VERDICTS.iter().find_map(|name| node.member(name)?.text().map(str::to_owned))
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Accept(None) => f.write_str("accept"),
            Self::Accept(Some(verdict)) => write!(f, "accept, {verdict}"),
            Self::Reject(codes) => {
                let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
                write!(f, "reject, {}", codes.join(" "))
            }
            Self::Unsupported => f.write_str("unsupported, though declared"),
            Self::Fault(kind) => write!(f, "fault, {kind}"),
            Self::Crash => f.write_str("crash"),
            Self::Timeout => f.write_str("no answer in time"),
            Self::Protocol => f.write_str("not the protocol"),
        }
    }
}

/// The way in which the verifier and a testee disagree about one question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// What the verifier did.
    pub ours: Way,
    /// What the testee did.
    pub theirs: Way,
    /// Where two answers of one verdict differ, in the order of the answer; digests over other parts of the answer stand here
    /// only if nothing else does.
    pub places: Vec<Place>,
}

impl Signature {
    /// The way in which two answers differ; nothing where they agree, or where the testee was not asked.
    #[must_use]
    pub fn of(ours: &Answer, theirs: &Response) -> Option<Self> {
        let way = match theirs {
            Response::Answer(theirs) => Way::of(theirs),
            Response::Crash(_) => Way::Crash,
            Response::Timeout(_) => Way::Timeout,
            Response::Protocol(_) => Way::Protocol,
            Response::Changed | Response::NotRun(_) | Response::Unasked(..) => return None,
        };
        let ours_way = Way::of(ours);
        let places = match theirs {
            Response::Answer(theirs) => place::of(ours, theirs, &between(ours, theirs)),
            _ => Vec::new(),
        };
        (ours_way != way || !places.is_empty()).then_some(Self { ours: ours_way, theirs: way, places })
    }

    /// Whether a disagreement about another question is the same one: both sides do the same, the first place at which
    /// they differ is still there, and there is no new one.
    #[must_use]
    pub fn is_shown_by(&self, other: &Self) -> bool {
        self.ours == other.ours
            && self.theirs == other.theirs
            && self.places.first().is_none_or(|first| other.places.contains(first))
            && other.places.iter().all(|place| self.places.contains(place))
    }

    /// The first law of these that either side names at a place where they differ.
    #[must_use]
    pub fn law<'l>(&self, laws: &'l [String]) -> Option<&'l str> {
        let codes = self.ours.codes().chain(self.theirs.codes());
        let mut words = codes.chain(self.places.iter().flat_map(Place::words));
        words.find_map(|word| laws.iter().find(|law| law.as_str() == word)).map(String::as_str)
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "verifier  {}", self.ours)?;
        write!(f, "testee    {}", self.theirs)?;
        self.places.iter().try_for_each(|place| write!(f, "\nat        {place}"))
    }
}

#[cfg(test)]
mod tests;
