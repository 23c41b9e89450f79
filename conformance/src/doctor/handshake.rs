//! Hello, versions, unknown members, pings.
//!
//! Contract: `contracts/interface/protocol.md`, Handshake.

use std::time::{Duration, Instant};

use assize_corpus::{operation, trial::Prepared};
use serde_json::{Value, json};

use super::{
    Clinic, Finding, Topic, questions,
    talk::{Halt, Notes, Parting, Talk, greeting},
};
use crate::{
    protocol::{Introduction, decode::TesteeFrame},
    suggest,
    testee::{Setup, session::named},
    words::counted,
};

/// The check that comes before all others.
pub(super) const HELLO: Topic = Topic {
    name: "hello",
    rule: 1,
    why: "a testee that does not introduce itself cannot be asked anything",
    make: |_| Finding::skipped("made once, at the start"),
};

pub(super) const TOPICS: &[Topic] = &[
    Topic {
        name: "declaration",
        rule: 1,
        why: "only what is declared is asked: a misspelt operation is never tested, and nobody notices",
        make: declaration,
    },
    Topic {
        name: "unknown-members",
        rule: 1,
        why: "a later harness may say more in a frame; a testee that refuses it ends with the next release",
        make: unknown_members,
    },
    Topic {
        name: "other-versions",
        rule: 1,
        why: "a testee that greets back in a version it was not offered would be misread without a word",
        make: other_versions,
    },
    Topic { name: "ping", rule: 1, why: "a pong is how a harness tells a slow testee from a dead one", make: ping },
];

/// Starts the first process and reads what it says about itself; without that nothing else can be tried.
pub(super) fn meet(setup: &Setup) -> (Finding, Option<Introduction>, Notes, String) {
    const REMEDY: &str =
        "read one line from standard input, answer it with one hello frame on standard output, and flush";
    let begun = Instant::now();
    let mut talk = match Talk::start(setup) {
        Ok(talk) => talk,
        Err(error) => {
            let finding = Finding::unstarted(&error, "give the command as you would type it, after --");
            return (finding, None, Notes::default(), String::new());
        }
    };
    match talk.greet(setup) {
        Ok(met) => {
            let took = begun.elapsed();
            // A goodbye that is missing shows in every conversation after this one.
            let _ = talk.say_goodbye();
            let (_, notes) = talk.finish(Parting::Hung);
            (introduced(&met, took), Some(met), notes, String::new())
        }
        Err(halt) => {
            let (ended, notes) = talk.finish(halt.parting());
            let mut finding = Finding::broken(halt.described(&ended), remedy(&halt).unwrap_or(REMEDY));
            finding
                .observed
                .extend(notes.frames.iter().filter(|line| **line != halt.described(&ended)).take(3).cloned());
            (finding, None, notes, ended.stderr)
        }
    }
}

fn remedy(halt: &Halt) -> Option<&'static str> {
    match halt {
        Halt::Ended(_) => {
            Some("stay alive: read standard input line by line until bye or its end, and say hello first")
        }
        Halt::Expired(_) => Some(
            "answer the hello frame with one of your own and flush standard output: a buffer that waits to be full is the \
             usual reason; a start that takes long needs a longer --timeout",
        ),
        Halt::Conduct(message) if message.starts_with("it refuses") => {
            Some("version 1 lies within the range [1,1] that is offered in `proto`: answer with \"proto\":1")
        }
        Halt::Conduct(message) if message.contains("in_flight 0") => {
            Some("set in_flight to 1, or to as many as you can hold")
        }
        Halt::Conduct(_) => None,
    }
}

fn introduced(met: &Introduction, took: Duration) -> Finding {
    let shim = met.shim.as_ref().map(|shim| ("shim", shim));
    for (what, named) in [("testee", &met.testee)].into_iter().chain(shim) {
        if named.name.trim().is_empty() || named.version.trim().is_empty() {
            let observed = format!("{what} has name {:?} and version {:?}", named.name, named.version);
            return Finding::broken(observed, "give both: a report has to say what was tested");
        }
    }
    let (who, most) = (&met.testee, met.in_flight);
    Finding::holds(format!(
        "{} {} says hello after {} ms and takes {} at a time",
        who.name,
        who.version,
        took.as_millis(),
        counted(most, "case", "cases")
    ))
}

