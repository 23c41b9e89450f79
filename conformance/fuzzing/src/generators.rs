//! The generators of inputs, and what one input of each reaches.
//!
//! A generator takes part by one entry of [`GENERATORS`]. What it reaches by answers is the verifier's word: generated
//! inputs have no expectations.

use std::collections::{BTreeMap, BTreeSet};

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

use super::{Cell, answers, schema, spelling};

/// Makes inputs of one kind.
#[derive(Debug, Clone, Copy)]
pub struct Generator {
    /// Its name.
    pub name: &'static str,
    /// The system whose cells it reaches.
    pub system: &'static str,
    /// What the input of a seed reaches.
    pub reach: fn(u64) -> BTreeSet<Cell>,
}

/// Every generator.
pub const GENERATORS: &[Generator] = &[
    Generator { name: "pairs", system: "sovereign", reach: pair },
    Generator { name: "json_text", system: "canon", reach: json_text },
];

/// A text in every canonical form.
fn json_text(seed: u64) -> BTreeSet<Cell> {
    let text = seeded_json_text(seed);
    let mut cells = spelling::of("canon", &text);
    for profile in Profile::ALL {
        let request = Request {
            op: "canon.bytes".to_owned(),
            args: serde_json::Map::from_iter([("profile".to_owned(), profile.name().into())]),
            docs: [("doc".to_owned(), text.clone())].into(),
            root: None,
        };
        cells.extend(answers::answered("canon.bytes", "law", &handler::answer(&request)));
    }
    cells
}

/// A pair of bundles, compared in both modes. Turn files are served from memory under the very names that were made.
fn pair(seed: u64) -> BTreeSet<Cell> {
    const OP: &str = "sovereign.compare";
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
    let mut cells = answers::answered(OP, "law", &law);
    cells.extend(answers::answered(OP, "reference", &parity));
    for (name, octets) in [("bundle_a", &pair.bundle_a), ("bundle_b", &pair.bundle_b)] {
        cells.extend(spelling::of("sovereign", octets));
        cells.extend(schema::of_input(OP, name, None, octets));
    }
    for (path, octets) in &pair.files {
        cells.extend(spelling::of("sovereign", octets));
        cells.extend(schema::of_file(OP, path, octets));
    }
    cells
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
