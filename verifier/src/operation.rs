//! From an operation, its arguments and its documents to an answer: the one way in that other programs build on.
//!
//! The operations are those of `contracts/interface/operations.json`; each system answers its own in its `operations`
//! module, which translates between bytes and the system's types and decides no law. Nothing here opens a file: what an
//! operation reads or writes besides its documents lies in the [`Root`] that the caller hands over. A panic, which would
//! be a bug, is caught at this one place and becomes a fault, never a judgement.
//!
//! ```
//! use std::collections::BTreeMap;
//!
//! use assize_verifier::operation::{Answer, NoFiles, Question, answer};
//!
//! let args = serde_json::Map::from_iter([("profile".to_owned(), "sovereign".into())]);
//! let docs = BTreeMap::from([("doc".to_owned(), b"{\"n\":-0}".to_vec())]);
//! let said = answer(&mut Question { op: "canon.bytes", args: &args, docs: &docs, root: &mut NoFiles, platform: "any" });
//! assert_eq!(said, Answer::reject("E_CANONICALIZATION_ERROR"));
//! ```

mod memory;
mod output;

use std::{
    any::Any,
    collections::BTreeMap,
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
};

use serde_json::{Map, Value};

pub use memory::MemoryRoot;
pub use output::{Answer, Output};

use crate::{
    files::{Files, HomeFiles, PackFiles, Unreadable},
    finding::Finding,
    rejection::Rejection,
};

/// One question.
pub struct Question<'q> {
    /// The operation's name, `system.verb`.
    pub op: &'q str,
    /// Its arguments.
    pub args: &'q Map<String, Value>,
    /// Its documents by name, as exact bytes.
    pub docs: &'q BTreeMap<String, Vec<u8>>,
    /// What it may read and write besides.
    pub root: &'q mut dyn Root,
    /// The operating system that a replay result names, in the spelling of the constant `OS` of Rust's `env::consts`.
    pub platform: &'static str,
}

/// The files of a question, in the three ways in which operations look at them. Nothing outside of it is ever reached: that
/// is the implementor's promise.
pub trait Root {
    /// Turn files for law mode: regular files below the root alone.
    fn turn_files(&self) -> Box<dyn Files + '_>;

    /// Turn files for reference mode: what the system would find at a path.
    fn parity_files(&self) -> Box<dyn Files + '_>;

    /// The root as a proof pack; none where it is not a folder.
    fn pack(&self) -> Option<Box<dyn PackFiles + '_>>;

    /// The root as a kernel's home; none where it is not a folder.
    fn home(&mut self) -> Option<&mut dyn HomeFiles>;
}

/// A question without files: every path is absent, and there is neither a pack nor a home.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl Files for NoFiles {
    fn read(&self, _: &[u8], into: &mut Vec<u8>) -> Result<(), Unreadable> {
        into.clear();
        Err(Unreadable { reason: "the case has no files" })
    }
}

impl Root for NoFiles {
    fn turn_files(&self) -> Box<dyn Files + '_> {
        Box::new(Self)
    }

    fn parity_files(&self) -> Box<dyn Files + '_> {
        Box::new(Self)
    }

    fn pack(&self) -> Option<Box<dyn PackFiles + '_>> {
        None
    }

    fn home(&mut self) -> Option<&mut dyn HomeFiles> {
        None
    }
}

/// Answers one question.
pub(crate) type Handler = fn(&mut Question<'_>) -> Answer;

/// The names of the operations that this verifier answers.
pub fn names() -> impl Iterator<Item = &'static str> {
    table().map(|(name, _)| *name)
}

fn table() -> impl Iterator<Item = &'static (&'static str, Handler)> {
    crate::TABLES.iter().copied().flatten()
}

/// Answers a question; one about an operation that is not in the table is unsupported.
#[must_use]
pub fn answer(question: &mut Question<'_>) -> Answer {
    match table().find(|(name, _)| *name == question.op) {
        Some((_, handler)) => guarded(*handler, question),
        None => Answer::Unsupported { feature: question.op.to_owned() },
    }
}

fn guarded(handler: Handler, question: &mut Question<'_>) -> Answer {
    catch_unwind(AssertUnwindSafe(|| handler(question)))
        .unwrap_or_else(|cause| Answer::Fault { kind: "panic".to_owned(), message: message(cause.as_ref()) })
}

fn message(cause: &(dyn Any + Send)) -> String {
    let text = cause.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| cause.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}

impl<'q> Question<'q> {
    /// A document by its name.
    pub(crate) fn document(&self, name: &str) -> Option<&'q [u8]> {
        self.docs.get(name).map(Vec::as_slice)
    }

    /// An argument that is a string.
    pub(crate) fn text_arg(&self, name: &str) -> Option<&'q str> {
        self.args.get(name).and_then(Value::as_str)
    }
}

impl fmt::Debug for Question<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Question").field("op", &self.op).field("args", &self.args).finish_non_exhaustive()
    }
}

/// The compared members of a finding; its message is for people.
pub(crate) fn compared(finding: &Finding) -> Map<String, Value> {
    let members: [(&str, Value); 4] = [
        ("law", finding.law.slug().into()),
        ("code", finding.code.into()),
        ("pointer", finding.pointer.as_str().into()),
        ("severity", finding.severity.name().into()),
    ];
    members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// A plain value among the outputs.
pub(crate) fn value(value: impl Into<Value>) -> Output {
    Output::Value(value.into())
}

/// What an operation of one document answers when it refuses that.
pub(crate) fn rejected(why: &Rejection) -> Answer {
    Answer::Reject { codes: why.codes().into_iter().map(str::to_owned).collect(), out: BTreeMap::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(op: &str, handler: Option<Handler>) -> Answer {
        let (args, docs) = (Map::new(), BTreeMap::new());
        let mut question = Question { op, args: &args, docs: &docs, root: &mut NoFiles, platform: "any" };
        match handler {
            Some(handler) => guarded(handler, &mut question),
            None => answer(&mut question),
        }
    }

    #[test]
    fn a_panic_is_a_fault() {
        fn breaks(_: &mut Question<'_>) -> Answer {
            panic!("broken {}", 7)
        }
        let expected = Answer::Fault { kind: "panic".to_owned(), message: "broken 7".to_owned() };
        assert_eq!(ask("canon.bytes", Some(breaks)), expected);
    }

    #[test]
    fn an_unknown_operation_is_unsupported() {
        assert_eq!(ask("no.such", None), Answer::Unsupported { feature: "no.such".to_owned() });
    }

    #[test]
    fn a_question_without_its_documents_is_outside_the_domain_everywhere() {
        for name in names() {
            assert_eq!(ask(name, None), Answer::reject("A_INPUT"), "{name}");
        }
    }
}