fn declaration(clinic: &mut Clinic<'_>) -> Finding {
    let (mut observed, mut remedy) = (Vec::new(), Vec::new());
    let mut odd = |what: String, name: &str, known: Vec<&str>| {
        remedy.push(match suggest::matches(name, known.iter().copied(), 3).as_slice() {
            [] if known.is_empty() => format!("leave {name:?} out"),
            [] => format!("use one of {}", known.join(", ")),
            near => format!("for {name:?}, did you mean {}?", near.join(", ")),
        });
        observed.push(what);
    };
    let table = operation::table();
    let mut useful = 0;
    for (op, args) in clinic.introduction.ops.operations() {
        let Some(known) = table.find(op) else {
            odd(
                format!("{op:?} is not an operation"),
                op,
                table.operations.iter().map(|op| op.name.as_str()).collect(),
            );
            continue;
        };
        useful += 1;
        for (name, values) in args {
            let Some(argument) = known.args.iter().find(|argument| argument.name == *name) else {
                let names = known.args.iter().map(|argument| argument.name.as_str()).collect();
                odd(format!("{op} has no argument {name:?}"), name, names);
                continue;
            };
            if values.is_empty() {
                odd(format!("{op} is declared for no value of {name}, so it is never asked"), name, Vec::new());
            }
            let Some(listed) = &argument.values else { continue };
            let listed: Vec<&str> = listed.iter().filter_map(Value::as_str).collect();
            for value in values.iter().filter(|value| !listed.contains(&argument.meant(value))) {
                odd(format!("{op} has no {name} {value:?}"), value, listed.clone());
            }
        }
    }
    if useful == 0 {
        observed.push("no known operation is declared, so nothing is ever asked".to_owned());
        remedy.push(
            "declare in `ops` what you implement, as in {\"canon.bytes\":{\"profile\":[\"rfc8785\"]}}".to_owned(),
        );
        return Finding { observed, remedy, ..Finding::broken("", "") };
    }
    if observed.is_empty() {
        let operations = counted(useful, "operation", "operations");
        return Finding::holds(format!("{operations}, every name and value known"));
    }
    Finding { observed, remedy, ..Finding::warning("", "") }
}

fn unknown_members(clinic: &mut Clinic<'_>) -> Finding {
    const REMEDY: &str = "read the members that you need and skip the others; do not reject unknown names";
    let Prepared { request, folder: _folder } = match questions::plain(clinic) {
        Ok(prepared) => prepared,
        Err(finding) => return finding,
    };
    let setup = clinic.setup;
    let mut talk = match Talk::start(setup) {
        Ok(talk) => talk,
        Err(error) => return Finding::unstarted(&error, REMEDY),
    };
    let outcome = talk.greet_with(with_more(&greeting(setup)), setup).and_then(|_| {
        let frame = talk.draw_up(&request)?;
        talk.send(with_more(&frame));
        match talk.reply()?.frame {
            TesteeFrame::Answer(_) => talk.say_goodbye(),
            other => Err(Halt::Conduct(format!("{} came where the same case is answered without them", named(&other)))),
        }
    });
    match outcome {
        Ok(()) => {
            let (ended, notes) = talk.finish(Parting::Goodbye);
            clinic.take(notes, ended.orphans);
            Finding::holds("skipped in hello and in a case")
        }
        Err(halt) => clinic.halted(talk, &halt, REMEDY),
    }
}

/// A frame with one more member at its end, and nothing else changed.
fn with_more(frame: &[u8]) -> Vec<u8> {
    let mut more = frame.trim_ascii_end().to_vec();
    more.pop();
    more.extend_from_slice(br#","x-later":{"nested":[null,{"t":"later"}]}}"#);
    more
}

fn other_versions(clinic: &mut Clinic<'_>) -> Finding {
    const REMEDY: &str = "when your version is not between the two numbers of `proto`, write \
                          {\"t\":\"refuse\",\"why\":\"proto\",\"supported\":[1]} and exit with 0";
    let setup = clinic.setup;
    let mut talk = match Talk::start(setup) {
        Ok(talk) => talk,
        Err(error) => return Finding::unstarted(&error, REMEDY),
    };
    let received = talk.first(offering(&greeting(setup), json!([90, 99])), setup, "a refusal of versions 90 to 99");
    // A greeting in version 1 is not a frame to the harness either, no matter which versions were offered.
    let line = match received {
        Ok((TesteeFrame::Refuse { .. }, line)) => line,
        Ok((other, _)) => {
            let halt = Halt::Conduct(format!("versions 90 to 99 are offered, and {} comes", named(&other)));
            return clinic.halted(talk, &halt, REMEDY);
        }
        Err(halt) => return clinic.halted(talk, &halt, REMEDY),
    };
    let (_, closed) = talk.drain();
    let (ended, notes) = talk.finish(if closed { Parting::Silent } else { Parting::Hung });
    clinic.take(notes, ended.orphans.clone());
    let refusal: Value = serde_json::from_slice(&line).unwrap_or_default();
    if !ended.status.is_some_and(|status| status.success()) {
        return Finding::broken(
            format!("after refuse: {}", ended.described),
            "exit with 0: a refusal is not a failure",
        );
    }
    let supported = refusal.get("supported").and_then(Value::as_array);
    if supported.is_none_or(|supported| !supported.iter().any(|version| version == 1)) {
        let observed = "refuse does not list version 1 in `supported`, which it speaks";
        return Finding::warning(observed, "list every version that you speak, as in \"supported\":[1]");
    }
    Finding::holds("versions 90 to 99 are refused, and it exits with 0")
}

/// The first frame with other versions.
fn offering(greeting: &[u8], versions: Value) -> Vec<u8> {
    let mut frame: Value = serde_json::from_slice(greeting).unwrap_or_default();
    if let Some(proto) = frame.get_mut("proto") {
        *proto = versions;
    }
    serde_json::to_vec(&frame).unwrap_or_default()
}

fn ping(clinic: &mut Clinic<'_>) -> Finding {
    clinic.converse(
        "answer {\"t\":\"ping\",\"n\":N} by {\"t\":\"pong\",\"n\":N} with the same number, and flush",
        |talk| {
            for n in [17, 0, -3, 1 << 40] {
                talk.ping(n)?;
            }
            Ok(Finding::holds("four pings come back with their numbers"))
        },
    )
}
