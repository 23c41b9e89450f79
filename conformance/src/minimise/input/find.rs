//! The question that a find of the fuzzers asks: each find says what its target judges, and what an implementation can be asked.
//!
//! Contract: `contracts/interface/operations`, for which documents and arguments a question has. A target judges
//! more than one answer: what it knows of its input, and the same input in another form, are for its oracle alone and stay
//! in the find. Some targets judge the harness itself, and their finds ask an implementation nothing.

use std::collections::BTreeMap;

use assize_corpus::vector::{Document, Entry};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Ask, InputError, Start, find_operation, usage};

/// A find, decoded.
#[derive(Deserialize)]
pub(super) struct Find {
    target: String,
    /// The first is the usual one.
    asks: Vec<Question>,
    documents: BTreeMap<String, Entry>,
}

/// What a find can ask of an implementation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// The operation.
    pub op: String,
    /// Which of the inputs that stand side by side in the find, by a name for the command line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// Arguments, with the values that they have unless the command line says otherwise.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub args: Map<String, Value>,
    /// Documents of the operation, each with the name that it has in the find.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub docs: BTreeMap<String, String>,
    /// What the names of its files begin with in the find, before their paths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<String>,
}

impl Question {
    /// The operation without arguments, documents and files.
    #[must_use]
    pub fn of(op: &str) -> Self {
        Self { op: op.to_owned(), ..Self::default() }
    }

    /// The same of the inputs that have this name.
    #[must_use]
    pub fn part(mut self, part: &str) -> Self {
        self.part = Some(part.to_owned());
        self
    }

    /// The same with an argument.
    #[must_use]
    pub fn arg(mut self, name: &str, value: &str) -> Self {
        self.args.insert(name.to_owned(), value.into());
        self
    }

    /// The same with a document that is called `place` in the find.
    #[must_use]
    pub fn doc(mut self, name: &str, place: &str) -> Self {
        self.docs.insert(name.to_owned(), place.to_owned());
        self
    }

    /// The same with the files below a prefix.
    #[must_use]
    pub fn files(mut self, prefix: &str) -> Self {
        self.files = Some(prefix.to_owned());
        self
    }
}

impl Find {
    /// The question; `name` is that of the file.
    pub(super) fn start(self, name: &str, ask: &Ask) -> Result<Start, InputError> {
        let question = self.question(ask)?;
        let document = |(doc, place): (&String, &String)| Ok((doc.clone(), self.document(name, place)?));
        let docs = question.docs.iter().map(document).collect::<Result<BTreeMap<_, _>, InputError>>()?;
        let files = question.files.as_deref().map(|prefix| self.below(prefix)).unwrap_or_default();
        if docs.is_empty() && files.is_empty() {
            return Err(self.lacks(name, &format!("{}...", question.files.as_deref().unwrap_or_default())));
        }
        Start::new(find_operation(&question.op)?, &question.args, ask, docs, files)
    }

    /// The first question of those that the command line admits.
    fn question(&self, ask: &Ask) -> Result<&Question, InputError> {
        let target = &self.target;
        let Some(usual) = self.asks.first() else {
            let help = "store it below fuzz/regressions, where `cargo test -p assize-fuzzing` judges it again";
            let message = format!("finds of {target} ask no operation: it judges Assize itself, and no testee");
            return Err(usage(message, help));
        };
        let op = ask.op.as_ref().unwrap_or(&usual.op);
        let of_op: Vec<&Question> = self.asks.iter().filter(|question| question.op == *op).collect();
        if of_op.is_empty() {
            let mut ops: Vec<&str> = self.asks.iter().map(|question| question.op.as_str()).collect();
            ops.dedup();
            return Err(usage(format!("finds of {target} do not ask {op}"), &format!("--op {}", ops.join("|"))));
        }
        let found = of_op.iter().find(|question| ask.part.is_none() || question.part == ask.part);
        found.copied().ok_or_else(|| {
            let parts: Vec<&str> = of_op.iter().filter_map(|question| question.part.as_deref()).collect();
            let message = format!("this find of {target} has no part {}", ask.part.as_deref().unwrap_or_default());
            let help =
                if parts.is_empty() { "leave out --part".to_owned() } else { format!("--part {}", parts.join("|")) };
            usage(message, &help)
        })
    }

    fn document(&self, name: &str, place: &str) -> Result<Document, InputError> {
        match self.documents.get(place) {
            Some(Entry::File(document)) => Ok(document.clone()),
            _ => Err(self.lacks(name, place)),
        }
    }

    fn lacks(&self, name: &str, place: &str) -> InputError {
        let message = format!("/documents/{place}: no such document, which `asks` names");
        InputError::Broken { name: name.to_owned(), message }
    }

