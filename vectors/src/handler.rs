//! The operation table, joined to the verifier: the testee that lives in this process.
//!
//! Contract: `contracts/interface/operations`. The verifier answers; here its files are found on disk.

use std::env;

use assize_verifier::operation::{NoFiles, Question, Root};

use crate::{
    disk::CaseRoot,
    testee::{Answer, Request, Testee},
};

/// Answers with the verifier.
#[must_use]
pub fn answer(request: &Request) -> Answer {
    let (mut on_disk, mut none) = (request.root.as_deref().map(CaseRoot::new), NoFiles);
    let root: &mut dyn Root = match &mut on_disk {
        Some(root) => root,
        None => &mut none,
    };
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
