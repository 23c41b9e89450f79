//! What went into a case, byte for byte, and what should have come out.

use assize_corpus::{
    node::Node,
    vector::{Agreement, Case, Document, Entry, Expect, Verdict},
};
use assize_verifier::digest::Digest;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::Serialize;
use serde_json::Value;

use super::super::diff::pretty;
use crate::clean::{clean, lines, steers, word};

/// Bytes of one document that are shown.
const DOCUMENT: usize = 64 << 10;
/// Bytes of one expected output that are shown.
const OUTPUT: usize = 4 << 10;

/// Bytes of documents that one page still has room for: a page must open quickly.
pub(super) struct Budget(usize);

impl Default for Budget {
    fn default() -> Self {
        Self(8 << 20)
    }
}

/// A case as it was asked.
#[derive(Serialize)]
pub(super) struct Question {
    op: String,
    args: String,
    spec: String,
    inputs: Vec<Input>,
    files: Vec<Input>,
    agreement: &'static str,
    answers: Vec<Wanted>,
}

/// A document, or what lies at a path.
#[derive(Serialize)]
struct Input {
    name: String,
    /// What it is, in words.
    kind: String,
    sha256: Option<String>,
    /// How `body` is written: `text` or `base64`; nothing where there are no bytes.
    form: Option<&'static str>,
    body: String,
    /// What a reader has to know about `body`.
    remark: Option<String>,
}

/// An answer that conforms.
#[derive(Serialize)]
struct Wanted {
    is: &'static str,
    codes: String,
    out: Vec<(String, String)>,
}

impl Question {
    pub(super) fn of(case: &Case, budget: &mut Budget) -> Self {
        let args = Node::from(&Value::Object(case.args.clone()));
        let document =
            |(name, document): (&String, &Document)| Input::bytes(&case.id, name, "", &document.bytes(), budget);
        let inputs = case.inputs.iter().map(document).collect();
        let files = case.files.iter().map(|(path, entry)| Input::file(&case.id, path, entry, budget)).collect();
        Self {
            op: case.op.clone(),
            args: clean(&args.canonical()).into_owned(),
            spec: clean(&format!("{}, {}", case.spec.document, case.spec.section)).into_owned(),
            inputs,
            files,
            agreement: match case.agreement {
                Agreement::Exact => "exactly: every output, and documents byte for byte",
                Agreement::Located => "in the members that are listed",
                Agreement::Verdict => "in the verdict alone",
            },
            answers: case.answers().map(Wanted::of).collect(),
        }
    }
}

impl Input {
    fn file(id: &str, path: &str, entry: &Entry, budget: &mut Budget) -> Self {
        let none = |kind: String| Self {
            name: clean(path).into_owned(),
            kind,
            sha256: None,
            form: None,
            body: String::new(),
            remark: None,
        };
        match entry {
            Entry::File(document) => Self::bytes(id, path, "", &document.bytes(), budget),
            Entry::Directory => none("a folder".to_owned()),
            Entry::Symlink { to } => none(format!("a symbolic link to {}", clean(to))),
            Entry::Unreadable { text } => {
                Self::bytes(id, path, "without permission to be read, ", text.as_bytes(), budget)
            }
        }
    }

    /// Text is shown as such only where a browser gives back the same bytes.
    fn bytes(id: &str, name: &str, kind: &str, bytes: &[u8], budget: &mut Budget) -> Self {
        let room = DOCUMENT.min(budget.0);
        let mut shown = bytes.get(..room).unwrap_or(bytes);
        let whole = shown.len() == bytes.len();
        let text = std::str::from_utf8(bytes).ok().filter(|text| !text.contains(alters));
        let (form, body) = match text {
            Some(text) => {
                let end = (0..=shown.len()).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
                shown = bytes.get(..end).unwrap_or_default();
                ("text", text.get(..end).unwrap_or_default().to_owned())
            }
            None => ("base64", STANDARD.encode(shown)),
        };
        budget.0 -= shown.len();
        let remark = match (whole, std::str::from_utf8(bytes)) {
            (false, _) => Some(format!(
                "Cut: the first {} of {} bytes. {} shows them all.",
                shown.len(),
                bytes.len(),
                explain(id)
            )),
            (true, Err(error)) => {
                Some(format!("Not UTF-8 from byte {}, so it is shown in base64.", error.valid_up_to()))
            }
            (true, Ok(_)) if form == "base64" => {
                Some("Holds characters that a page would change or hide, so it is shown in base64.".to_owned())
            }
            (true, Ok(_)) => None,
        };
        let sha256 = Some(Digest::of(bytes).to_hex());
        let kind = format!("{kind}{} bytes", bytes.len());
        Self { name: clean(name).into_owned(), kind, sha256, form: Some(form), body, remark }
    }
}

/// A browser turns carriage returns into line feeds, and does not show control characters.
fn alters(letter: char) -> bool {
    steers(letter) && !matches!(letter, '\n' | '\t')
}

/// The command that shows a case with all of its bytes.
pub(super) fn explain(id: &str) -> String {
    format!("assize explain {} --format json", word(id))
}

impl Wanted {
    fn of(expect: &Expect) -> Self {
        let shown = |node: &Node| {
            let text = pretty(node);
            let lines: Vec<_> = lines(&text).collect();
            let text = lines.join("\n");
            match text.char_indices().nth(OUTPUT) {
                Some((cut, _)) => format!("{}... ({} bytes)", text.get(..cut).unwrap_or_default(), text.len()),
                None => text,
            }
        };
        Self {
            is: match expect.is {
                Verdict::Accept => "accept",
                Verdict::Reject => "reject",
            },
            codes: expect.codes.iter().map(|code| clean(code)).collect::<Vec<_>>().join(", "),
            out: expect.out.iter().map(|(name, expected)| (clean(name).into_owned(), shown(&expected.node))).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], form: &str, body: &str, remark: Option<&str>) {
        let input = Input::bytes("a/b/c", "doc", "", bytes, &mut Budget(10));
        assert_eq!((input.form, input.body.as_str()), (Some(form), body));
        assert_eq!(input.remark.as_deref(), remark);
        assert_eq!(input.sha256, Some(Digest::of(bytes).to_hex()));
    }

    #[test]
    fn bytes_are_exact_or_said_not_to_be() {
        let altered = Some("Holds characters that a page would change or hide, so it is shown in base64.");
        check(b"\n{\t}\n", "text", "\n{\t}\n", None);
        check("ü<&".as_bytes(), "text", "ü<&", None);
        check(b"", "text", "", None);
        check(b"a\r\n", "base64", "YQ0K", altered);
        check("\u{202e}".as_bytes(), "base64", "4oCu", altered);
        check(b"ab\xff", "base64", "YWL/", Some("Not UTF-8 from byte 2, so it is shown in base64."));
        let cut = "Cut: the first 9 of 12 bytes. assize explain a/b/c --format json shows them all.";
        check("漢漢漢漢".as_bytes(), "text", "漢漢漢", Some(cut));
        check(&[0xff; 11], "base64", "/////////////w==", Some(&cut.replace("9 of 12", "10 of 11")));
    }
}
