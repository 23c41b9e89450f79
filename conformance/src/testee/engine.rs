//! Runs a batch on one process after another: credit, clocks, and who is to blame.
//!
//! Contract: `contracts/interface/protocol.md`, Pipelining to Breaker. While a process lives, questions go out until as many are
//! outstanding as it allows, and again when it has answered half of them. When it breaks, everything that was in flight is asked
//! again, each case alone in a process of its own, and only that run assigns blame.

use std::{
    collections::{BTreeMap, VecDeque},
    path::Path,
    time::Duration,
};

use assize_corpus::{
    agreement::{Outcome, Terms, judge},
    disk::Folder,
    observe::{is_observed, observed},
    testee::{Answer, Output},
    trial::{self, Prepared},
    vector::Case,
};
use serde_json::Value;

use super::{
    Response,
    child::{Child, Item},
    flight::{Flight, Placed},
    process::StartError,
    session::{Broken, OpenError, Session, named},
    timing::AGAIN,
};
use crate::protocol::{
    decode::{Judged, TesteeFrame},
    encode,
};

/// The most cases that are outstanding, even if a testee allows more: each holds its frame and its folder.
const CREDIT: usize = 64;

/// A question on its way.
struct Sent {
    place: usize,
    digests: BTreeMap<String, String>,
    /// Removed when the answer is there.
    folder: Option<Folder>,
}

impl Placed for Sent {
    fn place(&self) -> usize {
        self.place
    }
}

/// Takes what came of the case at a place, and the time that counted against its limit.
type Respond<'r> = dyn FnMut(usize, Response, Duration) + 'r;

