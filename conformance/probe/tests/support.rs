//! Servers without a process: what is not there yet never comes, so that a wait ends at once.

use std::collections::VecDeque;

use assize_probe::{
    Event, Options, Report, Start, Wire,
    plan::{CONTRACT, Plan},
    probe,
    wire::Ended,
};

use crate::fixture::{Fixture, Reaction};

/// What a server does with a line.
pub(crate) type Take = Box<dyn FnMut(&[u8]) -> Vec<Event>>;

/// Starts servers, each by the same function.
pub(crate) struct Servers(pub(crate) Box<dyn FnMut() -> Take>);

struct Pipe {
    take: Take,
    events: VecDeque<Event>,
}

impl Start for Servers {
    fn start(&mut self) -> Result<Box<dyn Wire>, String> {
        Ok(Box::new(Pipe { take: (self.0)(), events: VecDeque::new() }))
    }

    fn patience(&self, first: bool) -> String {
        if first { "a while" } else { "no time" }.to_owned()
    }
}

impl Wire for Pipe {
    fn send(&mut self, line: &[u8]) {
        assert!(!line.contains(&b'\n'), "a message is one line");
        self.events.extend((self.take)(line));
    }

    fn next(&mut self) -> Event {
        match self.events.front() {
            Some(Event::End | Event::Overlong) => self.events.front().cloned().unwrap(),
            _ => self.events.pop_front().unwrap_or(Event::Expired),
        }
    }

    fn begin(&mut self) {}

    fn end(self: Box<Self>) -> Ended {
        Ended { how: "exit code 0".to_owned(), ..Ended::default() }
    }
}

/// Fixtures with a fault.
pub(crate) fn fixtures(fault: &'static str, envelopes: bool) -> Servers {
    Servers(Box::new(move || {
        let mut fixture = Fixture::with(fault, envelopes);
        Box::new(move |line| {
            let reactions = fixture.take(line);
            let events = reactions.into_iter().map(|reaction| match reaction {
                Reaction::Line(line) => Event::Line(line),
                Reaction::End => Event::End,
            });
            events.collect()
        })
    }))
}

/// A probe of all tools in one revision.
pub(crate) fn probed(mut servers: Servers, revision: &str) -> Report {
    probe(&mut servers, &Options { yes: true, revisions: vec![revision.to_owned()], ..Options::default() })
}

/// A plan without calls.
pub(crate) fn nothing() -> Plan {
    Plan { contract: CONTRACT.to_owned(), ..Plan::default() }
}
