//! Kinds of artefacts: which verb judges each, and what its line may say.

use assize::{
    exit::Exit,
    suggest,
    sweep::{Asked, First, Judged, Needs, Refused},
};
use assize_archives::Held;
use assize_verifier::{
    finding::{Finding, Severity},
    reply::Judgement,
    threads::Threads,
};

use super::{
    super::{CliError, audit, compare, kernel, ledger, output, reply, seen::Seen, verify},
    request::{self, Kind, Request, Root, Takes},
};

use Takes::{Nothing, Path, Text};

/// All kinds.
pub(super) const KINDS: [Kind; 9] = [
    Kind {
        name: "pair",
        verb: "bundle compare",
        paths: 2,
        folder: false,
        options: &[("mode", Text), ("root", Path), ("registry", Path), ("stage-order", Path)],
        judge: pair,
    },
    Kind {
        name: "turn",
        verb: "bundle audit",
        paths: 1,
        folder: false,
        options: &[("attempts", Path), ("profile", Text), ("registry", Path)],
        judge: turn,
    },
    Kind {
        name: "pack",
        verb: "pack verify",
        paths: 1,
        folder: true,
        options: &[
            ("pack-only", Nothing),
            ("require-claims", Nothing),
            ("signer", Text),
            ("numbers", Text),
            ("now", Text),
        ],
        judge: pack,
    },
    Kind { name: "ledger", verb: "ledger verify", paths: 1, folder: false, options: &[("layout", Text)], judge: chain },
    Kind {
        name: "run",
        verb: "ledger replay",
        paths: 1,
        folder: false,
        options: &[("layout", Text), ("source", Text), ("confidence", Text)],
        judge: run,
    },
    Kind {
        name: "home",
        verb: "kernel audit",
        paths: 1,
        folder: true,
        options: &[("before", Path), ("operation", Text), ("outcome", Text)],
        judge: home,
    },
    Kind { name: "registry", verb: "kernel registry", paths: 1, folder: false, options: &[], judge: registry },
    Kind { name: "envelope", verb: "reply envelope", paths: 1, folder: false, options: &[], judge: envelope },
    Kind { name: "trace", verb: "reply trace", paths: 1, folder: false, options: &[], judge: trace },
];

/// What is read of an archive for a line; none where it leads into none.
pub(super) fn needs(asked: &Asked, root: &Root) -> Option<Needs> {
    understood(asked, root, None).ok()?.needs()
}

/// Judges what a line asks, as its verb does, with what was read of an archive for it.
pub(super) fn judge(asked: &Asked, root: &Root, read: Option<(&Needs, &Held)>) -> Judged {
    let seen = Seen::by_somebody(read.map(|(needs, held)| request::inside(needs, held)));
    let archive = read.map(|(needs, _)| needs.archive.as_path());
    let judged = understood(asked, root, archive).and_then(|request| (request.kind.judge)(&request, &seen));
    match judged {
        Ok(judged) => Judged { digests: seen.digests(), ..judged },
        Err(error) => {
            // A line that asks for what no verb does is a line that cannot be read.
            let exit = if error.exit() == Exit::Usage { Exit::NoAnswer } else { error.exit() };
            Judged::refused(exit, Refused::new(error.to_string(), error.advice()))
        }
    }
}

fn understood<'a>(
    asked: &'a Asked,
    root: &'a Root,
    archive: Option<&'a std::path::Path>,
) -> Result<Request<'a>, CliError> {
    let names = KINDS.iter().map(|kind| kind.name);
    let Some(kind) = KINDS.iter().find(|kind| kind.name == asked.kind) else {
        let near = suggest::matches(&asked.kind, names, 3);
        return Err(CliError::unknown("kind of artefact", &asked.kind, &near, "assize sweep --help"));
    };
    if asked.paths.len() != kind.paths {
        let (given, wanted) = (asked.paths.len(), kind.paths);
        let message = format!("a {} has {wanted} of `paths`, not {given}", kind.name);
        return Err(CliError::usage(message, "`assize sweep --help` lists the kinds"));
    }
    Ok(Request { kind, asked, root, archive })
}

fn pair(request: &Request<'_>, seen: &Seen) -> Result<Judged, CliError> {
    let args: compare::Args = request.parsed(&[])?;
    let report = compare::judge(&args, Threads::Caller, seen)?.report;
    let mut judged = Judged::new(report.status.name(), compare::exit(&report));
    for row in &report.rows {
        let explained = row.diagnostic.as_ref();
        judged.add(First {
            law: explained.map(|diagnostic| diagnostic.law.to_owned()),
            code: row.reason.map(str::to_owned),
            place: compare::place(row),
            message: explained.map_or("differs".to_owned(), |diagnostic| shown(&diagnostic.message)),
        });
    }
    Ok(judged)
}

fn turn(request: &Request<'_>, seen: &Seen) -> Result<Judged, CliError> {
    let (findings, exit) = audit::judge(&request.parsed(&[])?, seen)?;
    Ok(lawful(&findings, exit))
}

