//! Testees that look at nothing, and the credit that a pass earns in comparison.

use std::collections::{BTreeMap, BTreeSet};

use assize_corpus::{
    agreement::{Judgement, Outcome, Terms, asserted, judge},
    challenge::is_challenge,
    operation::{self, Kind, Out},
    testee::{Answer, Output, Request, Testee},
    vector::{Case, Corpus},
};

use rayon::prelude::*;

use super::{CaseResult, LawTally, NullRow, Tally};
use crate::catalogue::law_of;

/// The names of all of them, in the order of a report.
pub const NAMES: [&str; 4] = ["accept-all", "reject-all", "echo", "constant"];

/// A testee that looks at nothing.
#[derive(Debug)]
pub enum Null {
    /// Accepts everything, without outputs.
    AcceptAll,
    /// Rejects everything, with the first code that the operation's table has for it.
    RejectAll,
    /// Accepts everything, and gives its first document back in every output.
    Echo,
    /// Answers every question of an operation with the most common expectation that the corpus has for it.
    Constant(BTreeMap<String, Answer>),
}

impl Null {
    /// All of them, for some operations; the constant one has looked at the expectations, which no honest testee can.
    #[must_use]
    pub fn all(corpus: &Corpus, operations: &BTreeSet<&str>) -> [Self; 4] {
        let [accept, reject, echo] = Self::blind();
        [accept, reject, echo, Self::Constant(commonest(corpus, operations))]
    }

    /// Those that have not looked at the expectations either.
    #[must_use]
    pub fn blind() -> [Self; 3] {
        [Self::AcceptAll, Self::RejectAll, Self::Echo]
    }

    /// The name in reports.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::AcceptAll => "accept-all",
            Self::RejectAll => "reject-all",
            Self::Echo => "echo",
            Self::Constant(_) => "constant",
        }
    }
}

impl Testee for Null {
    fn answer(&mut self, request: &Request) -> Answer {
        self.said(request)
    }
}

impl Null {
    /// What it answers: always the same, since it keeps nothing.
    fn said(&self, request: &Request) -> Answer {
        match self {
            Self::AcceptAll => Answer::accept::<String>([]),
            Self::RejectAll => Answer::reject(&first_code(request)),
            Self::Echo => Answer::accept(echoed(request)),
            Self::Constant(answers) => match answers.get(&request.op) {
                Some(answer) => answer.clone(),
                None => Answer::accept::<String>([]),
            },
        }
    }
}

fn first_code(request: &Request) -> String {
    const ANY: &str = "A_INPUT";
    let codes = operation::table().find(&request.op).map(|operation| operation.reject.codes.as_slice());
    let mut exact = codes.unwrap_or_default().iter().filter(|code| !code.code.ends_with('*'));
    let code = exact.find(|code| code.applies(&request.args));
    code.map_or(ANY, |code| code.code.as_str()).to_owned()
}

fn echoed(request: &Request) -> Vec<(String, Output)> {
    let document = request.docs.values().next().map(Vec::as_slice).unwrap_or_default();
    let text = || String::from_utf8_lossy(document).into_owned();
    let outs = operation::table().find(&request.op).map(|operation| operation.accept.as_slice());
    let give = |out: &Out| match out.kind {
        Kind::Doc => Output::Doc(text()),
        Kind::Bytes => Output::Bytes(document.to_vec()),
        Kind::Value => Output::Value(serde_json::from_slice(document).unwrap_or_else(|_| text().into())),
    };
    outs.unwrap_or_default().iter().map(|out| (out.name.clone(), give(out))).collect()
}

/// Whether an id is that of a question of the corpus, and not of a challenge beside it; of a set of challenges all are.
fn of_corpus(corpus: &Corpus) -> impl Fn(&str) -> bool {
    let beside = corpus.cases.keys().any(|id| !is_challenge(id));
    move |id| !beside || !is_challenge(id)
}

/// The most common expectation of each of these operations, as an answer.
fn commonest(corpus: &Corpus, operations: &BTreeSet<&str>) -> BTreeMap<String, Answer> {
    let mut counts: BTreeMap<&str, BTreeMap<String, (usize, &Case)>> = BTreeMap::new();
    let of_corpus = of_corpus(corpus);
    let asking = corpus.cases.values().filter(|case| operations.contains(case.op.as_str()));
    for case in asking.filter(|case| of_corpus(&case.id)) {
        let outs: Vec<_> = case.expect.out.iter().map(|(name, out)| (name, out.node.canonical())).collect();
        let key = format!("{:?} {:?} {outs:?}", case.expect.is, case.expect.codes);
        counts.entry(&case.op).or_default().entry(key).or_insert((0, case)).0 += 1;
    }
    let most = counts.into_iter().filter_map(|(op, expectations)| {
        let (_, case) = expectations.into_values().max_by_key(|(count, _)| *count)?;
        Some((op.to_owned(), asserted(case, &case.expect)))
    });
    most.collect()
}

