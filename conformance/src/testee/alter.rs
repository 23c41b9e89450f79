//! Alters an answer on its way, so that the harness can show that it would have noticed.
//!
//! Only what the case's agreement asserts is altered: a change elsewhere would not be a wrong answer.

use std::{borrow::Cow, time::Duration};

use assize_corpus::{
    agreement::{Outcome, Terms},
    node::Node,
    operation::{self, Kind as Output},
    vector::{Agreement, Case, Verdict},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::Deserialize;
use serde_json::Value;

use super::timing::AGAIN;

/// A kind of alteration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Accept becomes reject, and the reverse.
    Verdict,
    /// A rejection gets another code.
    Code,
    /// An asserted member or byte of an output changes.
    Output,
    /// The answer never arrives.
    Dropped,
    /// The answer arrives twice.
    Repeated,
    /// The answer arrives after its time.
    Late,
}

impl Kind {
    /// What can be altered in the text of one answer.
    pub const CONTENT: [Self; 3] = [Self::Verdict, Self::Code, Self::Output];
    /// What can be altered in the way an answer travels.
    pub const CONDUCT: [Self; 3] = [Self::Dropped, Self::Repeated, Self::Late];

    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Verdict => "verdict",
            Self::Code => "code",
            Self::Output => "output",
            Self::Dropped => "dropped",
            Self::Repeated => "repeated",
            Self::Late => "late",
        }
    }

    /// What becomes of a right answer with this alteration.
    #[must_use]
    pub fn outcome(self) -> Outcome {
        match self {
            Self::Verdict => Outcome::WrongVerdict,
            Self::Code => Outcome::WrongCode,
            Self::Output => Outcome::WrongOutput,
            Self::Dropped | Self::Late => Outcome::Timeout,
            Self::Repeated => Outcome::Protocol,
        }
    }

    /// Whether this alteration of a right answer to the case gives a wrong one. A case with several right
    /// answers is left alone: an alteration might lead from one of them to another.
    #[must_use]
    pub fn fits(self, case: &Case, terms: &Terms) -> bool {
        let asserts = case.agreement != Agreement::Verdict;
        case.any_of.is_empty()
            && match self {
                Self::Code => asserts && case.expect.is == Verdict::Reject,
                Self::Output => asserts && !places(case, terms).is_empty(),
                _ => true,
            }
    }
}

/// What is planted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alteration {
    /// The kind.
    pub kind: Kind,
    /// Which of the asserted places is altered, modulo their number.
    pub choice: usize,
    /// On what terms the answer was judged before.
    pub terms: Terms,
}

/// An alteration made ready for one case.
#[derive(Debug, Clone)]
pub struct Altered {
    kind: Kind,
    place: Option<Place>,
    after: Duration,
}

/// An asserted place of an answer's outputs.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    output: String,
    kind: Output,
    path: Vec<Step>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Name(String),
    Index(usize),
}

impl Altered {
    /// Makes an alteration ready; `case_ms` is the time that an answer has.
    #[must_use]
    pub fn new(case: &Case, alteration: &Alteration, case_ms: u64) -> Self {
        let mut places = places(case, &alteration.terms);
        let place = match (alteration.kind, places.len()) {
            (Kind::Output, 1..) => Some(places.swap_remove(alteration.choice % places.len())),
            _ => None,
        };
        let times = match alteration.kind {
            // No try waits longer.
            Kind::Dropped => AGAIN + 1,
            // Late for its time, and in time for a second try with more of it: slow, not hung.
            Kind::Late => 2,
            _ => 0,
        };
        Self { kind: alteration.kind, place, after: Duration::from_millis(case_ms.saturating_mul(times)) }
    }

    /// The lines that arrive instead of this one, and the time that has passed before them.
    #[must_use]
    pub fn pass(&self, line: &[u8]) -> (Duration, Vec<Vec<u8>>) {
        let lines = match self.kind {
            Kind::Dropped => Vec::new(),
            Kind::Repeated => vec![line.to_vec(), line.to_vec()],
            Kind::Late => vec![line.to_vec()],
            Kind::Verdict | Kind::Code | Kind::Output => vec![self.rewrite(line).unwrap_or_else(|| line.to_vec())],
        };
        (self.after, lines)
    }

    /// The frame with its content altered; nothing when it is not an answer that has what is to be altered.
    fn rewrite(&self, line: &[u8]) -> Option<Vec<u8>> {
        let mut frame: Value = serde_json::from_slice(line).ok()?;
        let members = frame.as_object_mut()?;
        match (self.kind, members.get("is")?.as_str()?) {
            (Kind::Verdict, "accept") => {
                members.insert("is".to_owned(), "reject".into());
                members.insert("codes".to_owned(), Value::from(vec![SWAPPED]));
            }
            (Kind::Verdict, _) => {
                members.insert("is".to_owned(), "accept".into());
                members.remove("codes");
            }
            (Kind::Code, _) => {
                let codes = members.get_mut("codes")?.as_array_mut()?;
                let first = codes.first_mut()?;
                *first = if *first == SWAPPED { OTHER.into() } else { SWAPPED.into() };
            }
            (_, _) => self.place.as_ref()?.change(members.get_mut("out")?)?,
        }
        serde_json::to_vec(&frame).ok()
    }
}

/// Codes that replace others.
const SWAPPED: &str = "A_LIMIT";
const OTHER: &str = "A_INPUT";

