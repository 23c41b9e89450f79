//! The fixture behind two pipes: `fixture [--fault NAME] [--envelopes]`, or `fixture --list`.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "it serves tests alone")]

#[path = "../tests/fixture/mod.rs"]
mod fixture;

use std::{
    env,
    io::{self, BufRead as _, Write as _},
};

use fixture::{FAULTS, Fixture, Reaction};

fn main() -> io::Result<()> {
    let words: Vec<String> = env::args().skip(1).collect();
    if words.iter().any(|word| word == "--list") {
        return FAULTS.iter().try_for_each(|fault| {
            let (from, to) = fault.shows;
            let besides = fault.besides.iter().map(|rule| format!(" {rule}")).collect::<String>();
            writeln!(io::stdout(), "{}: {}{besides}, {from} to {to}", fault.name, fault.rule)
        });
    }
    let named = words.iter().skip_while(|word| *word != "--fault").nth(1);
    let fault = named
        .map(|name| FAULTS.iter().find(|fault| fault.name == *name).ok_or_else(|| io::Error::other("no such fault")));
    let fault = fault.transpose()?;
    let envelopes = words.iter().any(|word| word == "--envelopes") || fault.is_some_and(|fault| fault.envelopes);
    let mut server = Fixture::with(fault.map_or("", |fault| fault.name), envelopes);
    for line in io::stdin().lock().split(b'\n') {
        for reaction in server.take(&line?) {
            let Reaction::Line(mut line) = reaction else { return Ok(()) };
            line.push(b'\n');
            io::stdout().write_all(&line)?;
            io::stdout().flush()?;
        }
    }
    Ok(())
}
