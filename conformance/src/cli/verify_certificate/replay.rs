//! The run of a certificate, made again.

use std::path::PathBuf;

use assize::{
    certificate::{self, Certified, Claim, DigestPair, Grounds, ReplayPlan, ReportFile, RuntimeClaim, Seed, Tables},
    certification::{Command, Order},
    exit::Exit,
    laps::Laps,
    report,
    runner::Plan,
    selection::Selection,
    suite::Suite,
    testee::{Timing, TransportKind},
};
use assize_corpus::{agreement::Terms, store::Store};

use super::{Args, Check, few, found};
use crate::cli::{certify, error::CliError, harness::harness};

/// What is said about the files of the testee.
const FILES: [&str; 2] = ["/predicate/assize/command/subject", "/predicate/assize/command/runtime"];

/// Makes the run again with the seed of the certificate and with one of its own, and adds what came of it.
pub(super) fn replay(
    args: &Args,
    certified: &Certified,
    built_in: &[DigestPair],
    grounds: Grounds<'_>,
    before: Option<&ReportFile>,
    checks: &mut Vec<Check>,
) -> Result<Exit, CliError> {
    let plan = certificate::replay_plan(certified);
    match (plan.transport, args.command.is_empty()) {
        (TransportKind::Process, true) => {
            let help = format!("add `-- COMMAND`; the run was made with {:?}", plan.argv);
            return Err(CliError::usage("--replay needs the command that was certified", help));
        }
        (TransportKind::InProcess, false) => {
            let help = "leave out `-- COMMAND`: it is made again without one";
            return Err(CliError::usage("the certificate is about the built-in verifier", help));
        }
        _ => {}
    }
    if plan.expectations_sha256.is_some() && args.expectations.is_none() {
        let help = "add --expectations FILE, with the file of the run";
        return Err(CliError::usage("the run had an expectations file, and --replay needs it", help));
    }
    if plan.configured && args.config.is_none() {
        let help = "add --config FILE, with the file of the run";
        return Err(CliError::usage(
            "a configuration file gave the run's working folder or variables of its environment, and --replay needs it",
            help,
        ));
    }
    let other: Vec<_> = built_in.iter().filter(|pair| !pair.same).map(|pair| pair.name).collect();
    if !other.is_empty() {
        let message =
            format!("{}: cannot be replayed: built in here is another {}", args.file.display(), other.join(", "));
        let help = format!("use assize {}, with which it was made", certified.claim().harness.version);
        return Err(CliError::unreadable(message, help));
    }
    // The report of another run cannot tell which cases had another outcome.
    let before = before.filter(|report| report.digest == certified.claim().report_sha256);
    let again = run_again(args, &plan, grounds.suite, plan.seed)?;
    let found = certificate::replay_differences(certified, &again, grounds, &harness()?, before, Seed::Recorded);
    let recorded = check(Seed::Recorded, plan.seed, found, before.is_some(), certified.claim());
    let seed = fresh(plan.seed)?;
    let store = Store::embedded();
    let mut suite = Suite::load(&store).map_err(CliError::bug)?;
    // Questions that nobody could know beforehand, whether or not the run had any; a part of the corpus has none of its own.
    if plan.challenged || !certified.claim().is_partial() {
        suite.challenge(&seed.to_string(), plan.each, &selection(args, &plan)?);
    }
    let tables = Tables::new(&suite, &store).map_err(CliError::bug)?;
    let grounds = Grounds { suite: &suite, tables: &tables, ..grounds };
    let other = run_again(args, &plan, &suite, seed)?;
    let found = certificate::replay_differences(certified, &other, grounds, &harness()?, Some(&again), Seed::Fresh);
    let other = check(Seed::Fresh, seed, found, true, certified.claim());
    let exit = if recorded.holds && other.holds { Exit::Conforms } else { Exit::Violates };
    checks.extend([recorded, other]);
    Ok(exit)
}

/// A seed that nobody could know, and another than the one of the certificate.
fn fresh(recorded: u32) -> Result<u32, CliError> {
    let seed = certify::random_seed()?;
    Ok(if seed == recorded { seed.wrapping_add(1) } else { seed })
}

