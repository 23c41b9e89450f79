//! Whether the answers are those of an implementation at all.
//!
//! A shim that cannot reach its library faults at everything, or says one thing whatever it is asked. To charge that to the library
//! would condemn the innocent.

use assize_corpus::{
    agreement::Outcome,
    lint::accepted,
    testee::{self, Testee as _},
};

use super::{Seen, null::Null};

/// Cases of each side that have to be asked before one answer to all of them says something.
const ENOUGH: usize = 10;

/// Why the answers say nothing; nothing where they may be an implementation's.
pub(super) fn broken(seen: &[Seen<'_>]) -> Option<String> {
    let asked: Vec<&Seen<'_>> = seen
        .iter()
        .filter(|seen| !matches!(seen.judgement.outcome, Outcome::NotApplicable | Outcome::NotRun))
        .collect();
    let first = asked.first()?;
    if asked.len() >= ENOUGH && asked.iter().all(|seen| seen.judgement.outcome == Outcome::Fault) {
        let said = first.judgement.note.as_deref().unwrap_or_default();
        return Some(format!("the shim is broken: every case that was asked faults ({said})"));
    }
    let accepting = asked.iter().filter(|seen| accepted(seen.case)).count();
    if accepting < ENOUGH || asked.len() - accepting < ENOUGH {
        return None;
    }
    // A refusal of everything with one and the same codes, whichever they are.
    let rejects = |seen: &&Seen<'_>| seen.rejected && seen.answer == first.answer;
    if asked.iter().all(rejects) {
        return Some("the shim is broken: everything is refused, with the same codes".to_owned());
    }
    let same = |null: &mut Null| {
        asked.iter().all(|seen| {
            let answer = null.answer(&seen.case.request(None));
            seen.answer == Some(testee::digest(&answer))
        })
    };
    // Not the one that has looked at the expectations: within one law it answers as a testee does that forgets what the law is about.
    let null = Null::blind().into_iter().find_map(|mut null| same(&mut null).then_some(null))?;
    Some(format!("the shim is broken: every answer is that of a testee that looks at nothing ({})", null.name()))
}
