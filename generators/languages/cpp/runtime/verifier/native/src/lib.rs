//! The core for C: parts in, parts out, as the header says. Nothing is decided here.
//!
//! What a caller hands over is looked at in `export` alone, which makes slices of it; everything else is safe. A panic ends as
//! `ASSIZE_FAULT`: it never crosses into C, and the next question is answered.

mod answer;
mod export;
mod header;
mod question;

use std::panic::{self, AssertUnwindSafe};

use answer::Answer;
use header::{ASSIZE_FAULT, ASSIZE_LIMIT_SIZE, ASSIZE_QUESTION, assize_kind, assize_status};

/// A part of a question, as far as it is its caller's to say.
#[derive(Debug, Clone, Copy)]
struct Part<'q> {
    kind: assize_kind,
    name: &'q [u8],
    /// Absent where the pointer is null.
    value: Option<&'q [u8]>,
    items: &'q [&'q [u8]],
}

/// Answers a question.
fn ask(operation: &[u8], parts: &[Part<'_>], files: &[Part<'_>]) -> (assize_status, Answer) {
    let frame = match question::frame(operation, parts, files) {
        Ok(frame) => frame,
        Err(refused) => return (refused.status, Answer::message(&refused.message)),
    };
    assize_core::replied(&frame, &assize_core::LIMITS, Answer::of)
}

/// What a call comes to; nothing but the status where it panics.
fn guarded(call: impl FnOnce() -> (assize_status, Answer)) -> (assize_status, Option<Answer>) {
    match panic::catch_unwind(AssertUnwindSafe(call)) {
        Ok((status, answer)) => (status, Some(answer)),
        Err(cause) => {
            // To drop it might panic again.
            std::mem::forget(cause);
            (ASSIZE_FAULT, None)
        }
    }
}

/// What is no question, before the core is asked.
#[derive(Debug)]
struct Refused {
    status: assize_status,
    message: String,
}

impl Refused {
    fn question(message: impl Into<String>) -> Self {
        Self { status: ASSIZE_QUESTION, message: message.into() }
    }

    fn size() -> Self {
        let limit = assize_core::LIMITS.bytes;
        Self { status: ASSIZE_LIMIT_SIZE, message: format!("more than {limit} bytes in all; ask about less at a time") }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
mod tests {
    use super::*;
    use crate::header::{ASSIZE_ACCEPT, ASSIZE_DOCUMENT, ASSIZE_JSON, ASSIZE_LIMIT_DEPTH, ASSIZE_MISUSE, ASSIZE_TEXT};

    fn part<'q>(kind: assize_kind, name: &'q str, value: &'q [u8]) -> Part<'q> {
        Part { kind, name: name.as_bytes(), value: Some(value), items: &[] }
    }

    fn status(parts: &[Part<'_>]) -> assize_status {
        ask(b"canon.bytes", parts, &[]).0
    }

    #[test]
    fn a_panic_is_a_fault_and_the_next_question_is_answered() {
        panic::set_hook(Box::new(|_| {}));
        let (status, answer) = guarded(|| panic!("on purpose"));
        let _ = panic::take_hook();
        assert!(status == ASSIZE_FAULT && answer.is_none());
        let profile = part(ASSIZE_TEXT, "profile", b"rfc8785");
        let (status, answer) = guarded(|| ask(b"canon.bytes", &[profile, part(ASSIZE_DOCUMENT, "doc", b"1")], &[]));
        assert!(status == ASSIZE_ACCEPT && answer.is_some());
    }

    #[test]
    fn what_is_no_question_has_a_status_of_its_own() {
        let (profile, doc) = (part(ASSIZE_TEXT, "profile", b"rfc8785"), part(ASSIZE_DOCUMENT, "doc", b"1"));
        assert_eq!(status(&[profile, doc]), ASSIZE_ACCEPT);
        assert_eq!(status(&[part(ASSIZE_TEXT, "profile", b"\xff"), doc]), ASSIZE_QUESTION);
        assert_eq!(status(&[profile, doc, doc]), ASSIZE_QUESTION);
        assert_eq!(status(&[profile, part(99, "doc", b"1")]), ASSIZE_MISUSE);
        assert_eq!(status(&[profile, part(ASSIZE_DOCUMENT, "doc", &b"[".repeat(200_000))]), ASSIZE_LIMIT_DEPTH);
        let deep = ["[".repeat(200), "]".repeat(200)].concat();
        for (json, expected) in [
            ("1},\"in\":{}}\n", ASSIZE_QUESTION),
            ("", ASSIZE_QUESTION),
            ("NaN", ASSIZE_QUESTION),
            (deep.as_str(), ASSIZE_LIMIT_DEPTH),
        ] {
            assert_eq!(status(&[part(ASSIZE_JSON, "profile", json.as_bytes()), doc]), expected, "{json}");
        }
    }
}
