//! Verbs, arguments and help texts.
//!
//! A verb parses its arguments, opens files, calls the library and renders; what it finds out is the library's. Every
//! verb ends by the one table of [`Exit`].

mod audit;
mod bench;
mod bundle;
mod canon;
mod certify;
mod challenge;
mod codes;
mod compare;
mod difference;
mod doctor;
mod drift;
mod emission;
mod emit;
mod engine;
mod errata;
mod error;
mod expectations;
mod explain;
mod gallery;
mod golden;
mod graph;
mod harness;
mod indent;
mod init;
mod input;
mod interrupt;
mod kernel;
mod keygen;
mod laws;
mod ledger;
mod minimise;
mod output;
mod pack;
mod probe;
mod progress;
mod questions;
mod record;
mod reply;
mod ruling;
mod sealing;
mod seen;
mod shell;
mod sign;
mod sovereign;
mod sweep;
mod terminal;
mod testee;
mod threads;
mod vectors;
mod verify;
mod verify_certificate;

use std::{env, ffi::OsString, panic};

use assize::exit::Exit;
use clap::{Command, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum};

use error::CliError;

const EXITS: &str = "\
Exit codes, for every verb:
   0  lawful, equivalent, conforms
   1  findings, divergent, violates
   2  integrity failure, or stale expectations
   3  no answer: unreadable input, aborted comparison, incomplete run
   4  testee unusable
  64  wrong usage
  70  a bug of assize

Environment:
  NO_COLOR  when set and not empty, no colours";

/// Holds implementations of replayable, fail-closed agent kernels to the written law.
#[derive(Debug, Parser)]
#[command(name = "assize", version, after_help = EXITS, max_term_width = 110, infer_long_args = true)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    Certify(certify::Args),
    Challenge(challenge::Args),
    Bench(bench::Args),
    Gallery(gallery::Args),
    Doctor(doctor::Args),
    Probe(probe::Args),
    Minimise(minimise::Args),
    Sign(sign::Args),
    VerifyCertificate(verify_certificate::Args),
    Keygen(keygen::Args),
    Sweep(sweep::Args),
    Drift(drift::Args),
    Bundle(bundle::Args),
    Sovereign(sovereign::Args),
    #[command(alias = "episode")]
    Pack(pack::Args),
    Ledger(ledger::Args),
    Engine(engine::Args),
    Kernel(kernel::Args),
    Reply(reply::Args),
    Canon(canon::Args),
    Laws(laws::Args),
    Codes(codes::Args),
    Errata(errata::Args),
    Explain(explain::Args),
    Vectors(vectors::Args),
    Emit(emit::Args),
    Init(init::Args),
    Expectations(expectations::Args),
    Testee(testee::Args),
    Completions(shell::Completions),
    Man(shell::Man),
    // What was a verb of its own before it was one of an artefact. The old names stay, and say nothing of their own.
    #[command(hide = true)]
    Compare(compare::Args),
    #[command(hide = true)]
    Audit(audit::Args),
    #[command(hide = true)]
    Record(record::Args),
    #[command(hide = true)]
    Verify(verify::Args),
    #[command(subcommand, hide = true)]
    Lint(Lint),
}

/// Look over files of a project; it is `reply lint` now.
#[derive(Debug, Subcommand)]
enum Lint {
    Replies(reply::lint::Args),
}

/// How the answer is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people.
    Human,
    /// For machines; stable.
    Json,
}

/// Runs the verb that the command line names.
pub(crate) fn main() -> Exit {
    match panic::catch_unwind(run) {
        Ok(exit) => exit,
        // The panic hook has said where.
        Err(_) => CliError::bug("assize broke off").show(),
    }
}

/// What the command line says. The languages are read for the help that lists them alone.
fn parse() -> Result<Cli, clap::Error> {
    let mut command = Cli::command();
    if env::args_os().any(|argument| argument == "init") {
        command = command.mut_subcommand("init", |init| init.after_help(init::help()));
    }
    let arguments = spelled_now(&command, env::args_os().collect());
    Cli::from_arg_matches(&command.try_get_matches_from(arguments)?)
}

/// `bundle TURNS ...` is `bundle make TURNS ...` now: the only former verb that has become a group of its name. It is told from a
/// mistyped verb by an option that `make` owes.
fn spelled_now(command: &Command, mut arguments: Vec<OsString>) -> Vec<OsString> {
    let owed = |argument: &OsString| {
        let option = argument.to_str().and_then(|text| text.split('=').next()).unwrap_or_default();
        option.len() > 2 && "--workflow".starts_with(option)
    };
    if let [_, bundle, first, ..] = arguments.as_slice()
        && bundle == "bundle"
        && command.find_subcommand(bundle).is_some_and(|bundle| bundle.find_subcommand(first).is_none())
        && arguments.iter().any(owed)
    {
        arguments.insert(2, "make".into());
    }
    arguments
}

