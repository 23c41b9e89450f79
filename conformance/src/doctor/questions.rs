//! Cases: one for each declared operation, many at once, the same again, a large one, one with a false digest.
//!
//! Contract: `contracts/interface/protocol.md`, Receipts, Pipelining, Outcomes and State.

use std::collections::BTreeMap;

use assize_corpus::{
    agreement::{Terms, judge},
    disk::Folder,
    testee::Answer,
    trial::{self, Prepared},
    vector::{Case, Verdict},
};
use assize_verifier::digest::Digest;

use super::{
    Clinic, Finding, State, Topic,
    talk::{Halt, Talk},
};
use crate::{
    protocol::{decode::TesteeFrame, encode},
    testee::{
        engine::{rootless, seen},
        session::named,
    },
    words::{counted, plural},
};

pub(super) const TOPICS: &[Topic] = &[
    Topic {
        name: "answers",
        rule: 5,
        why: "the smallest cases of every declared operation fail in the shim far more often than in the implementation",
        make: answers,
    },
    Topic {
        name: "pipelining",
        rule: 4,
        why: "a harness sends as many cases ahead as `in_flight` allows; one that is lost costs the whole session",
        make: pipelining,
    },
    Topic {
        name: "repeats",
        rule: 8,
        why: "a run asks everything twice in two orders: what a process remembers of earlier cases makes it unstable",
        make: repeats,
    },
    Topic {
        name: "large-frame",
        rule: 1,
        why: "lines reach 8 MiB: a fixed line buffer cuts a document in two",
        make: large_frame,
    },
    Topic {
        name: "computed-receipts",
        rule: 3,
        why: "a receipt that is copied from the question does not show that the document arrived",
        make: computed_receipts,
    },
];

/// What was said as an answer to a case, with what is observed of it, without the name of the case's folder.
fn answer(frame: TesteeFrame, case: &Case, folder: Option<&Folder>) -> Result<Answer, Halt> {
    let mut answer = match frame {
        TesteeFrame::Answer(judged) => seen(case, judged, folder),
        TesteeFrame::Unsupported { feature, .. } => Answer::Unsupported { feature },
        TesteeFrame::Fault { kind, message, .. } => Answer::Fault { kind, message },
        other => return Err(Halt::Conduct(format!("{} came instead of an answer", named(&other)))),
    };
    if let Some(folder) = folder {
        rootless(&mut answer, folder);
    }
    Ok(answer)
}

/// Puts a case; nothing when it cannot be laid out on this system.
fn put(talk: &mut Talk, case: &Case) -> Result<Option<Answer>, Halt> {
    let Ok(Prepared { request, folder }) = trial::prepare_below(case, talk.below()) else { return Ok(None) };
    let frame = talk.ask(&request)?;
    answer(frame, case, folder.as_ref()).map(Some)
}

/// Where an answer and its case differ, as a report shows it.
fn mismatch(name: &str, case: &Case, answer: &Answer) -> Option<String> {
    let judgement = judge(case, answer, &Terms::default());
    if judgement.holds() {
        return None;
    }
    let places = judgement.note.iter().cloned().chain(judgement.mismatches.iter().take(3).map(ToString::to_string));
    let places: Vec<_> = places.collect();
    Some(format!("{name}: {} {}: {}", judgement.outcome, case.id, places.join("; ")))
}

