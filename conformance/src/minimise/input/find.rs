//! The question that a find of the fuzzers asks, translated from the documents that its target stores.
//!
//! Contract: `contracts/interface/operations`, for which documents and arguments a question has. A target judges
//! more than one answer: what it knows of its input, and the same input told again, are for its oracle alone and stay
//! behind. Some targets judge the harness itself, and their finds ask an implementation nothing.

use std::collections::BTreeMap;

use assize_corpus::vector::{Document, Entry};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{Ask, InputError, Start, find_operation, usage};

/// A find, decoded.
#[derive(Deserialize)]
pub(super) struct Find {
    target: String,
    documents: BTreeMap<String, Entry>,
}

/// What finds of a target ask; of several operations or parts the first is usual.
struct Target {
    name: &'static str,
    ops: &'static [&'static str],
    /// An argument, with the value that it has unless the command line says otherwise.
    usual: Option<(&'static str, &'static str)>,
    /// Inputs that stand side by side in a find: a name for the command line, and what the names of their documents begin with.
    parts: &'static [(&'static str, &'static str)],
}

const WHOLE: &[(&str, &str)] = &[("whole", "")];

const TARGETS: [Target; 12] = [
    Target { name: "canon_idempotent", ops: &["canon.bytes"], usual: Some(("profile", "episode")), parts: WHOLE },
    Target { name: "canon_vs_python", ops: &["canon.bytes"], usual: Some(("profile", "sovereign")), parts: WHOLE },
    Target {
        name: "compare_vs_comparator",
        ops: &["sovereign.compare"],
        usual: Some(("mode", "reference")),
        parts: WHOLE,
    },
    Target { name: "dag", ops: &["authority.dag"], usual: None, parts: WHOLE },
    Target {
        name: "episode_verify",
        ops: &["episode.verify"],
        usual: None,
        parts: &[("after", "after/"), ("before", "before/")],
    },
    Target {
        name: "json_reader_vs_python",
        ops: &["canon.bytes"],
        usual: Some(("profile", "authority")),
        parts: WHOLE,
    },
    Target { name: "kernel_scenario", ops: &["kernel.scenario"], usual: None, parts: WHOLE },
    Target {
        name: "law_mode_total",
        ops: &["sovereign.compare"],
        usual: Some(("mode", "law")),
        parts: &[("told", ""), ("retold", "retold/")],
    },
    Target {
        name: "ledger",
        ops: &["authority.chain", "authority.replay", "authority.run"],
        usual: None,
        parts: WHOLE,
    },
    Target { name: "reply_envelope", ops: &["reply.envelope", "reply.code"], usual: None, parts: WHOLE },
    Target { name: "reply_registry", ops: &["reply.registry", "reply.source"], usual: None, parts: WHOLE },
    Target { name: "reply_trace", ops: &["reply.trace"], usual: None, parts: WHOLE },
];

/// Targets whose finds ask no operation.
const HARNESS: [&str; 2] = ["certificate", "protocol_frames"];

impl Target {
    fn of(name: &str) -> Result<&'static Self, InputError> {
        TARGETS.iter().find(|target| target.name == name).ok_or_else(|| {
            if HARNESS.contains(&name) {
                let help = "store it below fuzz/regressions, where `cargo test -p assize-fuzzing` judges it again";
                usage(format!("finds of {name} ask no operation: it judges Assize itself, and no testee"), help)
            } else {
                let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
                usage(format!("no fuzz target is called {name:?}"), &format!("name one of {}", names.join(", ")))
            }
        })
    }

    fn op(&self, asked: Option<&str>) -> Result<&'static str, InputError> {
        let found = self.ops.iter().find(|op| asked.is_none_or(|asked| asked == **op));
        found.copied().ok_or_else(|| {
            let message = format!("finds of {} do not ask {}", self.name, asked.unwrap_or_default());
            usage(message, &format!("--op {}", self.ops.join("|")))
        })
    }

    fn part(&self, asked: Option<&str>) -> Result<&'static str, InputError> {
        let found = self.parts.iter().find(|(name, _)| asked.is_none_or(|asked| asked == *name));
        found.map(|(_, prefix)| *prefix).ok_or_else(|| {
            let names: Vec<&str> = self.parts.iter().map(|(name, _)| *name).collect();
            let message = format!("finds of {} have no part {}", self.name, asked.unwrap_or_default());
            usage(message, &format!("--part {}", names.join("|")))
        })
    }
}

impl Find {
    /// The question; `name` is that of the file.
    pub(super) fn start(self, name: &str, ask: &Ask) -> Result<Start, InputError> {
        let target = Target::of(&self.target)?;
        let (op, part) = (target.op(ask.op.as_deref())?, target.part(ask.part.as_deref())?);
        let mut args: Map<String, Value> =
            target.usual.map(|(name, value)| (name.to_owned(), value.into())).into_iter().collect();
        let document = |place: &str| self.document(name, place);
        let mut docs = BTreeMap::new();
        let mut files = BTreeMap::new();
        match op {
            "canon.bytes" => drop(docs.insert("doc".to_owned(), document("text")?)),
            "sovereign.compare" => {
                for bundle in ["bundle_a", "bundle_b"] {
                    docs.insert(bundle.to_owned(), document(&format!("{part}{bundle}"))?);
                }
                files = self.below(&format!("{part}files/"));
            }
            "episode.verify" => {
                files = self.below(part);
                if files.is_empty() {
                    return Err(self.lacks(name, &format!("{part}...")));
                }
            }
            "authority.dag" => {
                docs.insert("ops".to_owned(), document("operations")?);
                let run_id = String::from_utf8_lossy(&document("run_id")?.bytes()).into_owned();
                args.insert("run_id".to_owned(), run_id.into());
            }
            "authority.run" => drop(docs.insert("inputs".to_owned(), document("inputs")?)),
            "kernel.scenario" => drop(docs.insert("operations".to_owned(), document("operations")?)),
            "reply.code" | "reply.envelope" | "reply.registry" | "reply.source" | "reply.trace" => {
                // The document is called what is asked about it.
                let name = op.trim_start_matches("reply.");
                docs.insert(name.to_owned(), document(name)?);
            }
            _ => {
                docs.insert("records".to_owned(), document("records")?);
                if op == "authority.replay" {
                    args.extend(self.assumed(name)?);
                }
            }
        }
        Start::new(find_operation(op)?, &args, ask, docs, files)
    }