fn run() -> Exit {
    let cli = match parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Nothing is left to say when even this cannot be written.
            let _ = error.print();
            return if error.use_stderr() { Exit::Usage } else { Exit::Conforms };
        }
    };
    threads::prepare();
    let done = match cli.verb {
        Verb::Certify(args) => certify::run(&args),
        Verb::Challenge(args) => challenge::run(&args),
        Verb::Bench(args) => bench::run(&args),
        Verb::Gallery(args) => gallery::run(&args),
        Verb::Doctor(args) => doctor::run(&args),
        Verb::Probe(args) => probe::run(&args),
        Verb::Minimise(args) => minimise::run(&args),
        Verb::Sign(args) => sign::run(&args),
        Verb::VerifyCertificate(args) => verify_certificate::run(&args),
        Verb::Keygen(args) => keygen::run(&args),
        Verb::Sweep(args) => sweep::run(&args),
        Verb::Drift(args) => drift::run(&args),
        Verb::Bundle(args) => bundle::run(&args),
        Verb::Sovereign(args) => sovereign::run(&args),
        Verb::Pack(args) => pack::run(&args),
        Verb::Ledger(args) => ledger::run(&args),
        Verb::Engine(args) => engine::run(&args),
        Verb::Kernel(args) => kernel::run(&args),
        Verb::Reply(args) => reply::run(&args),
        Verb::Canon(args) => canon::run(&args),
        Verb::Laws(args) => laws::run(&args),
        Verb::Codes(args) => codes::run(&args),
        Verb::Errata(args) => errata::run(&args),
        Verb::Explain(args) => explain::run(&args),
        Verb::Vectors(args) => vectors::run(&args),
        Verb::Emit(args) => emit::run(&args),
        Verb::Init(args) => init::run(&args),
        Verb::Expectations(args) => expectations::run(&args),
        Verb::Testee(args) => testee::run(&args),
        Verb::Completions(args) => shell::completions(&args),
        Verb::Man(args) => shell::man(&args),
        Verb::Compare(args) => compare::run(&args),
        Verb::Audit(args) => audit::run(&args),
        Verb::Record(args) => record::run(&args),
        Verb::Verify(args) => verify::run(&args),
        Verb::Lint(Lint::Replies(args)) => reply::lint::run(&args),
    };
    done.unwrap_or_else(|error| error.show())
}

#[cfg(test)]
mod tests {
    use clap::error::ErrorKind;

    use super::*;

    /// Every verb below a command, however deep, has help with what it needs.
    fn check(command: &Command, path: &[&str]) {
        let asked = [path, &["--help"]].concat();
        let help = Cli::try_parse_from(&asked).unwrap_err();
        assert_eq!((help.kind(), help.use_stderr()), (ErrorKind::DisplayHelp, false), "{asked:?}");
        let text = help.to_string();
        assert!(text.contains("Usage: assize"), "{asked:?}: {text}");
        let mut below = command.get_subcommands().peekable();
        if below.peek().is_none() {
            assert!(text.contains("Example") && text.contains("Exit codes:"), "{asked:?}: {text}");
        }
        for verb in below {
            check(verb, &[path, &[verb.get_name()]].concat());
        }
    }

    #[test]
    fn a_bundle_is_made_by_its_former_spelling_too() {
        let spelled = |line: &str| {
            let words = line.split(' ').map(OsString::from).collect();
            let words = spelled_now(&Cli::command(), words);
            words.iter().map(|word| word.to_str().unwrap()).collect::<Vec<_>>().join(" ")
        };
        let old = "assize bundle t.json --run r --workflow=w --digests d";
        assert_eq!(spelled(old), old.replace("bundle", "bundle make"));
        assert_eq!(spelled("assize bundle --workf w t.json"), "assize bundle make --workf w t.json");
        for now in [
            "assize bundle make t.json --workflow w",
            "assize bundle comapre a b",
            "assize bundle",
            "assize bundle make --help",
        ] {
            assert_eq!(spelled(now), now);
        }
    }

    #[test]
    fn every_verb_has_help_with_what_it_needs() {
        let command = Cli::command();
        command.clone().debug_assert();
        assert!(command.get_subcommands().count() > 20);
        check(&command, &["assize"]);
    }
}
