//! The verifier of Assize without a host: a frame in, a frame out.
//!
//! Whoever wants a judgement in another language carries this crate compiled once, to WebAssembly or to a library, and gives
//! it a face; no verdict is decided outside of it. It opens no file, reads no clock, starts no thread and imports nothing: files
//! are a tree that the caller hands over and gets back as it was changed.
//!
//! A question is a line of JSON in the manner of an ATP/1 case, and behind its line feed whatever bytes it points to:
//!
//! ```
//! let frame = b"{\"op\":\"canon.bytes\",\"args\":{\"profile\":\"rfc8785\"},\"in\":{\"doc\":{\"at\":0,\"len\":9}}}\n{\"n\":1.0}";
//! let answer = String::from_utf8(assize_core::answer(frame)).expect("frames are UTF-8");
//! assert!(answer.starts_with(r#"{"t":"answer","is":"accept","out":{"bytes":"eyJuIjoxfQ==""#), "{answer}");
//! ```
//!
//! | member | what it is |
//! |---|---|
//! | `op` | the operation |
//! | `args` | its arguments, an object; absent is empty |
//! | `in` | its documents by name, each a *content* |
//! | `files` | its files by path: a *content*, `{"kind": "directory"}` or `{"kind": "symlink", "to": text}`; absent where it has none |
//! | `platform` | the operating system that a replay result names: `linux`, `macos` or `windows`; absent is `unknown` |
//!
//! A link is followed within the tree where an operation follows links, and where `to` is known: absent, it leads nowhere.
//!
//! A *content* is `{"b64": text}`, or `{"at": n, "len": n}`: so many bytes from there on, counted from behind the line feed.
//!
//! An answer is one line without a line feed: `{"t": "answer", "is": "accept" | "reject", "codes", "out", "files"}` with
//! `codes` of a rejection, `out` as in ATP/1 (documents as text, bytes as base64, values as they are), and in `files` what
//! the operation changed of its files, by path (`{"b64"}`, `{"kind": "directory"}`, or null for what is gone); or `unsupported`
//! with `feature`, or `fault` with `kind` and `message`, as in ATP/1; or `{"t": "error", "kind", "message"}` for what is no
//! question within the [`Limits`]: `size`, `depth` or `frame`.

mod export;
mod limits;
mod question;
mod reply;
mod tree;

use assize_verifier::operation::{self, NoFiles};

pub use assize_verifier::operation::Output;
pub use limits::{LIMITS, Limits};
use question::Parsed;
pub use reply::{Outs, Reply};
pub use tree::Change;

/// Answers a question within the usual limits.
#[must_use]
pub fn answer(frame: &[u8]) -> Vec<u8> {
    answer_within(frame, &LIMITS)
}

/// Answers a question within these limits, which are looked at before anything else.
#[must_use]
pub fn answer_within(frame: &[u8], limits: &Limits) -> Vec<u8> {
    replied(frame, limits, |reply| reply.line())
}

/// Answers a question within these limits, and hands over the answer as it is: who links the core need not read a line again.
pub fn replied<R>(frame: &[u8], limits: &Limits, read: impl FnOnce(&Reply<'_>) -> R) -> R {
    let mut asked = match Parsed::read(frame, limits) {
        Ok(asked) => asked,
        Err(error) => return read(&Reply::Error { kind: error.kind(), message: error.to_string() }),
    };
    let mut question = operation::Question {
        op: &asked.op,
        args: &asked.args,
        docs: &asked.docs,
        root: &mut NoFiles,
        platform: asked.platform,
    };
    match &mut asked.files {
        None => read(&Reply::of(&operation::answer(&mut question), None)),
        Some(tree) => {
            let said = operation::answer(&mut operation::Question { root: tree, ..question });
            read(&Reply::of(&said, Some(&tree.changes())))
        }
    }
}

/// The operations that are answered.
pub fn operations() -> impl Iterator<Item = &'static str> {
    operation::names()
}
