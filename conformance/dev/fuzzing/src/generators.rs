//! The generators that take part in the census, and what the verifier answers to their inputs.
//!
//! What they reach by answers is the verifier's word: generated inputs have no expectations.

use std::collections::BTreeMap;

use assize::census::{Generator, Sample};
use assize_corpus::{
    handler,
    testee::{Answer, Output, Request},
};
use assize_inputs::{Pair, pairs::seeded_json_text};
use assize_verifier::{
    canon::Profile,
    files::{Files, Unreadable},
    sovereign::{self, Inputs, reference},
    threads::Threads,
};

/// Every generator.
pub const ALL: [Generator; 2] = [
    Generator { name: "pairs", system: "sovereign", sample: pair },
    Generator { name: "json_text", system: "canon", sample: json_text },
];

/// A text in every canonical form.
fn json_text(seed: u64) -> Sample {
    const OP: &str = "canon.bytes";
    let text = seeded_json_text(seed);
    let answer = |profile: Profile| {
        let request = Request {
            op: OP.to_owned(),
            args: serde_json::Map::from_iter([("profile".to_owned(), profile.name().into())]),
            docs: [("doc".to_owned(), text.clone())].into(),
            root: None,
        };
        ("law", handler::answer(&request))
    };
    let answers = Profile::ALL.into_iter().map(answer).collect();
    Sample { op: OP, documents: vec![("doc".to_owned(), text)], files: Vec::new(), answers }
}

/// A pair of bundles, compared in both modes. Turn files are served from memory under the very names that were made.
fn pair(seed: u64) -> Sample {
    let pair = Pair::seeded(seed);
    let files = Made(&pair.files);
    let inputs = Inputs::of(&pair.bundle_a, &pair.bundle_b);
    let law =
        Answer::accept([("report", Output::Doc(sovereign::compare(&inputs, &files, &files, Threads::Caller).text))]);
    let parity = match reference::compare(&inputs, &files, Threads::Caller) {
        Ok(report) => Answer::accept([("report", Output::Doc(report.text))]),
        Err(abort) => Answer::Reject {
            codes: ["ABORT".to_owned()].into(),
            out: [("exception".to_owned(), Output::Value(abort.name().into()))].into(),
        },
    };
    Sample {
        op: "sovereign.compare",
        documents: vec![("bundle_a".to_owned(), pair.bundle_a), ("bundle_b".to_owned(), pair.bundle_b)],
        files: pair.files.into_iter().collect(),
        answers: vec![("law", law), ("reference", parity)],
    }
}

struct Made<'p>(&'p BTreeMap<String, Vec<u8>>);

impl Files for Made<'_> {
    fn read(&self, path: &[u8], into: &mut Vec<u8>) -> Result<(), Unreadable> {
        let found = std::str::from_utf8(path).ok().and_then(|path| self.0.get(path));
        let found = found.ok_or(Unreadable { reason: "no such file" })?;
        into.clear();
        into.extend_from_slice(found);
        Ok(())
    }
}
