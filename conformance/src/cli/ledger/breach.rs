//! Where a ledger is broken, for people and for machines.

use assize::report::Paint;
use assize_verifier::authority::{Breach, Chain, Level};
use serde::Serialize;

use super::output;

/// Both for machines. Members are stable.
#[derive(Serialize)]
pub(super) struct ChainDocument<'a> {
    records: u64,
    bytes: u64,
    last_record_hash: Option<&'a str>,
}

impl<'a> From<&'a Chain> for ChainDocument<'a> {
    fn from(chain: &'a Chain) -> Self {
        Self { records: chain.records, bytes: chain.bytes, last_record_hash: chain.last_hash.as_deref() }
    }
}

#[derive(Serialize)]
pub(super) struct BreachDocument<'a> {
    level: &'static str,
    record: u64,
    member: Option<&'a str>,
    offset: u64,
    stored: Option<&'a str>,
    expected: Option<&'a str>,
    finding: serde_json::Value,
}

impl<'a> From<&'a Breach> for BreachDocument<'a> {
    fn from(breach: &'a Breach) -> Self {
        Self {
            level: breach.level.name(),
            record: breach.record,
            member: member(breach),
            offset: breach.offset,
            stored: breach.stored.as_deref(),
            expected: breach.expected.as_deref(),
            finding: output::finding(&breach.finding),
        }
    }
}

/// The place inside the record, as the rest of a pointer; none if it is the record as a whole.
pub(super) fn member(breach: &Breach) -> Option<&str> {
    breach.finding.pointer.as_str().trim_start_matches('/').split_once('/').map(|(_, member)| member)
}

/// The line of the verdict on a chain.
pub(super) fn headline(name: &str, chain: &Chain, paint: Paint) -> String {
    match &chain.breach {
        Some(breach) => broken(name, breach, paint),
        // An emptied ledger looks like one that was never written to.
        None if chain.records == 0 => {
            format!("{}: {}: {}\n", paint.strong("nothing judged"), output::clean(name), size(chain))
        }
        None => format!("{}: {}: {}\n", paint.good("valid"), output::clean(name), size(chain)),
    }
}

/// The line of the verdict on a broken ledger.
pub(super) fn broken(name: &str, breach: &Breach, paint: Paint) -> String {
    let (name, place) = (output::clean(name), place(breach));
    format!("{}: {name}: {place}: {}\n", paint.bad("broken"), breach.finding.law)
}

/// A chain in full.
pub(super) fn report(name: &str, chain: &Chain, paint: Paint) -> String {
    let mut text = headline(name, chain, paint);
    match (&chain.breach, &chain.last_hash) {
        (Some(breach), _) => text.push_str(&details(chain, breach)),
        (None, Some(hash)) => text.push_str(&format!("  last record_hash  {}\n", output::clean(hash))),
        (None, None) => {
            text.push_str("  there is no record: a chain without one holds, and so does a ledger that was emptied\n")
        }
    }
    text
}

/// What is known about the first broken place.
pub(super) fn details(chain: &Chain, breach: &Breach) -> String {
    let mut rows = vec![
        ("level", breach.level.name().to_owned()),
        ("record", format!("{} (the first is 0), at byte {}", breach.record, breach.offset)),
        ("problem", output::start(&breach.finding.message).into_owned()),
    ];
    let shown = |value: &String| output::middle(value).into_owned();
    rows.extend(breach.stored.as_ref().map(|stored| ("stored", shown(stored))));
    rows.extend(breach.expected.as_ref().map(|expected| ("expected", shown(expected))));
    rows.push(("ledger", size(chain)));
    rows.push(("help", help(breach)));
    rows.iter().map(|(name, value)| format!("  {name:<10}{}\n", output::clean(value))).collect()
}

fn help(breach: &Breach) -> String {
    let law = breach.finding.law;
    let advice = match (breach.level, law.slug()) {
        (Level::Chain, "authority/record-shape") => {
            "a record has seven members: v, ts, kind, parent, payload, payload_hash, record_hash"
        }
        (Level::Chain, "authority/canonical-form") => "no kernel writes such a value: compare with another copy",
        (Level::Chain, _) => "compare the record and the one before it with another copy; what follows is not judged",
        (Level::Derivation, "authority/commit-source") => {
            "name the proposal's own source and confidence with --source and --confidence"
        }
        (Level::Derivation, "authority/run-records") => "the chain holds, and this is not the ledger of one whole run",
        (Level::Derivation, _) => "the chain holds: either the run was recorded so, or all hashes were made anew",
    };
    format!("{advice}; `assize laws {law}` states the law")
}

fn place(breach: &Breach) -> String {
    match member(breach) {
        Some(member) => format!("record {}, {}", breach.record, output::clean(&output::middle(member))),
        None => format!("record {}", breach.record),
    }
}

fn size(chain: &Chain) -> String {
    let records = output::counted(chain.records, "record", "records");
    format!("{records}, {}", output::counted(chain.bytes, "byte", "bytes"))
}