    fn below(&self, prefix: &str) -> BTreeMap<String, Entry> {
        let named = |(place, entry): (&String, &Entry)| Some((place.strip_prefix(prefix)?.to_owned(), entry.clone()));
        self.documents.iter().filter_map(named).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn start(find: &Value, op: Option<&str>, part: Option<&str>) -> Result<Start, InputError> {
        let ask = Ask { op: op.map(str::to_owned), part: part.map(str::to_owned), ..Ask::default() };
        serde_json::from_value::<Find>(find.clone()).unwrap().start("f.json", &ask)
    }

    #[test]
    fn a_find_is_asked_in_several_ways() {
        let find = json!({
            "target": "ledger",
            "note": "",
            "asks": [
                {"op": "authority.chain", "docs": {"records": "records"}},
                {"op": "authority.replay", "args": {"confidence": 0.5}, "docs": {"records": "records"}},
                {"op": "authority.run", "docs": {"inputs": "given"}},
            ],
            "documents": {"given": {"text": "{}"}, "records": {"text": "[]"}, "told": {"text": "1"}},
        });
        for (op, asked, doc, args) in [
            (None, "authority.chain", "records", 0),
            (Some("authority.replay"), "authority.replay", "records", 1),
            (Some("authority.run"), "authority.run", "inputs", 0),
        ] {
            let case = start(&find, op, None).unwrap().case;
            assert_eq!((case.op.as_str(), case.inputs.len(), case.args.len()), (asked, 1, args));
            assert!(case.inputs.contains_key(doc));
        }
    }

    #[test]
    fn one_part_is_asked_and_the_rest_stays_in_the_find() {
        let pack = json!({
            "target": "episode_verify",
            "asks": [Question::of("episode.verify").part("after").files("after/"),
                Question::of("episode.verify").part("before").files("before/")],
            "documents": {"told": {"text": "{}"}, "before/a/x": {"text": "1"}, "after/a/x": {"text": "2"},
                "after/y": {"base64": "/w=="}},
        });
        let files = |part| start(&pack, None, part).unwrap().case.files.into_keys().collect::<Vec<_>>();
        assert_eq!(
            (files(None), files(Some("before"))),
            (vec!["a/x".to_owned(), "y".to_owned()], vec!["a/x".to_owned()])
        );
        let pair = |part: &str, prefix: &str| {
            let question = Question::of("sovereign.compare").part(part).arg("mode", "law");
            let question = question.doc("bundle_a", &format!("{prefix}bundle_a"));
            question.doc("bundle_b", &format!("{prefix}bundle_b")).files(&format!("{prefix}files/"))
        };
        let pair = json!({
            "target": "law_mode_total",
            "asks": [pair("told", ""), pair("retold", "retold/")],
            "documents": {"bundle_a": {"text": "1"}, "bundle_b": {"text": "2"}, "lawful": {"text": ""},
                "retold/bundle_a": {"text": "3"}, "retold/bundle_b": {"text": "4"}, "retold/files/t": {"text": "5"}},
        });
        let case = start(&pair, None, Some("retold")).unwrap().case;
        assert_eq!((case.inputs["bundle_b"].bytes(), case.files.len()), (b"4".to_vec(), 1));
        let case = start(&pair, None, None).unwrap().case;
        assert_eq!((case.inputs["bundle_b"].bytes(), case.files.len()), (b"2".to_vec(), 0));
    }

    #[test]
    fn what_asks_nothing_is_refused_with_the_reason() {
        let text = Question::of("canon.bytes").arg("profile", "episode").doc("doc", "text");
        let code = Question::of("reply.code").doc("code", "code");
        let pack = Question::of("episode.verify").part("after").files("after/");
        let find = |asks: &[&Question]| json!({"target": "t", "asks": asks, "documents": {"text": {"text": "1"}}});
        for (find, op, part, says) in [
            (find(&[]), None, None, "judges Assize itself"),
            (find(&[&text, &code]), Some("reply.code"), None, "/documents/code"),
            (find(&[&code]), None, None, "/documents/code"),
            (find(&[&text, &code]), Some("canon.compare"), None, "do not ask canon.compare"),
            (find(&[&text]), None, Some("after"), "has no part after"),
            (find(&[&text, &pack]), None, Some("after"), "has no part after"),
            (find(&[&pack]), None, Some("before"), "has no part before"),
            (find(&[&pack]), None, None, "/documents/after/"),
            (find(&[&Question::of("canon.bytes")]), None, None, "no such document"),
        ] {
            let error = start(&find, op, part).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
    }
}