fn answers(clinic: &mut Clinic<'_>) -> Finding {
    const REMEDY: &str = "answer what is declared, and declare only that; see the case with `assize explain ID`, and ask it alone \
                          with `assize certify --filter ID -- COMMAND`";
    /// Processes that may end over it.
    const ENDS: usize = 3;
    let sample = clinic.sample;
    let slots = sample.slots.iter();
    let cases: Vec<(&str, &Case)> = slots
        .flat_map(|slot| slot.accepted.into_iter().chain(slot.rejected).map(|case| (slot.name.as_str(), case)))
        .collect();
    let (mut troubles, mut at, mut ends) = (Vec::new(), 0, 0);
    while at < cases.len() && ends < ENDS {
        let spoken = clinic.converse(REMEDY, |talk| {
            while let Some((name, case)) = cases.get(at) {
                at += 1;
                if let Some(answer) = put(talk, case)? {
                    troubles.extend(mismatch(name, case, &answer));
                }
            }
            Ok(Finding::holds(""))
        });
        match spoken.state {
            State::Skipped => return spoken,
            State::Broken => {
                let (name, id) =
                    at.checked_sub(1).and_then(|at| cases.get(at)).map_or(("", ""), |(name, case)| (*name, &*case.id));
                troubles.push(format!("{name}: {id}: {}", spoken.observed.join("; ")));
                ends += 1;
            }
            State::Holds | State::Warning => {}
        }
    }
    if cases.is_empty() {
        return Finding::skipped("no case of the corpus lies within what is declared");
    }
    let bare: Vec<_> =
        sample.slots.iter().filter(|slot| slot.accepted.is_none()).map(|slot| slot.name.as_str()).collect();
    let count = cases.len();
    let mut holds = format!(
        "{count} {} answered rightly",
        plural(count, "case, over all that is declared, is", "cases, over all that is declared, are")
    );
    if !bare.is_empty() {
        holds.push_str(&format!("; the corpus has no accepted case for {}", bare.join(", ")));
    }
    Finding::unless(&troubles, holds, REMEDY)
}

fn pipelining(clinic: &mut Clinic<'_>) -> Finding {
    const MOST: usize = 64;
    let (crowd, credit) = (&clinic.sample.crowd, clinic.introduction.in_flight.clamp(1, MOST));
    if crowd.is_empty() {
        return Finding::skipped("no case of the corpus lies within what is declared");
    }
    let remedy = "answer every case exactly once, under its own id, and keep reading while you answer; if that is hard, declare \
                  \"in_flight\":1";
    clinic.converse(remedy, |talk| {
        let mut queue = crowd.iter();
        let (mut waiting, mut wrong, mut promises) = (BTreeMap::new(), Vec::new(), Vec::new());
        loop {
            while talk.outstanding() < credit
                && let Some(case) = queue.next()
            {
                let Ok(Prepared { request, folder }) = trial::prepare_below(case, talk.below()) else { continue };
                waiting.insert(talk.post(&request)?, (*case, folder));
            }
            if talk.outstanding() == 0 {
                break;
            }
            let reply = talk.reply()?;
            let Some((case, folder)) = waiting.remove(&reply.id) else { continue };
            let answer = answer(reply.frame, case, folder.as_ref())?;
            let list = if matches!(answer, Answer::Unsupported { .. }) { &mut promises } else { &mut wrong };
            list.extend(mismatch("", case, &answer).map(|text| text.trim_start_matches(": ").to_owned()));
        }
        // A second answer to the last case shows here.
        talk.ping(1)?;
        let most = if credit == 1 { "one at a time".to_owned() } else { format!("up to {credit} at a time") };
        let holds = format!("{}, {most}: each is answered", counted(crowd.len(), "case", "cases"));
        if !promises.is_empty() {
            return Ok(Finding::unless(
                &promises,
                holds,
                "declare only what is answered: `unsupported` for a declared operation fails",
            ));
        }
        let Some(first) = wrong.first() else { return Ok(Finding::holds(holds)) };
        let observed = format!("{holds}, but {} not as the corpus says, as {first}", wrong.len());
        Ok(Finding::warning(
            observed,
            "`assize certify` lists them all: this is about the implementation, or about how the shim calls it",
        ))
    })
}

