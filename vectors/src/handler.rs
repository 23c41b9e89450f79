//! The operation table, joined to the verifier: the testee that lives in this process.
//!
//! Contract: `contracts/interface/operations`. The verifier answers; its files are found on disk, or where a caller holds them.

use std::env;

use assize_verifier::operation::{NoFiles, Question, Root};

use crate::{
    disk::CaseRoot,
    testee::{Answer, Request, Testee},
};

/// Answers with the verifier, which looks at the folder of the request.
#[must_use]
pub fn answer(request: &Request) -> Answer {
    match request.root.as_deref().map(CaseRoot::new) {
        Some(mut root) => answer_with(request, &mut root),
        None => answer_with(request, &mut NoFiles),
    }
}

/// Answers with the verifier, which looks at these files and not at the folder of the request.
#[must_use]
pub fn answer_with(request: &Request, root: &mut dyn Root) -> Answer {
    let (args, docs) = (&request.args, &request.docs);
    assize_verifier::operation::answer(&mut Question { op: &request.op, args, docs, root, platform: env::consts::OS })
}

/// The verifier as a testee.
#[derive(Debug, Clone, Copy, Default)]
pub struct InProcess;

impl Testee for InProcess {
    fn answer(&mut self, request: &Request) -> Answer {
        answer(request)
    }
}

#[cfg(test)]
mod tests {
    mod episode;
    mod kernel;
    mod kernel_audit;
    mod kernel_text;
    mod sovereign;

    use assize_verifier::operation::names;

    use crate::operation;

    #[test]
    fn every_operation_of_the_verifier_is_in_the_table() {
        for name in names() {
            assert!(operation::table().find(name).is_some(), "{name}");
        }
    }
}