/// Runs a batch; every place gets a response, and the last one decides.
pub(super) fn run(child: &Child, batch: &[Item<'_>], purpose: &'static str, respond: &mut Respond<'_>) {
    let mut queue: VecDeque<usize> = (0..batch.len()).collect();
    while !queue.is_empty() {
        if let Some(reason) = child.halted() {
            for place in queue.drain(..) {
                respond(place, Response::NotRun(reason.clone()), Duration::ZERO);
            }
            return;
        }
        let mut session = match child.open(purpose) {
            Ok(session) => session,
            // Nothing is asked any more, and the log says why.
            Err(OpenError::Broken(Broken::Interrupted, _) | OpenError::Start(StartError::Short(_))) => continue,
            Err(error) => {
                let (message, stderr) = unopened(child, error);
                child.log.fault("crash", format!("a further process did not begin: {message}"), Vec::new(), stderr);
                continue;
            }
        };
        let mut flight = Flight::default();
        let Err(broken) = converse(child, &mut session, batch, &mut queue, &mut flight, respond) else {
            child.log.closed(session.close(child.setup.limits.case_ms));
            continue;
        };
        let (broken, row, ended) = session.abandon(broken);
        child.log.session(row, &ended);
        let repeated = flight.repeated();
        let mut suspects: Vec<usize> = flight.into_waiting().map(|sent| sent.place).collect();
        suspects.extend(repeated);
        suspects.sort_unstable();
        if broken == Broken::Interrupted {
            for place in suspects {
                respond(place, Response::NotRun("the run was broken off".to_owned()), Duration::ZERO);
            }
            continue;
        }
        child.log.count_end();
        let mut explained = false;
        for &place in &suspects {
            let Some(item) = batch.get(place) else { continue };
            let clock = &child.setup.launch.timing.clock;
            let began = clock.now();
            let response = alone(child, item);
            let took = clock.now().saturating_sub(began);
            let failed = matches!(response, Response::Crash(_) | Response::Timeout(_) | Response::Protocol(_));
            if repeated.is_none_or(|repeated| repeated == place) {
                explained |= failed;
            }
            // What was answered twice has its response; asked alone it can only get worse. What was altered shows nothing unless it
            // is seen to its end.
            if failed || repeated != Some(place) || item.alteration.is_some() {
                respond(place, response, took);
            }
        }
        if !explained {
            let cases = suspects.iter().filter_map(|place| batch.get(*place)).map(|item| item.case.id.clone());
            child.log.fault(broken.kind(), broken.message().to_owned(), cases.collect(), ended.stderr);
        }
    }
}

/// One process, until the queue is empty or the session breaks.
fn converse(
    child: &Child,
    session: &mut Session,
    batch: &[Item<'_>],
    queue: &mut VecDeque<usize>,
    flight: &mut Flight<Sent>,
    respond: &mut Respond<'_>,
) -> Result<(), Broken> {
    let credit = session.introduction().in_flight.clamp(1, CREDIT);
    let ms = child.setup.limits.case_ms;
    let mut since = session.now();
    loop {
        // Many at a time: each time that a question is handed over, somebody wakes up on either side of the pipe. The testee has
        // the other half to answer meanwhile.
        let idle = flight.waiting() == 0;
        if flight.waiting() <= credit / 2 {
            while flight.waiting() < credit
                && !child.stopped()
                && let Some(place) = queue.pop_front()
            {
                let Some(item) = batch.get(place) else { continue };
                match post(child, session, item, ms) {
                    Ok(Posted { id, digests, folder }) => flight.sent(id, Sent { place, digests, folder }),
                    Err(response) => respond(place, response, Duration::ZERO),
                }
            }
            let at = session.hand_over();
            if idle {
                since = at;
            }
        }
        if flight.waiting() == 0 {
            if child.stopped() && !queue.is_empty() {
                return Err(Broken::Interrupted);
            }
            return silent(session, flight, ms);
        }
        let frame = session.next(since, ms)?;
        let sent = claim(flight, &frame)?;
        let now = session.now();
        let took = now.saturating_sub(std::mem::replace(&mut since, now));
        let Some(item) = batch.get(sent.place) else { continue };
        respond(sent.place, answer(child, session, item, frame, &sent), took);
    }
}

/// Nothing may come without a question: what a testee says twice shows here, and not in some later case.
fn silent(session: &mut Session, flight: &mut Flight<Sent>, ms: u64) -> Result<(), Broken> {
    match session.barrier(ms)? {
        None => Ok(()),
        Some(frame) => claim(flight, &frame).map(|_| ()),
    }
}

/// The question that a frame answers.
fn claim(flight: &mut Flight<Sent>, frame: &TesteeFrame) -> Result<Sent, Broken> {
    flight.claim(frame).map_err(Broken::Protocol)
}

/// A case that was sent.
struct Posted {
    id: String,
    digests: BTreeMap<String, String>,
    folder: Option<Folder>,
}

/// Adds one case under a new opaque id to what is handed over next.
fn post(child: &Child, session: &mut Session, item: &Item<'_>, ms: u64) -> Result<Posted, Response> {
    let Prepared { mut request, folder } =
        trial::prepare_below(item.case, session.below()).map_err(|error| Response::unasked(&error))?;
    request.args = session.introduction().ops.spelled(&request.op, &request.args).into_owned();
    let (id, digests) = (child.fresh_id(), encode::digests(&request));
    let frame = encode::case(&id, &request, &digests, ms).map_err(|error| Response::NotRun(error.to_string()))?;
    if let Some(alteration) = item.alteration {
        child.plant(&id, item.case, alteration);
    }
    session.send(frame).map_err(Response::NotRun)?;
    Ok(Posted { id, digests, folder })
}

/// What a frame says about its case; receipts are compared on the way.
fn answer(child: &Child, session: &mut Session, item: &Item<'_>, frame: TesteeFrame, sent: &Sent) -> Response {
    let mut answer = match frame {
        TesteeFrame::Answer(judged) => {
            let original = child.original(&judged.id);
            // Receipts are for what the testee wrote.
            let written = match &original {
                Some(Ok(TesteeFrame::Answer(written))) => written,
                _ => &judged,
            };
            if let Err(message) = session.count(written, &sent.digests) {
                child.log.receipt(Some(item.case.id.clone()), message);
            }
            let terms = item.alteration.map(|alteration| &alteration.terms);
            if original.is_some() && !passed(item.case, written.clone(), sent.folder.as_ref(), terms) {
                return Response::Changed;
            }
            seen(item.case, judged, sent.folder.as_ref())
        }
        TesteeFrame::Unsupported { feature, .. } => Answer::Unsupported { feature },
        TesteeFrame::Fault { kind, message, .. } => Answer::Fault { kind, message },
        other => return Response::Protocol(format!("{} came unasked", named(&other))),
    };
    if let Some(folder) = &sent.folder {
        rootless(&mut answer, folder);
    }
    hide(&mut answer, session.scratch(), "<tmp>");
    Response::Answer(answer)
}

/// Whether an answer passes as it was written. Whoever alters one that does not learns nothing about the harness.
fn passed(case: &Case, written: Judged, folder: Option<&Folder>, terms: Option<&Terms>) -> bool {
    let mut answer = seen(case, written, folder);
    if let Some(folder) = folder {
        rootless(&mut answer, folder);
    }
    judge(case, &answer, terms.unwrap_or(&Terms::default())).outcome == Outcome::Pass
}

/// What a testee answered, with what is observed of it while its folder is still there.
pub(crate) fn seen(case: &Case, judged: Judged, folder: Option<&Folder>) -> Answer {
    let answer = judged.into_answer(&case.op);
    // The question is a copy of all that goes in: it is made for those alone who look at it.
    if !is_observed(&case.op) {
        return answer;
    }
    observed(&case.request(folder.map(|folder| folder.here().to_path_buf())), answer)
}

/// Takes the case's folder out of an answer: its name is new each time, and belongs to no result.
pub(crate) fn rootless(answer: &mut Answer, folder: &Folder) {
    hide(answer, folder.path(), "<root>");
}

/// Replaces a path whose name is new each time by a fixed word.
fn hide(answer: &mut Answer, path: &Path, with: &str) {
    let Some(path) = path.to_str() else { return };
    let out = match answer {
        Answer::Accept { out } => out,
        Answer::Reject { codes, out } => {
            if codes.iter().any(|code| code.contains(path)) {
                *codes = codes.iter().map(|code| code.replace(path, with)).collect();
            }
            out
        }
        Answer::Unsupported { feature: text } | Answer::Fault { message: text, .. } => {
            *text = text.replace(path, with);
            return;
        }
    };
    for output in out.values_mut() {
        match output {
            Output::Doc(text) if text.contains(path) => *text = text.replace(path, with),
            Output::Value(value) => strip(value, path, with),
            _ => {}
        }
    }
}

fn strip(value: &mut Value, root: &str, with: &str) {
    match value {
        Value::String(text) if text.contains(root) => *text = text.replace(root, with),
        Value::Array(items) => items.iter_mut().for_each(|item| strip(item, root, with)),
        Value::Object(members) => members.values_mut().for_each(|member| strip(member, root, with)),
        _ => {}
    }
}

/// One case in a process of its own; one that times out there is tried again with more time. Where an answer is to be held back, a
/// time-out is the harness's doing only if there was an answer each time.
fn alone(child: &Child, item: &Item<'_>) -> Response {
    let is_held_back = item.alteration.is_some_and(|alteration| alteration.kind.outcome() == Outcome::Timeout);
    match timed(child, item) {
        Response::Timeout(_) if is_held_back && !child.answered_all() => {
            Response::NotRun("the testee did not give the answer that was to be held back".to_owned())
        }
        response => response,
    }
}

fn timed(child: &Child, item: &Item<'_>) -> Response {
    let ms = child.setup.limits.case_ms;
    let response = attempt(child, item, ms);
    let Response::Timeout(_) = response else {
        return response;
    };
    if let Some(reason) = child.halted() {
        return Response::NotRun(reason);
    }
    match attempt(child, item, ms.saturating_mul(AGAIN)) {
        Response::Answer(_) => {
            Response::Timeout(format!("slow: no answer within the limit, one within {AGAIN} times it"))
        }
        Response::Timeout(_) => Response::Timeout(format!("hung: no answer within {AGAIN} times the limit")),
        // What was seen stays seen, where the system has no process for a second look.
        Response::NotRun(_) if child.log.short().is_some() => response,
        other => other,
    }
}

pub(super) fn attempt(child: &Child, item: &Item<'_>, ms: u64) -> Response {
    if let Some(reason) = child.halted() {
        return Response::NotRun(reason);
    }
    let mut session = match begin(child, item, "alone") {
        Ok(session) => session,
        Err(response) => return response,
    };
    match exchange(child, &mut session, item, ms) {
        Ok(response) => {
            child.log.closed(session.close(child.setup.limits.case_ms));
            response
        }
        Err(broken) => blamed(child, session, item, broken),
    }
}

/// A new process for one case, which is to blame if the process does not begin, unless the system has none to give.
pub(super) fn begin(child: &Child, item: &Item<'_>, purpose: &'static str) -> Result<Session, Response> {
    child.open(purpose).map_err(|error| match error {
        OpenError::Broken(Broken::Interrupted, _) => Response::NotRun("the run was broken off".to_owned()),
        OpenError::Start(error @ StartError::Short(_)) => Response::NotRun(error.to_string()),
        error => {
            let (message, stderr) = unopened(child, error);
            child.log.evidence(&item.case.id, message.clone(), stderr);
            Response::Crash(format!("a process of its own did not begin: {message}"))
        }
    })
}

/// Asks one question and reads its answer; nothing may come after it without a question.
pub(super) fn exchange(child: &Child, session: &mut Session, item: &Item<'_>, ms: u64) -> Result<Response, Broken> {
    let mut flight = Flight::default();
    let Posted { id, digests, folder } = match post(child, session, item, ms) {
        Ok(posted) => posted,
        Err(response) => return Ok(response),
    };
    flight.sent(id, Sent { place: 0, digests, folder });
    let at = session.hand_over();
    let frame = session.next(at, ms)?;
    let sent = claim(&mut flight, &frame)?;
    let response = answer(child, session, item, frame, &sent);
    silent(session, &mut flight, ms)?;
    Ok(response)
}

/// Ends a session that broke over one case alone, which is to blame.
pub(super) fn blamed(child: &Child, session: Session, item: &Item<'_>, broken: Broken) -> Response {
    let (broken, row, ended) = session.abandon(broken);
    child.log.session(row, &ended);
    let message = broken.message().to_owned();
    if broken != Broken::Interrupted {
        child.log.count_end();
        child.log.evidence(&item.case.id, message.clone(), ended.stderr);
    }
    match broken {
        Broken::Crash(_) => Response::Crash(message),
        Broken::Timeout(_) => Response::Timeout(message),
        Broken::Protocol(_) => Response::Protocol(message),
        Broken::Interrupted => Response::NotRun(message),
    }
}

/// Counts the end of a process that never said hello.
fn unopened(child: &Child, error: OpenError) -> (String, String) {
    child.log.count_end();
    match error {
        OpenError::Start(error) => (error.to_string(), String::new()),
        OpenError::Refused(why, ended) => {
            child.log.unopened(&ended);
            (format!("it refuses: {why}"), ended.stderr)
        }
        OpenError::Broken(broken, ended) => {
            child.log.unopened(&ended);
            (broken.message().to_owned(), ended.stderr)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_path_that_is_new_each_time_stands_nowhere_in_an_answer() {
        let hidden = |mut answer: Answer| {
            hide(&mut answer, Path::new("/scratch/k-1"), "<tmp>");
            answer
        };
        let value = |text: &str| Output::Value(serde_json::json!([{"deep": text}]));
        let out = |text: &str| [("a", Output::Doc(text.to_owned())), ("b", value(text))];
        assert_eq!(hidden(Answer::accept(out("in /scratch/k-1/x"))), Answer::accept(out("in <tmp>/x")));
        let coded = |code: &str| Answer::Reject { codes: BTreeSet::from([code.to_owned()]), out: BTreeMap::new() };
        assert_eq!(hidden(coded("/scratch/k-1")), coded("<tmp>"));
        let fault = |message: &str| Answer::Fault { kind: "panic".to_owned(), message: message.to_owned() };
        assert_eq!(hidden(fault("no /scratch/k-1/y")), fault("no <tmp>/y"));
    }
}
