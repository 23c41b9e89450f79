//! Whether an answer is the expected one.
//!
//! Contract: `vectors/README.md`, Agreement and Force; outcomes: `contracts/interface/protocol.md`. Comparison never calls the
//! verifier. PASS says that the answer agrees as strictly as the case asks, and no more: `verdict` alone looks at
//! neither codes nor outputs. An answer that does not agree weighs as much as the strongest place in which it differs.

mod between;
mod difference;
mod weigh;

pub use between::between;
pub use weigh::{Terms, is_registered};

use std::{collections::BTreeSet, fmt};

use serde::Serialize;

use self::difference::Found;
use crate::{
    node::{Node, push},
    operation::{self, Kind},
    testee::{Answer, Output},
    vector::{Agreement, Case, Expect, Force, Verdict, Weight},
};

/// What became of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "SCREAMING-KEBAB-CASE")]
pub enum Outcome {
    /// The answer agrees.
    Pass,
    /// Same verdict and codes, other outputs.
    WrongOutput,
    /// Rejected as expected, with other codes.
    WrongCode,
    /// Accepted what is to be rejected, or the reverse.
    WrongVerdict,
    /// Declared, then answered `unsupported`.
    BrokenPromise,
    /// The testee said that it broke.
    Fault,
    /// The process ended.
    Crash,
    /// No answer in time.
    Timeout,
    /// Not the protocol.
    Protocol,
    /// Cannot be asked here or was never declared.
    NotApplicable,
    /// Was not asked.
    NotRun,
}

impl Outcome {
    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pass => "PASS",
            Self::WrongOutput => "WRONG-OUTPUT",
            Self::WrongCode => "WRONG-CODE",
            Self::WrongVerdict => "WRONG-VERDICT",
            Self::BrokenPromise => "BROKEN-PROMISE",
            Self::Fault => "FAULT",
            Self::Crash => "CRASH",
            Self::Timeout => "TIMEOUT",
            Self::Protocol => "PROTOCOL",
            Self::NotApplicable => "NOT-APPLICABLE",
            Self::NotRun => "NOT-RUN",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// One place where answer and expectation part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Mismatch {
    /// JSON Pointer into the answer.
    pub pointer: String,
    /// What was expected there; nothing, when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<Node>,
    /// What was there; nothing, when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actual: Option<Node>,
    /// With what right the expectation binds there; nothing where two answers are compared and none of them is expected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub force: Option<Force>,
}

impl Mismatch {
    /// A difference whose force is not weighed yet.
    #[must_use]
    pub fn new(pointer: impl Into<String>, expected: Option<Node>, actual: Option<Node>) -> Self {
        Self { pointer: pointer.into(), expected, actual, force: None }
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (expected, actual) = (shown(self.expected.as_ref()), shown(self.actual.as_ref()));
        let place = if self.pointer.is_empty() { "the answer" } else { &self.pointer };
        write!(f, "{place}: expected {expected}, got {actual}")
    }
}

/// A value for people: long ones are cut, with their length.
fn shown(node: Option<&Node>) -> String {
    const LIMIT: usize = 600;
    let Some(node) = node else {
        return "nothing".to_owned();
    };
    let text = node.canonical();
    match text.char_indices().nth(LIMIT) {
        Some((cut, _)) => format!("{}... ({} bytes)", text.get(..cut).unwrap_or_default(), text.len()),
        None => text,
    }
}

/// The outcome of a case, with everything that explains it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Judgement {
    /// The outcome.
    pub outcome: Outcome,
    /// How much the difference weighs; nothing where there is none, or where there was no answer to weigh.
    pub force: Option<Weight>,
    /// Which of the permitted answers was given, from 1; nothing where the case permits one alone, or none was given.
    pub behaviour: Option<usize>,
    /// Every mismatch with the lightest expectation, but for what there is too much of.
    pub mismatches: Vec<Mismatch>,
    /// How many more there are, none of which weighs more than those.
    #[serde(skip)]
    pub untold: usize,
    /// What mismatches cannot say: a fault's message, the reason why a case was not run.
    pub note: Option<String>,
}