/// Puts the null testees to every case that was asked, and weighs what the passes are worth beside theirs. A remark is a pass: a
/// testee that refuses everything is not to earn anything by a code of its own.
///
/// A pass earns credit when no null testee passes the case; or when a twin passes too, and no null testee passes both.
#[must_use]
pub fn weigh(corpus: &Corpus, results: &[CaseResult], terms: &Terms) -> Tally {
    let is_asked = |judgement: &Judgement| !matches!(judgement.outcome, Outcome::NotApplicable | Outcome::NotRun);
    // What a pass is worth is counted over the corpus, which is the same in every run.
    let of_corpus = of_corpus(corpus);
    let asked = results.iter().filter(|result| is_asked(&result.judgement) && of_corpus(&result.id));
    let asked: BTreeMap<&str, bool> = asked.map(|result| (result.id.as_str(), result.judgement.holds())).collect();
    let operations = asked.keys().filter_map(|id| Some(corpus.cases.get(*id)?.op.as_str())).collect();
    let nulls = Null::all(corpus, &operations);
    let put: Vec<(&str, &Case)> = asked.keys().filter_map(|id| Some((*id, corpus.cases.get(*id)?))).collect();
    let passing = |case: &Case| -> BTreeSet<usize> {
        // No null testee opens a file, so the folder need not be there.
        let request = case.request(None);
        let passes = |null: &Null| judge(case, &null.said(&request), terms).holds();
        nulls.iter().enumerate().filter(|(_, null)| passes(null)).map(|(index, _)| index).collect()
    };
    let passed: BTreeMap<&str, BTreeSet<usize>> =
        put.par_iter().map(|(id, case)| (*id, passing(case))).filter(|(_, nulls)| !nulls.is_empty()).collect();
    let row = |(index, null): (usize, &Null)| {
        let pass = passed.values().filter(|nulls| nulls.contains(&index)).count();
        NullRow { name: null.name(), cases: put.len(), pass }
    };
    let rows = nulls.iter().enumerate().map(row).collect();
    let mut twins: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (id, twin) in corpus.cases.iter().filter_map(|(id, case)| Some((id.as_str(), case.twin.as_deref()?))) {
        twins.entry(id).or_default().push(twin);
        twins.entry(twin).or_default().push(id);
    }
    let mut tally = Tally::default();
    let none = BTreeSet::new();
    for (id, holds) in &asked {
        let law: &mut LawTally = tally.laws.entry(law_of(id).to_owned()).or_default();
        let null = passed.get(id).unwrap_or(&none);
        law.null_passes += usize::from(!null.is_empty());
        let with_twin = || {
            twins
                .get(id)
                .into_iter()
                .flatten()
                .any(|twin| asked.get(twin) == Some(&true) && null.is_disjoint(passed.get(twin).unwrap_or(&none)))
        };
        if *holds && (null.is_empty() || with_twin()) {
            law.credit += 1;
            tally.credited.insert((*id).to_owned());
        }
    }
    tally.controls.null_testees = rows;
    tally
}

#[cfg(test)]
mod tests {
    use assize_corpus::store::Store;

    use super::*;

    const SPEC: &str = r#""spec":{"document":"d","section":"s"},"force":"spec","rationale":"r","provenance":"hand","agreement":"located""#;

    fn case(id: &str, twin: &str, text: &str, expect: &str) -> (String, String) {
        let case = format!(
            r#"{{"id":"canon/sovereign/{id}","op":"canon.bytes","args":{{"profile":"sovereign"}},{SPEC},{twin}
                "in":{{"doc":{{"text":"{text}"}}}},"expect":{expect}}}"#
        );
        (format!("vectors/canon/sovereign/{id}.json"), case)
    }

    #[test]
    fn a_pass_of_a_null_testee_counts_with_its_twin_alone() {
        let reject = r#"{"is":"reject","codes":["E_CANONICALIZATION_ERROR"]}"#;
        let accept = |text: &str| format!(r#"{{"is":"accept","out":{{"bytes":{{"text":"{text}"}}}}}}"#);
        let corpus = Corpus::load(&Store::memory([
            case("echoed", "", "[1]", &accept("[1]")),
            case("worked", "", "[ 2]", &accept("[2]")),
            case("refused", r#""twin":"canon/sovereign/worked","#, "[-0]", reject),
            case("lonely", "", "[1.0]", reject),
        ]));
        assert_eq!(corpus.errors.len(), 0, "{:?}", corpus.errors);
        let weigh_with = |failing: &str| {
            let results: Vec<_> = corpus
                .cases
                .keys()
                .map(|id| {
                    let judgement = match id.ends_with(failing) {
                        true => Judgement::noted(Outcome::WrongOutput, "other bytes"),
                        false => Judgement::pass(),
                    };
                    CaseResult { id: id.clone(), judgement, rationale: String::new(), took: None }
                })
                .collect();
            weigh(&corpus, &results, &Terms::default())
        };
        let tally = weigh_with("none");
        let row = |name: &str| tally.controls.null_testees.iter().find(|row| row.name == name).unwrap().pass;
        assert_eq!((row("accept-all"), row("reject-all"), row("echo"), row("constant")), (0, 2, 1, 2));
        // `worked` by itself and `refused` with it; `echoed` and `lonely` have no twin.
        let law = tally.laws["canon/sovereign"];
        assert_eq!((law.null_passes, law.credit), (3, 2));
        assert_eq!(weigh_with("worked").laws["canon/sovereign"].credit, 0);
        assert_eq!(weigh_with("refused").laws["canon/sovereign"].credit, 1);
    }
}