fn repeats(clinic: &mut Clinic<'_>) -> Finding {
    const MOST: usize = 24;
    let crowd: Vec<_> = clinic.sample.crowd.iter().take(MOST).copied().collect();
    if crowd.is_empty() {
        return Finding::skipped("no case of the corpus lies within what is declared");
    }
    let remedy = "begin every case afresh: no list, cache or default may live on from one case to the next";
    clinic.converse(remedy, |talk| {
        let mut first = Vec::new();
        for case in &crowd {
            first.push(put(talk, case)?);
        }
        // Other neighbours the second time: in reverse order, and grouped by verdict.
        let mut again: Vec<_> = crowd.iter().zip(&first).rev().collect();
        again.sort_by_key(|(case, _)| case.expect.is == Verdict::Reject);
        let mut troubles = Vec::new();
        for (case, before) in again {
            if put(talk, case)? != *before {
                troubles.push(format!("{} is answered otherwise the second time, in another order", case.id));
            }
        }
        Ok(Finding::unless(
            &troubles,
            format!("{}, asked twice in two orders: all is answered alike", counted(crowd.len(), "case", "cases")),
            remedy,
        ))
    })
}

/// An accepted case with documents, laid out.
fn prepared(clinic: &Clinic<'_>) -> Result<Prepared, Finding> {
    let Some(case) = clinic.sample.with_documents() else {
        return Err(Finding::skipped("no declared operation takes a document"));
    };
    trial::prepare_below(case, clinic.below).map_err(|error| Finding::skipped(error.to_string()))
}

fn large_frame(clinic: &mut Clinic<'_>) -> Finding {
    const LENGTH: usize = 2 << 20;
    let mut prepared = match prepared(clinic) {
        Ok(prepared) => prepared,
        Err(finding) => return finding,
    };
    let document = format!("\"{}\"", "a".repeat(LENGTH - 2)).into_bytes();
    if let Some(first) = prepared.request.docs.values_mut().next() {
        *first = document;
    }
    let remedy = "read lines of any length up to `limits.line` of hello, and write answers of that length without waiting to be \
                  read to their end";
    clinic.converse(remedy, |talk| {
        let frame = talk.ask(&prepared.request)?;
        Ok(match frame {
            TesteeFrame::Answer(_) => Finding::holds("a document of 2 MiB is answered"),
            TesteeFrame::Fault { kind, message, .. } => Finding::warning(
                format!("a document of 2 MiB gives a fault: {kind}: {message}"),
                "answer it, or reject it with A_LIMIT if the operation's limits say so",
            ),
            other => Finding::broken(
                format!("a document of 2 MiB gives {}", named(&other)),
                "answer it: the operation is declared",
            ),
        })
    })
}

fn computed_receipts(clinic: &mut Clinic<'_>) -> Finding {
    const REMEDY: &str = "decode `b64`, take SHA-256 of the bytes that you hand to the implementation, and write that into `seen`; \
                          where it is not the stated digest, answer `fault`";
    let Prepared { request, folder: _folder } = match prepared(clinic) {
        Ok(prepared) => prepared,
        Err(finding) => return finding,
    };
    let truth = encode::digests(&request);
    let stated: BTreeMap<_, _> =
        truth.keys().map(|name| (name.clone(), Digest::of(b"another document").to_hex())).collect();
    clinic.converse(REMEDY, |talk| {
        let frame = talk.draw_up_with(&request, &stated, None)?;
        talk.send(frame);
        Ok(match talk.reply()?.frame {
            TesteeFrame::Fault { .. } => Finding::holds("a document with a false digest gives a fault"),
            TesteeFrame::Answer(judged) if judged.seen == truth => {
                Finding::holds("a document with a false digest is receipted with its true one")
            }
            TesteeFrame::Answer(judged) if judged.seen.iter().any(|(name, seen)| stated.get(name) == Some(seen)) => {
                Finding::broken("a document was sent with a false digest, and `seen` repeats the false one", REMEDY)
            }
            TesteeFrame::Answer(judged) => {
                Finding::broken(format!("seen is {:?}, the document has {truth:?}", judged.seen), REMEDY)
            }
            other => Finding::broken(format!("{} came where a document has a false digest", named(&other)), REMEDY),
        })
    })
}

/// An accepted case, laid out.
pub(super) fn plain(clinic: &Clinic<'_>) -> Result<Prepared, Finding> {
    let Some(case) = clinic.sample.plain() else {
        return Err(Finding::skipped("no case of the corpus lies within what is declared"));
    };
    trial::prepare_below(case, clinic.below).map_err(|error| Finding::skipped(error.to_string()))
}
