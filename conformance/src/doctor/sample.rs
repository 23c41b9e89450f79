//! Which cases the doctor asks: the smallest of each declared operation that the built-in verifier passes.
//!
//! A case that is wrong here would blame a shim for the corpus, so every one of them is tried in this process first.

use std::collections::BTreeMap;

use assize_corpus::{
    agreement::Outcome,
    needs::Needs,
    operation, trial,
    vector::{Case, Corpus, Verdict},
};
use serde_json::Value;

use crate::protocol::{Capabilities, Declaration};

/// Cases of one declared operation and one declared value of an argument.
#[derive(Debug)]
pub(super) struct Slot<'s> {
    /// As in `canon.bytes, profile rfc8785`.
    pub(super) name: String,
    /// The smallest that is accepted.
    pub(super) accepted: Option<&'s Case>,
    /// The smallest that is rejected.
    pub(super) rejected: Option<&'s Case>,
}

/// The cases that are asked.
#[derive(Debug)]
pub(super) struct Sample<'s> {
    /// For every declared operation and value that is known.
    pub(super) slots: Vec<Slot<'s>>,
    /// Many small ones, for asking them all at once.
    pub(super) crowd: Vec<&'s Case>,
}

impl<'s> Sample<'s> {
    const CROWD: usize = 64;
    /// The largest of these in bytes.
    const LARGEST: usize = 64 << 10;

    pub(super) fn of(corpus: &'s Corpus, declared: &Declaration, capabilities: &Capabilities) -> Self {
        let within = |case: &&Case| {
            declared.lacks(case).is_none()
                && (capabilities.is_everything() || {
                    let needs = Needs::of(case);
                    capabilities.lacks(&needs).is_none() && capabilities.beyond(&needs).is_none()
                })
        };
        let mut cases: Vec<&Case> = corpus.cases.values().filter(within).collect();
        cases.sort_by_cached_key(|case| (size(case), case.id.clone()));
        let mut slots = Vec::new();
        for (op, args) in declared.operations() {
            let Some(known) = operation::table().find(op) else { continue };
            let arguments = known.args.iter().filter_map(|argument| Some((argument, args.get(&argument.name)?)));
            let mut values: Vec<_> = arguments
                .flat_map(|(argument, values)| values.iter().map(|value| (argument.name.as_str(), value.as_str())))
                .collect();
            if values.is_empty() {
                slots.push(Slot::of(&cases, op, None));
            }
            values.dedup();
            slots.extend(values.into_iter().map(|value| Slot::of(&cases, op, Some(value))));
        }
        // Rejections take turns by their codes, so that neighbours differ.
        let mut turns = BTreeMap::new();
        let mut ordered: Vec<(usize, &Case)> = Vec::new();
        for case in cases.into_iter().filter(|case| size(case) <= Self::LARGEST) {
            let turn: &mut usize = turns.entry((&case.op, &case.expect.codes)).or_default();
            ordered.push((*turn, case));
            *turn += 1;
        }
        ordered.sort_by_key(|(turn, _)| *turn);
        let cases: Vec<&Case> = ordered.into_iter().map(|(_, case)| case).collect();
        // In turn from every operation and either verdict, so that none crowds out the others.
        let kinds = declared.operations().flat_map(|(op, _)| [(op, Verdict::Accept), (op, Verdict::Reject)]);
        let mut queues: Vec<_> = kinds
            .map(|(op, verdict)| cases.iter().copied().filter(move |case| case.op == op && case.expect.is == verdict))
            .collect();
        let mut crowd = Vec::new();
        while crowd.len() < Self::CROWD {
            let before = crowd.len();
            let room = Self::CROWD - before;
            crowd.extend(queues.iter_mut().filter_map(|queue| queue.find(|case| passes(case))).take(room));
            if crowd.len() == before {
                break;
            }
        }
        Self { slots, crowd }
    }

    /// An accepted case that needs no folder, if there is one; otherwise any.
    pub(super) fn plain(&self) -> Option<&'s Case> {
        let accepted = || self.slots.iter().filter_map(|slot| slot.accepted);
        accepted().find(|case| !case.wants_root() && !case.inputs.is_empty()).or_else(|| accepted().next())
    }

    /// An accepted case with documents, if there is one.
    pub(super) fn with_documents(&self) -> Option<&'s Case> {
        let documented = || self.slots.iter().filter_map(|slot| slot.accepted).filter(|case| !case.inputs.is_empty());
        documented().find(|case| !case.wants_root()).or_else(|| documented().next())
    }
}

impl<'s> Slot<'s> {
    fn of(cases: &[&'s Case], op: &str, value: Option<(&str, &str)>) -> Self {
        let meant = |(argument, value)| {
            let known = operation::table().find(op).and_then(|operation| operation.argument(argument));
            (argument, known.map_or(value, |known| known.meant(value)))
        };
        let asks = |case: &Case| {
            value.map(meant).is_none_or(|(argument, value)| match case.args.get(argument) {
                Some(Value::Array(items)) => items.iter().any(|item| item.as_str() == Some(value)),
                given => given.and_then(Value::as_str) == Some(value),
            })
        };
        let smallest = |verdict: Verdict| {
            let mut fitting = cases.iter().filter(|case| case.op == op && case.expect.is == verdict && asks(case));
            fitting.find(|case| passes(case)).copied()
        };
        let name = match value {
            Some((argument, value)) => format!("{op}, {argument} {value}"),
            None => op.to_owned(),
        };
        Self { name, accepted: smallest(Verdict::Accept), rejected: smallest(Verdict::Reject) }
    }
}

fn passes(case: &Case) -> bool {
    trial::verify(case).outcome == Outcome::Pass
}

/// Bytes of documents; a file counts as much as a document of fair size, because it costs more.
fn size(case: &Case) -> usize {
    const FILE: usize = 500;
    let documents: usize = case.inputs.values().map(|document| document.bytes().len()).sum();
    documents + FILE * (case.files.len() + usize::from(case.wants_root()))
}

#[cfg(test)]
mod tests {
    use assize_corpus::store::Store;

    use super::*;

    #[test]
    fn every_declared_value_has_its_smallest_case() {
        let corpus = Corpus::load(&Store::embedded());
        let declared: Declaration = serde_json::from_str(
            r#"{"canon.bytes":{"profile":["episode","sovereign"]},"sovereign.order":{},"x.y":{}}"#,
        )
        .unwrap();
        let sample = Sample::of(&corpus, &declared, &Capabilities::default());
        let names: Vec<_> = sample.slots.iter().map(|slot| slot.name.as_str()).collect();
        assert_eq!(names, ["canon.bytes, profile episode", "canon.bytes, profile sovereign", "sovereign.order"]);
        for slot in &sample.slots[..2] {
            let (accepted, rejected) = (slot.accepted.unwrap(), slot.rejected.unwrap());
            assert!(size(accepted) <= 2 && accepted.expect.is == Verdict::Accept, "{}", accepted.id);
            assert_eq!(rejected.expect.is, Verdict::Reject);
            assert!(slot.name.ends_with(accepted.args["profile"].as_str().unwrap()));
        }
        assert_eq!(sample.crowd.len(), Sample::CROWD);
        let orders = sample.crowd.iter().filter(|case| case.op == "sovereign.order").count();
        assert!(orders > 5 && orders < Sample::CROWD, "{orders}");
        let accepted = sample.crowd.iter().filter(|case| case.expect.is == Verdict::Accept).count();
        assert!(accepted > 20 && accepted < 44, "{accepted}");
        assert!(Sample::of(&corpus, &Declaration::default(), &Capabilities::default()).crowd.is_empty());
    }
}