/// What of the runtime was compared, and what was not.
fn runtime(claim: &Claim) -> (&'static str, String) {
    let command = claim.command.as_ref();
    match command.map(|command| command.runtime.as_ref()) {
        None => ("", String::new()),
        Some(None) => ("", "; the system's files, its runtime among them, were not".to_owned()),
        Some(Some(RuntimeClaim { undigested: Some(why), .. })) => {
            ("", format!("; its runtime, which was not digested ({why}), and the system's files were not"))
        }
        Some(Some(_)) => (
            " of the packages and virtual environments of its runtime,",
            "; the rest of its runtime and the system's files were not".to_owned(),
        ),
    }
}

fn check(kind: Seed, seed: u32, differences: Vec<certificate::Difference>, named: bool, claim: &Claim) -> Check {
    let (packages, not) = runtime(claim);
    let holds = differences.is_empty();
    let (name, compared) = match kind {
        Seed::Recorded => ("replay", "the digest of the result, its outcomes"),
        Seed::Fresh => ("replay, other seed", "the outcomes of all cases, and other challenges"),
    };
    let message = if holds {
        format!(
            "with the seed {seed} the run ends with 0 and makes the same statement: {compared}, laws, levels and grade, the \
             testee and what it declares, the digests of its program, of its arguments and of all files of its subject,{packages} \
             command, limits and containment were compared{not}"
        )
    } else {
        let cases = if named { "" } else { "; --report REPORT.json names the cases" };
        let of_files = |member: &str| FILES.iter().any(|place| member.starts_with(place));
        let other = differences.iter().any(|difference| of_files(&difference.member));
        let files = if other {
            "; its files are others: start from those that were certified, with the same --subject and the same packages"
        } else {
            ""
        };
        format!("with the seed {seed} the run went another way: {}{cases}{files}", found(differences.len()))
    };
    Check { check: name, holds, message, differences: few(differences) }
}

/// What the run was about.
fn selection(args: &Args, plan: &ReplayPlan) -> Result<Selection, CliError> {
    plan.selection.selection().map_err(|error| {
        CliError::unreadable(format!("{}: {error}", args.file.display()), "ask for a certificate of this version")
    })
}

/// Makes a run again, with this command and not with one that a certificate names.
fn run_again(args: &Args, plan: &ReplayPlan, suite: &Suite, seed: u32) -> Result<ReportFile, CliError> {
    let named = args.key.iter().chain(&args.expectations).chain(&args.report).chain([&args.file]);
    let apart: Vec<PathBuf> = named.cloned().collect();
    let config = args.config.as_deref().map(certify::configuration).transpose()?;
    let config = config.as_ref();
    let command = (!args.command.is_empty()).then(|| Command {
        argv: args.command.clone(),
        directory: config.and_then(|config| config.directory.clone()),
        environment: config.map_or_else(certify::default_environment, |config| config.environment.clone()),
        seal: args.sealing.seal(config.map_or(&[], |config| config.readable.as_slice()), &apart),
        subject: args.sealing.named.subject(config.map_or(&[], |config| config.subject.as_slice()), apart),
    });
    let order = Order {
        command,
        selection: selection(args, plan)?,
        plan: Plan {
            seed,
            jobs: plan.jobs.max(1),
            certifying: true,
            terms: Terms { without: plan.without.clone(), ..Terms::default() },
        },
        limits: plan.limits.clone(),
        expectations: args.expectations.as_deref().map(certify::expected).transpose()?,
        fail_on: plan.fail_on,
        timing: Timing::default(),
        stated: true,
    };
    let report = certify::examine(suite, order, &[], &Laps::default())?;
    if !matches!(report.exit, Exit::Conforms | Exit::Violates | Exit::Integrity) {
        let code = report.exit.code();
        let why = report.result.faults.first().map(|fault| format!(": {fault}")).unwrap_or_default();
        let message = format!("{}: the run made again ends with exit code {code}{why}", args.file.display());
        return Err(CliError::unreadable(message, "make sure that the testee can be started here: `assize doctor`"));
    }
    // Read back as anybody would who gets it as a file.
    let text = report::json(&report).map_err(CliError::bug)?;
    ReportFile::parse(text.as_bytes()).map_err(|error| CliError::bug(format!("the report of the replay: {error}")))
}
