//! The end of the input, and what all conversations have shown together.
//!
//! Contract: `contracts/interface/protocol.md`, Handshake, Receipts, Pipelining and Containment.

use super::{Clinic, Finding, Topic, chain::Difference, talk::Parting};
use crate::{testee::session::quoted, words::counted};

/// Made last: all but the first look back.
pub(super) const TOPICS: &[Topic] = &[
    Topic {
        name: "end-of-input",
        rule: 6,
        why: "a harness that is killed says no goodbye; whoever waits for one lives on for ever",
        make: end_of_input,
    },
    Topic {
        name: "frames",
        rule: 1,
        why: "standard output is the protocol alone: one print of a library, and the session is a bad frame",
        make: frames,
    },
    Topic {
        name: "ids",
        rule: 4,
        why: "answers are matched by id: a repeated or unknown one ends the session",
        make: ids,
    },
    Topic {
        name: "receipts",
        rule: 3,
        why: "without receipts nobody knows that the bytes which were sent are those that were judged; no certificate is issued",
        make: receipts,
    },
    Topic {
        name: "goodbye",
        rule: 3,
        why: "served and chain show that no answer was lost or made up on the way; a difference blocks a certificate",
        make: goodbye,
    },
    Topic {
        name: "children",
        rule: 9,
        why: "a process that outlives its session holds files, ports and memory of the machine that runs the tests",
        make: children,
    },
];

fn end_of_input(clinic: &mut Clinic<'_>) -> Finding {
    const REMEDY: &str =
        "treat the end of standard input as the end of the session: leave the reading loop and exit with 0";
    let mut talk = match clinic.open() {
        Ok(talk) => talk,
        Err(finding) => return finding,
    };
    let (lines, closed) = talk.drain();
    let (ended, notes) = talk.finish(if closed { Parting::Silent } else { Parting::Hung });
    clinic.take(notes, ended.orphans.clone());
    if let Some(line) = lines.first() {
        clinic.notes.frames.push(format!("at the end of the input: {}", quoted(line)));
    }
    match ended.status.filter(|_| closed) {
        None => {
            clinic.expired += 1;
            Finding::broken("it does not end when its input does", REMEDY)
        }
        Some(status) if status.success() => Finding::holds("it ends when its input does"),
        Some(_) => Finding::warning(format!("it ends when its input does, with {}", ended.described), REMEDY),
    }
}

fn frames(clinic: &mut Clinic<'_>) -> Finding {
    let remedy = "write frames alone to standard output, one object a line, each with the members that the protocol names; send \
                  prints, banners and logs to standard error";
    Finding::unless(
        &clinic.notes.frames,
        "standard output carries frames alone, and none that was not asked for",
        remedy,
    )
}

fn ids(clinic: &mut Clinic<'_>) -> Finding {
    if clinic.notes.replies == 0 && clinic.notes.ids.is_empty() {
        return Finding::skipped("no case was answered");
    }
    let holds = format!("{}, each answered once and under its own id", counted(clinic.notes.replies, "case", "cases"));
    Finding::unless(&clinic.notes.ids, holds, "answer each case once, and repeat its id letter by letter")
}

fn receipts(clinic: &mut Clinic<'_>) -> Finding {
    if clinic.notes.receipted == 0 && clinic.notes.receipts.is_empty() {
        return Finding::skipped("no case was answered");
    }
    let remedy = "for every document in `in`, write SHA-256 of the decoded bytes into `seen` under the same name, as 64 lower-case \
                  hexadecimal digits; in rejections too";
    Finding::unless(
        &clinic.notes.receipts,
        format!("{} answers, each with its receipts", clinic.notes.receipted),
        remedy,
    )
}

fn goodbye(clinic: &mut Clinic<'_>) -> Finding {
    let (times, answers) = clinic.notes.parted;
    if times == 0 && clinic.notes.goodbyes.is_empty() {
        return Finding::skipped("no conversation came as far as bye");
    }
    let remedy = "count each `answer` as it is written and carry the chain on with it; answer bye with both, flush, and exit with 0";
    let holds = format!("{times} goodbyes over {answers} answers, each with the right count and chain");
    // The same mistake shows at every goodbye: once is enough.
    let mut mistakes: Vec<(&Difference, usize)> = Vec::new();
    for difference in &clinic.notes.goodbyes {
        match mistakes.iter_mut().find(|(known, _)| known.mistake == difference.mistake) {
            Some((_, count)) => *count += 1,
            None => mistakes.push((difference, 1)),
        }
    }
    let outcome = mistakes.iter().map(|(difference, count)| {
        let Difference { observed, mistake } = difference;
        format!("{observed}: {mistake}{}", if *count > 1 { format!(" ({count} times)") } else { String::new() })
    });
    Finding::unless(&outcome.collect::<Vec<_>>(), holds, remedy)
}

fn children(clinic: &mut Clinic<'_>) -> Finding {
    let left: Vec<_> =
        clinic.notes.children.iter().map(|command| format!("left behind, and ended: {command}")).collect();
    Finding::unless(
        &left,
        "nothing is left behind",
        "end and wait for every process that you start, before you answer bye",
    )
}
