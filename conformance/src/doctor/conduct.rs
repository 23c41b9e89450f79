//! What careless harnesses and bad networks do: documents left out, operations made up, frames in two parts, nonsense.
//!
//! Contract: `contracts/interface/protocol.md`, Frames, Outcomes and Clocks.

use std::{thread, time::Duration};

use assize_corpus::{testee::Request, trial::Prepared};
use serde_json::Map;

use super::{
    Clinic, Finding, Topic, questions,
    talk::{Halt, Parting},
};
use crate::{
    protocol::decode::{self, TesteeFrame},
    testee::session::{named, quoted},
};

pub(super) const TOPICS: &[Topic] = &[
    Topic {
        name: "planted-panic",
        rule: 5,
        why: "an exception that ends the process costs every case in flight, and is a CRASH where a fault would do",
        make: planted_panic,
    },
    Topic {
        name: "unknown-operation",
        rule: 1,
        why: "a shim that judges what it does not know turns a gap into a verdict",
        make: unknown_operation,
    },
    Topic {
        name: "stall",
        rule: 6,
        why: "a frame may arrive in parts and late: a line is complete at its line feed, and not when a read returns",
        make: stall,
    },
    Topic {
        name: "bad-line",
        rule: 1,
        why: "after a line that is not a frame nothing can be trusted, and a quiet end would look like a good one",
        make: bad_line,
    },
];

fn planted_panic(clinic: &mut Clinic<'_>) -> Finding {
    const REMEDY: &str = "catch whatever the implementation throws, around the call for one case, answer \
                          {\"t\":\"fault\",\"id\":ID,\"kind\":\"panic\",\"message\":TEXT}, and read on";
    let Prepared { request, folder: _folder } = match questions::plain(clinic) {
        Ok(prepared) => prepared,
        Err(finding) => return finding,
    };
    let emptied = request.docs.keys().map(|name| (name.clone(), Vec::new())).collect();
    let attempts = [
        ("its documents left out", Request { docs: Default::default(), root: None, ..request.clone() }),
        ("empty documents", Request { docs: emptied, ..request.clone() }),
        (
            "its documents and arguments left out",
            Request { docs: Default::default(), root: None, args: Map::new(), op: request.op.clone() },
        ),
    ];
    let needs_documents = !request.docs.is_empty();
    clinic.converse(REMEDY, |talk| {
        for (number, (what, request)) in (1..).zip(&attempts) {
            let outcome = |halt| match halt {
                Halt::Ended(awaited) => Halt::Ended(format!("{awaited} ({} with {what})", request.op)),
                Halt::Expired(awaited) => Halt::Expired(format!("{awaited} ({} with {what})", request.op)),
                other => other,
            };
            if let TesteeFrame::Answer(judged) = talk.ask(request).map_err(outcome)?
                && judged.is == decode::Verdict::Accept
                && needs_documents
            {
                let observed = format!("{} with {what} is accepted", request.op);
                return Ok(Finding::broken(
                    observed,
                    "reject what lies outside the operation's domain (A_INPUT, A_JSON), or answer `fault`",
                ));
            }
            talk.ping(number).map_err(outcome)?;
        }
        Ok(Finding::holds("documents and arguments left out are answered, and it lives on"))
    })
}

fn unknown_operation(clinic: &mut Clinic<'_>) -> Finding {
    const REMEDY: &str = "look the operation up in what you declared; for any other answer \
                          {\"t\":\"unsupported\",\"id\":ID,\"feature\":OP} and read on";
    const OP: &str = "no-such-system.no-such-operation";
    let request =
        Request { op: OP.to_owned(), args: Map::new(), docs: [("doc".to_owned(), b"{}".to_vec())].into(), root: None };
    clinic.converse(REMEDY, |talk| {
        let frame = talk.ask(&request)?;
        talk.ping(1)?;
        Ok(match frame {
            TesteeFrame::Unsupported { .. } => {
                Finding::holds("an operation that does not exist is unsupported, and it lives on")
            }
            TesteeFrame::Fault { kind, message, .. } => {
                Finding::warning(format!("an operation that does not exist gives a fault: {kind}: {message}"), REMEDY)
            }
            other => Finding::broken(format!("an operation that does not exist gives {}", named(&other)), REMEDY),
        })
    })
}

fn stall(clinic: &mut Clinic<'_>) -> Finding {
    const PAUSE: Duration = Duration::from_millis(300);
    const REST: Duration = Duration::from_millis(800);
    let Prepared { request, folder: _folder } = match questions::plain(clinic) {
        Ok(prepared) => prepared,
        Err(finding) => return finding,
    };
    let remedy =
        "read until a line feed, however many reads that takes, and wait for input without a deadline of your own";
    clinic.converse(remedy, |talk| {
        let mut start = talk.draw_up(&request)?;
        let rest = start.split_off(start.len() / 2);
        talk.send_part(start);
        thread::sleep(PAUSE);
        talk.send_part(rest);
        match talk.reply()?.frame {
            TesteeFrame::Answer(_) => {}
            other => return Ok(Finding::broken(format!("a case sent in two parts gives {}", named(&other)), remedy)),
        }
        thread::sleep(REST);
        talk.ping(2)?;
        Ok(Finding::holds("a case in two parts, 300 ms apart, is one case; a pause after it does no harm"))
    })
}

fn bad_line(clinic: &mut Clinic<'_>) -> Finding {
    const REMEDY: &str =
        "when a line is not a frame, write what is wrong with it to standard error and exit with a code that is not 0";
    let mut talk = match clinic.open() {
        Ok(talk) => talk,
        Err(finding) => return finding,
    };
    talk.send_part(b"this line is not a frame\n".to_vec());
    let (lines, closed) = talk.drain();
    let (ended, notes) = talk.finish(if closed { Parting::Silent } else { Parting::Hung });
    clinic.take(notes, ended.orphans.clone());
    if let Some(line) = lines.first() {
        let what = match decode::read(line) {
            Ok(frame) => format!("is answered by {}", named(&frame)),
            Err(_) => format!("makes it print to standard output: {}", quoted(line)),
        };
        return Finding::broken(format!("a line that is not a frame {what}"), REMEDY);
    }
    let Some(status) = ended.status.filter(|_| closed) else {
        clinic.expired += 1;
        return Finding::broken("after a line that is not a frame, and the end of the input, it does not end", REMEDY);
    };
    if status.success() {
        return Finding::broken("after a line that is not a frame it exits with 0, as if all were well", REMEDY);
    }
    if status.code().is_none() {
        return Finding::warning(format!("a line that is not a frame ends it: {}", ended.described), REMEDY);
    }
    if ended.stderr.trim().is_empty() {
        let observed =
            format!("a line that is not a frame ends it ({}) without a word on standard error", ended.described);
        return Finding::warning(observed, REMEDY);
    }
    Finding::holds(format!("a line that is not a frame ends it with {} and a message", ended.described))
}