fn pack(request: &Request<'_>, seen: &Seen) -> Result<Judged, CliError> {
    let args: verify::Args = request.parsed(&["--quiet"])?;
    let (judged, exit) = verify::alone(&args, seen)?;
    let (mut row, findings) = match judged.end {
        verify::End::Unreadable(error) => return Err(error),
        verify::End::Pack(found) => (Judged::new(verify::label(&args, &found), exit), found.findings),
        verify::End::Episode(found, _) => (Judged::new(found.verdict.name(), exit), found.findings),
    };
    for found in &findings {
        let place = match found.finding.pointer.as_str() {
            "" => found.file.clone(),
            pointer => format!("{}: {pointer}", found.file),
        };
        count(&mut row, &found.finding, &place);
    }
    Ok(row)
}

fn chain(request: &Request<'_>, seen: &Seen) -> Result<Judged, CliError> {
    let (_, chain, exit) = ledger::verify::judge(&request.parsed(&["--quiet", "--jobs=1"])?, seen)?;
    let verdict = match exit {
        Exit::Conforms => "valid",
        Exit::NoAnswer => "nothing judged",
        _ => "broken",
    };
    let mut row = Judged::new(verdict, exit);
    if let Some(breach) = &chain.breach {
        count(&mut row, &breach.finding, breach.finding.pointer.as_str());
    }
    Ok(row)
}

fn run(request: &Request<'_>, seen: &Seen) -> Result<Judged, CliError> {
    let (_, replay, exit) = ledger::replay::judge(&request.parsed(&["--quiet", "--jobs=1"])?, seen)?;
    Ok(match &replay.outcome {
        Ok(derived) => {
            let mut row = Judged::new(derived.outcome.name(), exit);
            row.warnings = derived.advisories.len() as u64;
            row
        }
        Err(breach) => {
            let mut row = Judged::new("broken", exit);
            count(&mut row, &breach.finding, breach.finding.pointer.as_str());
            row
        }
    })
}

fn home(request: &Request<'_>, seen: &Seen) -> Result<Judged, CliError> {
    let (findings, exit) = kernel::audit::judge(&request.parsed(&[])?, seen)?;
    Ok(lawful(&findings, exit))
}

fn registry(request: &Request<'_>, seen: &Seen) -> Result<Judged, CliError> {
    let (_, found, exit) = kernel::registry::judge(&request.parsed(&[])?, seen)?;
    let findings: Vec<_> = found.into_iter().map(|found| found.finding).collect();
    Ok(lawful(&findings, exit))
}

fn envelope(request: &Request<'_>, seen: &Seen) -> Result<Judged, CliError> {
    let (_, found, exit) = reply::envelope::judge(&request.parsed(&[])?, seen)?;
    Ok(replied(&found, exit))
}

fn trace(request: &Request<'_>, seen: &Seen) -> Result<Judged, CliError> {
    let (_, _, trace, exit) = reply::trace::judge(&request.parsed(&[])?, seen)?;
    Ok(replied(&trace.judgement, exit))
}

fn replied(found: &Judgement, exit: Exit) -> Judged {
    let findings = found.findings.iter().map(|breach| &breach.finding).chain(&found.advice);
    lawful(findings, exit)
}

fn lawful<'f>(findings: impl IntoIterator<Item = &'f Finding>, exit: Exit) -> Judged {
    let mut row = Judged::new(if exit == Exit::Conforms { "lawful" } else { "unlawful" }, exit);
    for finding in findings {
        count(&mut row, finding, finding.pointer.as_str());
    }
    row
}

fn count(row: &mut Judged, finding: &Finding, place: &str) {
    match finding.severity {
        Severity::Warning => row.warnings += 1,
        Severity::Error => row.add(First {
            law: Some(finding.law.slug().to_owned()),
            code: finding.code.map(str::to_owned),
            place: output::clean(&output::middle(place)).into_owned(),
            message: shown(&finding.message),
        }),
    }
}

/// A text that may quote a document.
fn shown(text: &str) -> String {
    output::clean(&output::start(text)).into_owned()
}

#[cfg(test)]
mod tests {
    use assize_corpus::store;
    use clap::CommandFactory as _;
    use serde_json::Value;

    use super::*;

    #[test]
    fn kinds_are_those_of_the_contract() {
        let schema = store::embedded("contracts/interface/sweep.schema.json").unwrap();
        let schema: Value = serde_json::from_slice(schema).unwrap();
        let names: Vec<_> = KINDS.iter().map(|kind| kind.name).collect();
        assert_eq!(schema["$defs"]["kind"]["enum"], serde_json::json!(names));
    }

    /// An option that a verb gains is either a line's too or one of those that write, show or divide the work.
    #[test]
    fn options_are_those_of_the_verb() {
        const NOT_OF_A_LINE: [&str; 6] = ["format", "output", "out", "quiet", "jobs", "help"];
        for kind in KINDS {
            let mut command = crate::cli::Cli::command();
            for word in kind.verb.split(' ') {
                command = command.find_subcommand(word).unwrap().clone();
            }
            let of_verb = command.get_arguments().filter_map(|argument| argument.get_long());
            let mut of_verb: Vec<_> = of_verb.filter(|name| !NOT_OF_A_LINE.contains(name)).collect();
            let mut of_line: Vec<_> = kind.options.iter().map(|(name, _)| *name).collect();
            of_verb.sort_unstable();
            of_line.sort_unstable();
            assert_eq!(of_line, of_verb, "{}", kind.name);
        }
    }
}