impl Judgement {
    /// An outcome that needs a reason and no mismatches. One that is a failure is against the specification.
    #[must_use]
    pub fn noted(outcome: Outcome, note: impl Into<String>) -> Self {
        let force =
            (!matches!(outcome, Outcome::Pass | Outcome::NotApplicable | Outcome::NotRun)).then_some(Weight::Spec);
        Self { outcome, force, behaviour: None, mismatches: Vec::new(), untold: 0, note: Some(note.into()) }
    }

    /// That answer and expectation agree.
    #[must_use]
    pub fn pass() -> Self {
        Self { outcome: Outcome::Pass, force: None, behaviour: None, mismatches: Vec::new(), untold: 0, note: None }
    }

    /// Whether the case was asked and the answer is against nothing but a convention, if against anything.
    #[must_use]
    pub fn holds(&self) -> bool {
        let asked = !matches!(self.outcome, Outcome::NotApplicable | Outcome::NotRun);
        asked && self.force.is_none_or(|force| force == Weight::Interface)
    }
}

/// What differences of a weight are against, in words: the specification, the rulings that alone forbid them, or a convention.
#[must_use]
pub fn against<'m>(weight: Weight, mismatches: impl IntoIterator<Item = &'m Mismatch>) -> String {
    match weight {
        Weight::Spec => "specification".to_owned(),
        Weight::Interface => "convention".to_owned(),
        Weight::Ruling => {
            let rulings = mismatches.into_iter().filter_map(|mismatch| match &mismatch.force {
                Some(Force::Ruling(id)) => Some(id.as_str()),
                _ => None,
            });
            let rulings: BTreeSet<&str> = rulings.collect();
            format!("ruling {}", rulings.into_iter().collect::<Vec<_>>().join(" "))
        }
    }
}

/// Judges an answer by `expect` and `any_of`, under the agreement of the case. When none agrees, the lightest is
/// reported: first by weight, then by outcome, then by number of mismatches, then by position.
#[must_use]
pub fn judge(case: &Case, answer: &Answer, terms: &Terms) -> Judgement {
    let (accepts, out) = match answer {
        Answer::Unsupported { feature } => {
            return Judgement::noted(Outcome::BrokenPromise, format!("unsupported: {feature}"));
        }
        Answer::Fault { kind, message } => {
            return Judgement::noted(Outcome::Fault, format!("{kind}: {message}"));
        }
        Answer::Accept { out } => (true, out),
        Answer::Reject { out, .. } => (false, out),
    };
    let mut closest: Option<Judgement> = None;
    let surplus = weigh::surplus(case, terms);
    for (place, expect) in case.answers().enumerate() {
        let found = compare(case, expect, answer, Found::new(&surplus), (accepts, out));
        let mut judgement = weigh::weigh(case, expect, terms, found);
        if judgement.outcome == Outcome::Pass && !case.any_of.is_empty() {
            judgement.behaviour = Some(place + 1);
        }
        let count = |judgement: &Judgement| judgement.mismatches.len() + judgement.untold;
        let rank = |judgement: &Judgement| (judgement.force, judgement.outcome, count(judgement));
        if closest.as_ref().is_none_or(|best| rank(&judgement) < rank(best)) {
            closest = Some(judgement);
        }
    }
    closest.unwrap_or_else(|| Judgement::noted(Outcome::NotRun, "the case expects nothing"))
}

/// The answer that says what an expectation says, and nothing else.
#[must_use]
pub fn asserted(case: &Case, expect: &Expect) -> Answer {
    let accepts = expect.is == Verdict::Accept;
    let operation = operation::table().find(&case.op);
    let out = expect.out.iter().map(|(name, expected)| {
        let text = expected.node.canonical();
        let output = match operation.and_then(|operation| operation.kind(accepts, name)) {
            Some(Kind::Doc) => Output::Doc(text),
            Some(Kind::Bytes) => Output::Bytes(expected.bytes().unwrap_or_default()),
            _ => Output::Value(serde_json::from_str(&text).unwrap_or_default()),
        };
        (name.clone(), output)
    });
    let out = out.collect();
    if accepts { Answer::Accept { out } } else { Answer::Reject { codes: expect.codes.clone(), out } }
}