impl Place {
    fn change(&self, outputs: &mut Value) -> Option<()> {
        let output = outputs.as_object_mut()?.get_mut(&self.output)?;
        match self.kind {
            Output::Doc => {
                let mut node = Node::parse(output.as_str()?).ok()?;
                bend(self.find(&mut node)?);
                *output = node.canonical().into();
            }
            Output::Value => {
                let mut node = Node::parse(&output.to_string()).ok()?;
                bend(self.find(&mut node)?);
                *output = serde_json::from_str(&node.canonical()).ok()?;
            }
            Output::Bytes => {
                let mut bytes = STANDARD.decode(output.as_str()?).ok()?;
                let at = bytes.len() / 2;
                match bytes.get_mut(at) {
                    Some(byte) => *byte ^= 1,
                    None => bytes.push(b' '),
                }
                *output = STANDARD.encode(bytes).into();
            }
        }
        Some(())
    }

    fn find<'n>(&self, node: &'n mut Node) -> Option<&'n mut Node> {
        self.path.iter().try_fold(node, |node, step| match (node, step) {
            (Node::Object(members), Step::Name(name)) => members.get_mut(name),
            (Node::Array(items), Step::Index(index)) => items.get_mut(*index),
            _ => None,
        })
    }
}

/// Another value of the same type where there is one.
fn bend(node: &mut Node) {
    match node {
        Node::Null => *node = Node::Bool(true),
        Node::Bool(value) => *value = !*value,
        Node::Number(token) => *token = if token == "0" { "1" } else { "0" }.to_owned(),
        Node::Text(text) => text.push('~'),
        Node::Array(items) => items.push(Node::Null),
        Node::Object(members) => {
            members.insert("~".to_owned(), Node::Null);
        }
    }
}

/// Every place that the case's agreement asserts, of outputs that are compared.
fn places(case: &Case, terms: &Terms) -> Vec<Place> {
    let accepts = case.expect.is == Verdict::Accept;
    let Some(operation) = operation::table().find(&case.op) else {
        return Vec::new();
    };
    let mut places = Vec::new();
    for (output, expected) in case.expect.out.iter().filter(|(output, _)| !terms.omits(&case.op, output)) {
        // What the harness derives does not travel.
        let Some(kind) = operation.kind(accepts, output) else { continue };
        if operation.observed(accepts).any(|out| out.name == *output) {
            continue;
        }
        let mut push = |path: &[Step]| places.push(Place { output: output.clone(), kind, path: path.to_vec() });
        match kind {
            Output::Bytes => push(&[]),
            _ => leaves(&expected.node, case.agreement == Agreement::Exact, &mut Vec::new(), &mut push),
        }
    }
    places
}

fn leaves(node: &Node, whole: bool, path: &mut Vec<Step>, push: &mut impl FnMut(&[Step])) {
    match node {
        Node::Array(items) if !items.is_empty() => {
            for (index, item) in items.iter().enumerate() {
                path.push(Step::Index(index));
                leaves(item, whole, path, push);
                path.pop();
            }
        }
        Node::Object(members) => {
            // Where only listed members count, an object that lists none asserts nothing that could be altered.
            if members.is_empty() && whole {
                push(path);
            }
            for (name, member) in members {
                path.push(Step::Name(name.clone()));
                leaves(member, whole, path, push);
                path.pop();
            }
        }
        _ => push(path),
    }
}

/// The id of a frame that has one.
#[must_use]
pub fn id_of(line: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct Id<'l> {
        #[serde(borrow)]
        id: Cow<'l, str>,
    }
    serde_json::from_slice::<Id<'_>>(line).ok().map(|frame| frame.id.into_owned())
}

#[cfg(test)]
mod tests {
    use assize_corpus::{store::Store, vector::Corpus};

    use super::*;
    use crate::testee::{BuiltIn, Driver as _, Item};

    /// Every case of the corpus, with every content alteration that fits it, at up to five of its places.
    #[test]
    fn every_alteration_of_a_right_answer_is_a_wrong_one() {
        let corpus = Corpus::load(&Store::embedded());
        static STOP: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);
        let driver = BuiltIn { stop: &STOP };
        let mut altered = [0_usize; 3];
        for case in corpus.cases.values().step_by(7) {
            for (count, kind) in altered.iter_mut().zip(Kind::CONTENT) {
                for choice in 0..if kind == Kind::Output { 5 } else { 1 } {
                    let alteration = Alteration { kind, choice, terms: Terms::default() };
                    if !kind.fits(case, &Terms::default()) {
                        continue;
                    }
                    let mut outcome = None;
                    let item = Item { case, alteration: Some(&alteration) };
                    driver.run(&[item], "controls", &mut |_, response, _| {
                        outcome = Some(response.judged(case, &Terms::default()).outcome)
                    });
                    assert_eq!(outcome, Some(kind.outcome()), "{} {}", case.id, kind.name());
                    *count += 1;
                }
            }
        }
        assert!(altered.iter().all(|count| *count > 50), "{altered:?}");
    }

    #[test]
    fn conduct_is_altered_and_content_kept() {
        let case = Corpus::load(&Store::embedded()).cases.into_values().next().unwrap();
        let pass = |kind| {
            Altered::new(&case, &Alteration { kind, choice: 0, terms: Terms::default() }, 100).pass(b"{\"id\":\"a\"}")
        };
        let ms = Duration::from_millis;
        // Longer than the longest try, and later than the first of them alone.
        assert_eq!(pass(Kind::Dropped), (ms(600), Vec::new()));
        assert_eq!(pass(Kind::Repeated), (ms(0), vec![b"{\"id\":\"a\"}".to_vec(); 2]));
        assert_eq!(pass(Kind::Late), (ms(200), vec![b"{\"id\":\"a\"}".to_vec()]));
        assert_eq!((id_of(b"{\"id\":\"a\"}").as_deref(), id_of(b"{}"), id_of(b"garbage")), (Some("a"), None, None));
    }
}
