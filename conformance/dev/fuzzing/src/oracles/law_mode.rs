//! What a comparison reports in law mode, asked of the verifier and of the Python oracle: the same text, diagnostics apart.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1; rulings LAW-12, REP-13 (what a diagnostic holds is never compared).

use std::collections::BTreeMap;

use assize_corpus::store;
use assize_corpus::testee::{Answer, Output};
use assize_corpus::vector::Case;
use assize_inputs::Pair;
use assize_oracle::sovereign::{Compared, Entry, law_report};
use assize_verifier::files::Files;
use assize_verifier::sovereign::{self, Inputs};
use assize_verifier::threads::Threads;
use serde_json::Value;

use super::law_report::Report;
use super::memory_files::MemoryFiles;
use super::sovereign::entries;

/// Whether the oracle answers a case.
#[must_use]
pub fn knows(case: &Case) -> bool {
    case.op == "sovereign.compare" && case.args.get("mode").and_then(Value::as_str) == Some("law")
}

/// What the oracle says to a case of law mode.
///
/// # Errors
/// The oracle broke, or the case has no bundles.
pub fn of_case(case: &Case) -> Result<Answer, String> {
    let request = case.request(None);
    let document = |name: &str| request.docs.get(name).map(Vec::as_slice);
    let bundle = |name: &str| document(name).ok_or(format!("no document {name}"));
    let compared = Compared {
        bundle_a: bundle("bundle_a")?,
        bundle_b: bundle("bundle_b")?,
        registry: registry(document("registry"))?,
        stage_order: document("stage_order"),
    };
    let text = law_report(&compared, &entries(case)).map_err(|error| format!("the oracle broke: {error}"))?;
    Ok(Answer::accept([("report".to_owned(), Output::Doc(text))]))
}

/// The registry given, or the sealed one.
fn registry(given: Option<&[u8]>) -> Result<&[u8], String> {
    given
        .or_else(|| store::embedded("contracts/sovereign/error-codes-v1.json"))
        .ok_or_else(|| "no sealed registry".to_owned())
}

/// What the oracle reports on a pair, under a registry or the sealed one.
///
/// # Errors
/// The oracle broke.
pub fn oracle(pair: &Pair, local: Option<&[u8]>) -> Result<String, String> {
    let Pair { bundle_a, bundle_b, files } = pair;
    let files = files.iter().map(|(path, octets)| (path.clone(), Entry::File(octets.clone()))).collect();
    let compared = Compared { bundle_a, bundle_b, registry: registry(local)?, stage_order: None };
    law_report(&compared, &files).map_err(|error| format!("the oracle broke: {error}"))
}

/// What the verifier reports on a pair.
#[must_use]
pub fn verifier(pair: &Pair, registry: Option<&[u8]>) -> String {
    let files = MemoryFiles(&pair.files);
    let inputs = Inputs { registry, ..Inputs::of(&pair.bundle_a, &pair.bundle_b) };
    sovereign::compare(&inputs, &files, &files, Threads::Caller).text
}

/// Demands that the exact walk alone reports the same bytes, diagnostics included; gives how many turns were settled without it.
///
/// # Errors
/// Both reports.
pub fn walks_agree(inputs: &Inputs<'_>, files: &dyn Files) -> Result<usize, String> {
    let (both, settled) = sovereign::compare_counting(inputs, files, files, false);
    let (exact, none) = sovereign::compare_counting(inputs, files, files, true);
    if both.text == exact.text && none == 0 {
        return Ok(settled);
    }
    Err(format!("both walks:     {}\nthe exact walk: {}", both.text, exact.text))
}

/// [`walks_agree`] of a pair, under a registry or the sealed one.
///
/// # Errors
/// As there.
pub fn pair_walks_agree(pair: &Pair, registry: Option<&[u8]>) -> Result<usize, String> {
    let inputs = Inputs { registry, ..Inputs::of(&pair.bundle_a, &pair.bundle_b) };
    walks_agree(&inputs, &MemoryFiles(&pair.files))
}

/// [`walks_agree`] of a case. What is no regular file counts as unreadable.
///
/// # Errors
/// As there, or the case has no bundles.
pub fn case_walks_agree(case: &Case) -> Result<usize, String> {
    let request = case.request(None);
    let document = |name: &str| request.docs.get(name).map(Vec::as_slice);
    let bundle = |name: &str| document(name).ok_or(format!("no document {name}"));
    let inputs = Inputs {
        bundle_a: bundle("bundle_a")?,
        bundle_b: bundle("bundle_b")?,
        registry: document("registry"),
        stage_order: document("stage_order"),
    };
    let files = entries(case).into_iter().filter_map(|(path, entry)| match entry {
        Entry::File(octets) => Some((path, octets)),
        Entry::Folder | Entry::Link(_) => None,
    });
    walks_agree(&inputs, &MemoryFiles(&files.collect()))
}

/// Demands that two reports are the same, diagnostics apart; the first is the oracle's.
///
/// # Errors
/// Both reports, or what does not hold of the verifier's by itself.
pub fn same(oracle: &str, verifier: &str) -> Result<Report, String> {
    let report = Report::read(verifier).map_err(|why| format!("{why}\n{verifier}"))?;
    if report.undiagnosed()? == oracle {
        return Ok(report);
    }
    Err(format!("oracle:   {oracle}\nverifier: {verifier}"))
}

/// Asks both sides about a pair, and demands one report; it is the verifier's.
///
/// # Errors
/// As [`same`], or the oracle broke.
pub fn agree(pair: &Pair, local: Option<&[u8]>) -> Result<Report, String> {
    same(&oracle(pair, local)?, &verifier(pair, local))
}

/// How often each status, surface and code was reported.
#[derive(Debug, Default)]
pub struct Tally(pub BTreeMap<String, u64>);

impl Tally {
    /// Counts what a report holds, each once.
    pub fn note(&mut self, report: &Report) {
        let codes = report.mismatches.iter().map(|row| row.reason_code.as_deref().unwrap_or("no code"));
        let surfaces = report.mismatches.iter().map(|row| row.surface.as_str());
        let found: std::collections::BTreeSet<&str> = codes.chain(surfaces).chain([report.status.as_str()]).collect();
        for what in found {
            *self.0.entry(what.to_owned()).or_default() += 1;
        }
    }
}
