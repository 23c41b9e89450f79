//! What the harness sees for itself in an answer, where an answer is judged and not compared.
//!
//! Contract: outputs with `observed` in `contracts/interface/operations`. Some of what a maker hands back is its own: a name
//! that it made up, a time that it measured, the bytes of what it wrote. No expectation can hold it, but what has to be
//! true of it can be derived, from the answer and from what lies in the case's folder, by comparison and by the reference
//! verifier. What is derived becomes an output, and is compared as every other output is. Nobody sends it: under its name
//! an answer has what is derived here or nothing.

mod pack;
mod reply;

use std::collections::BTreeMap;

use assize_verifier::operation::{NoFiles, Root};

use crate::{
    disk::CaseRoot,
    operation,
    testee::{Answer, Output, Request},
};

/// Derives the observed outputs of one operation, with a look at the files of its question; a rejection has them too where the table
/// says so.
type Observer = fn(&Request, &dyn Root, &Answer) -> BTreeMap<String, Output>;

/// Who observes the answers of an operation.
fn observer(op: &str) -> Option<Observer> {
    OBSERVERS.iter().find(|(name, _)| *name == op).map(|(_, observer)| *observer)
}

/// The observer of each operation that has observed outputs.
const OBSERVERS: &[(&str, Observer)] =
    &[("episode.pack", pack::observe), ("reply.build", reply::build), ("reply.wrap", reply::wrap)];

/// Whether anything is observed of the answers of an operation.
#[must_use]
pub fn is_observed(op: &str) -> bool {
    operation::table().find(op).is_some_and(operation::Operation::is_observed)
}

/// An answer with what is observed of it. The folder of the request is looked into where this process sees it; call it while
/// the folder is there.
#[must_use]
pub fn observed(request: &Request, answer: Answer) -> Answer {
    match request.root.as_deref().map(CaseRoot::new) {
        Some(root) => observed_with(request, &root, answer),
        None => observed_with(request, &NoFiles, answer),
    }
}

/// The same, where the files of the request are these.
#[must_use]
pub fn observed_with(request: &Request, root: &dyn Root, mut answer: Answer) -> Answer {
    let Some(operation) = operation::table().find(&request.op).filter(|operation| operation.is_observed()) else {
        return answer;
    };
    let accepts = matches!(answer, Answer::Accept { .. });
    let seen = observer(&request.op).map(|observer| observer(request, root, &answer)).unwrap_or_default();
    let (Answer::Accept { out } | Answer::Reject { out, .. }) = &mut answer else { return answer };
    for output in operation.observed(accepts) {
        out.remove(&output.name);
    }
    out.extend(seen.into_iter().filter(|(name, _)| operation.observed(accepts).any(|output| output.name == *name)));
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_with_observed_outputs_has_one_observer_and_no_other_has_one() {
        let observed = operation::table().operations.iter().filter(|operation| operation.is_observed());
        let mut owed: Vec<&str> = observed.map(|operation| operation.name.as_str()).collect();
        let mut there: Vec<&str> = OBSERVERS.iter().map(|(name, _)| *name).collect();
        owed.sort_unstable();
        there.sort_unstable();
        assert_eq!(there, owed);
    }
}