type Outputs = std::collections::BTreeMap<String, Output>;

fn compare(
    case: &Case,
    expect: &Expect,
    answer: &Answer,
    mut found: Found<'_>,
    (accepts, out): (bool, &Outputs),
) -> Judgement {
    if accepts != (expect.is == Verdict::Accept) {
        let mut mismatches = vec![Mismatch::new("/is", Some(word(!accepts)), Some(word(accepts)))];
        if let Answer::Reject { codes, .. } = answer {
            mismatches.push(Mismatch::new("/codes", None, Some(set(codes))));
        }
        // Nothing more is compared; what was answered is shown, so that nobody has to guess what was meant.
        if !out.is_empty() {
            let shown = out.iter().map(|(name, output)| (name.clone(), difference::shown(output)));
            mismatches.push(Mismatch::new("/out", None, Some(Node::Object(shown.collect()))));
        }
        return Judgement { outcome: Outcome::WrongVerdict, mismatches, ..Judgement::pass() };
    }
    let mut outcome = Outcome::Pass;
    if case.agreement != Agreement::Verdict {
        outputs(case, expect, accepts, out, &mut found);
        if !found.mismatches.is_empty() {
            outcome = Outcome::WrongOutput;
        }
        if let Answer::Reject { codes, .. } = answer
            && *codes != expect.codes
        {
            let (expected, actual) = (Some(set(&expect.codes)), Some(set(codes)));
            found.mismatches.insert(0, Mismatch::new("/codes", expected, actual));
            outcome = Outcome::WrongCode;
        }
    }
    Judgement { outcome, mismatches: found.mismatches, untold: found.untold, ..Judgement::pass() }
}

fn word(accepts: bool) -> Node {
    Node::Text(if accepts { "accept" } else { "reject" }.to_owned())
}

fn set(codes: &std::collections::BTreeSet<String>) -> Node {
    Node::Array(codes.iter().cloned().map(Node::Text).collect())
}

fn outputs(case: &Case, expect: &Expect, accepts: bool, out: &Outputs, found: &mut Found<'_>) {
    let whole = case.agreement == Agreement::Exact;
    let operation = operation::table().find(&case.op);
    let extent = difference::Extent { whole, closed: operation.map(|operation| &operation.closed) };
    for (name, expected) in &expect.out {
        let mut pointer = "/out".to_owned();
        push(&mut pointer, name);
        let Some(actual) = out.get(name) else {
            found.add(pointer, expected.node.clone(), None);
            continue;
        };
        let owed = operation.and_then(|operation| operation.kind(accepts, name)).unwrap_or(Kind::of(actual));
        match (owed, actual) {
            (Kind::Doc, Output::Doc(text)) => difference::document(&expected.node, text, extent, pointer, found),
            (Kind::Bytes, Output::Bytes(bytes)) => difference::bytes(expected, bytes, pointer, found),
            (Kind::Value, Output::Value(value)) => {
                difference::nodes(&expected.node, &Node::from(value), extent, &mut pointer, found);
            }
            _ => {
                let said = format!("an output of kind {}, not {}", Kind::of(actual).name(), owed.name());
                found.add(pointer, expected.node.clone(), Some(Node::Text(said)));
            }
        }
    }
    if whole {
        for (name, actual) in out.iter().filter(|(name, _)| !expect.out.contains_key(*name)) {
            let mut pointer = "/out".to_owned();
            push(&mut pointer, name);
            found.surplus(&pointer, || difference::shown(actual));
        }
    }
}

#[cfg(test)]
mod tests;