    fn document(&self, name: &str, place: &str) -> Result<Document, InputError> {
        match self.documents.get(place) {
            Some(Entry::File(document)) => Ok(document.clone()),
            _ => Err(self.lacks(name, place)),
        }
    }

    fn lacks(&self, name: &str, place: &str) -> InputError {
        let message = format!("/documents/{place}: no such document, which finds of {} have", self.target);
        InputError::Broken { name: name.to_owned(), message }
    }

    fn below(&self, prefix: &str) -> BTreeMap<String, Entry> {
        let named = |(place, entry): (&String, &Entry)| Some((place.strip_prefix(prefix)?.to_owned(), entry.clone()));
        self.documents.iter().filter_map(named).collect()
    }

    /// What a replay assumes of the proposals.
    fn assumed(&self, name: &str) -> Result<Map<String, Value>, InputError> {
        #[derive(Deserialize)]
        struct Proposals {
            assumed: Map<String, Value>,
        }
        let proposals: Result<Proposals, _> = serde_json::from_slice(&self.document(name, "told")?.bytes());
        proposals.map(|proposals| proposals.assumed).map_err(|error| {
            let message = format!("/documents/told: {error}");
            InputError::Broken { name: name.to_owned(), message }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(find: &str, op: Option<&str>, part: Option<&str>) -> Result<Start, InputError> {
        let ask = Ask { op: op.map(str::to_owned), part: part.map(str::to_owned), ..Ask::default() };
        serde_json::from_str::<Find>(find).unwrap().start("f.json", &ask)
    }

    const LEDGER: &str = r#"{"target":"ledger","note":"","documents":{"inputs":{"text":"{}"},"records":{"text":"[]"},
        "told":{"text":"{\"assumed\":{\"confidence\":0.5},\"behind\":null,\"sip\":1}"}}}"#;

    #[test]
    fn a_ledger_is_asked_in_three_ways() {
        for (op, asked, doc, args) in [
            (None, "authority.chain", "records", 0),
            (Some("authority.replay"), "authority.replay", "records", 1),
            (Some("authority.run"), "authority.run", "inputs", 0),
        ] {
            let case = start(LEDGER, op, None).unwrap().case;
            assert_eq!((case.op.as_str(), case.inputs.len(), case.args.len()), (asked, 1, args));
            assert!(case.inputs.contains_key(doc));
        }
    }

    #[test]
    fn one_part_is_asked_and_the_rest_stays_behind() {
        let pack = r#"{"target":"episode_verify","documents":{"told":{"text":"{}"},"before/a/x":{"text":"1"},
            "after/a/x":{"text":"2"},"after/y":{"base64":"/w=="}}}"#;
        let files = |part| {
            let case = start(pack, None, part).unwrap().case;
            case.files.into_keys().collect::<Vec<_>>()
        };
        assert_eq!(
            (files(None), files(Some("before"))),
            (vec!["a/x".to_owned(), "y".to_owned()], vec!["a/x".to_owned()])
        );
        let pair = r#"{"target":"law_mode_total","documents":{"bundle_a":{"text":"1"},"bundle_b":{"text":"2"},"lawful":{"text":""},
            "retold/bundle_a":{"text":"3"},"retold/bundle_b":{"text":"4"},"retold/files/t":{"text":"5"}}}"#;
        let case = start(pair, None, Some("retold")).unwrap().case;
        assert_eq!((case.inputs["bundle_b"].bytes(), case.files.len()), (b"4".to_vec(), 1));
        let case = start(pair, None, None).unwrap().case;
        assert_eq!((case.inputs["bundle_b"].bytes(), case.files.len()), (b"2".to_vec(), 0));
    }

    #[test]
    fn what_asks_nothing_is_refused_with_the_reason() {
        let text = r#"{"target":"canon_vs_python","documents":{"text":{"text":"1"}}}"#;
        for (find, op, part, says) in [
            (r#"{"target":"certificate","documents":{}}"#, None, None, "judges Assize itself"),
            (r#"{"target":"protocol_frames","documents":{}}"#, None, None, "judges Assize itself"),
            (r#"{"target":"canon","documents":{}}"#, None, None, "no fuzz target"),
            (r#"{"target":"dag","documents":{"run_id":{"text":""}}}"#, None, None, "/documents/operations"),
            (
                r#"{"target":"reply_envelope","documents":{"envelope":{"text":""}}}"#,
                Some("reply.code"),
                None,
                "/documents/code",
            ),
            (
                r#"{"target":"reply_trace","documents":{"trace":{"text":""}}}"#,
                Some("reply.envelope"),
                None,
                "do not ask",
            ),
            (text, Some("canon.compare"), None, "do not ask canon.compare"),
            (text, None, Some("after"), "have no part after"),
            (r#"{"target":"episode_verify","documents":{"before/x":{"text":""}}}"#, None, None, "/documents/after/"),
            (r#"{"target":"law_mode_total","documents":{}}"#, None, Some("retold"), "/documents/retold/bundle_a"),
        ] {
            let error = start(find, op, part).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
    }
}
