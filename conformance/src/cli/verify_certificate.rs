//! `assize verify-certificate`: whether a certificate holds, what it says, and what it does not.

mod show;

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

use assize::{
    certificate::{
        self, Certified, Difference, DigestPair, ReplayPlan, ReportFile,
        keys::{self, PublicKey},
    },
    certification::{Command, Order},
    exit::Exit,
    report::Report,
    runner::Plan,
    selection::{Selection, Shard},
    suite::{self, Suite},
    testee::{Timing, TransportKind},
};
use assize_corpus::{agreement::Terms, store::Store};
use assize_verifier::digest::Digest;
use serde::Serialize;

use super::{Format, certify, error::CliError, harness::harness, input, output};

const EXAMPLES: &str = "\
One valid signature by one of the keys is enough; a key id in the file is only a hint. A
certificate of another corpus than the one built in is valid, and the difference is named.
--replay makes the run again, with the command that you give and never with one that the
certificate names, and must reach the same report digest.

Examples:
  assize verify-certificate conformance.json --key release.pub
  assize verify-certificate conformance.json --key release.pub --report report.json
  assize verify-certificate conformance.json --key release.pub --expectations known.toml \\
      --replay -- python3 testee.py

Exit codes:
  0   the signature holds, and so does everything that was asked
  1   no signature holds, a file has another digest than the one stated, or the replay differs
  3   the certificate, a key or a file cannot be read, or cannot be replayed here
  64  wrong usage";

/// Check a certificate: who signed it, what it says, and what it does not prove.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The certificate.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// A public key that is trusted. Repeatable.
    #[arg(long, value_name = "PUB", required = true)]
    key: Vec<PathBuf>,
    /// The JSON report that was certified: its digest is computed again.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// The expectations file of the run: its digest must be the one stated.
    #[arg(long, value_name = "FILE")]
    expectations: Option<PathBuf>,
    /// Make the run again and compare.
    #[arg(long)]
    replay: bool,
    /// How the answer is written.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// The implementation, for --replay; none for the built-in verifier.
    #[arg(last = true, value_name = "COMMAND", requires = "replay")]
    command: Vec<OsString>,
}

/// Something that was asked beyond the signature.
#[derive(Debug, Serialize)]
struct Check {
    check: &'static str,
    holds: bool,
    message: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    differences: Vec<Difference>,
}

/// Everything that is said about a certificate.
#[derive(Debug, Serialize)]
struct Answer {
    valid: bool,
    signers: Vec<String>,
    checks: Vec<Check>,
    built_in: [DigestPair; 3],
    statement: certificate::Statement,
}

pub(crate) fn run(args: &Args) -> Result<Exit, CliError> {
    let keys = args.key.iter().map(|path| key(path)).collect::<Result<Vec<_>, _>>()?;
    let name = args.file.display();
    let certified = certificate::open(&input::at_most(&args.file, certificate::MOST)?, &keys).map_err(|error| {
        let message = format!("{name}: {error}");
        if error.is_invalid() {
            CliError::unlawful(message, error.help())
        } else {
            CliError::unreadable(message, error.help())
        }
    })?;
    let report = args.report.as_deref().map(report_file).transpose()?;
    let mut checks: Vec<Check> = report.iter().map(|report| report_check(&certified, report)).collect();
    if let Some(path) = &args.expectations {
        checks.push(expectations_check(&certified, &Digest::of(&input::read(path)?).to_hex()));
    }
    let suite = suite::info(&Store::embedded()).map_err(CliError::bug)?;
    let built_in = certificate::digest_pairs(certified.claim(), &suite);
    let mut exit = Exit::Conforms;
    if args.replay {
        // The report of another run cannot tell which cases had another outcome.
        let before = report.as_ref().filter(|report| report.digest == certified.claim().report_sha256);
        let (check, end) = replay(args, &certified, &built_in, before)?;
        checks.push(check);
        exit = exit.or(end);
    }
    let valid = checks.iter().all(|check| check.holds);
    if !valid {
        exit = exit.or(Exit::Violates);
    }
    let answer = Answer { valid, signers: certified.signers, checks, built_in, statement: certified.statement };
    match args.format {
        Format::Json => output::json(&answer)?,
        Format::Human => output::out(show::text(&name.to_string(), &answer, output::paint()).as_bytes())?,
    }
    Ok(exit)
}

fn key(path: &Path) -> Result<PublicKey, CliError> {
    let bytes = input::at_most(path, keys::MOST)?;
    PublicKey::from_pem(&path.display().to_string(), &bytes)
        .map_err(|error| CliError::unreadable(&error, error.kind.help()))
}

fn report_file(path: &Path) -> Result<ReportFile, CliError> {
    ReportFile::parse(&input::read(path)?).map_err(|error| {
        let help = "name what `assize certify --format json` wrote for this run";
        CliError::unreadable(format!("{}: {error}", path.display()), help)
    })
}

fn report_check(certified: &Certified, report: &ReportFile) -> Check {
    let stated = &certified.claim().report_sha256;
    let holds = report.digest == *stated;
    let message = if holds {
        "the report is the one that was certified".to_owned()
    } else {
        format!("another report: its result has the digest {}, certified is {stated}", report.digest)
    };
    Check { check: "report", holds, message, differences: Vec::new() }
}

fn expectations_check(certified: &Certified, sha256: &str) -> Check {
    let (holds, message) = match &certified.claim().expectations {
        Some(stated) if stated.sha256 == sha256 => (true, "the file is the one of the run".to_owned()),
        Some(stated) => (false, format!("another file: its digest is {sha256}, certified is {}", stated.sha256)),
        None => (false, "the run had no expectations file".to_owned()),
    };
    Check { check: "expectations", holds, message, differences: Vec::new() }
}

fn replay(
    args: &Args,
    certified: &Certified,
    built_in: &[DigestPair],
    before: Option<&ReportFile>,
) -> Result<(Check, Exit), CliError> {
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
    let other: Vec<_> = built_in.iter().filter(|pair| !pair.same).map(|pair| pair.name).collect();
    if !other.is_empty() {
        let message =
            format!("{}: cannot be replayed: built in here is another {}", args.file.display(), other.join(", "));
        let help = format!("use assize {}, with which it was made", certified.claim().harness.version);
        return Err(CliError::unreadable(message, help));
    }
    let again = run_again(args, &plan)?;
    let differences = certificate::differences(certified, &again, &harness()?, before);
    let holds = differences.is_empty();
    let message = if holds {
        "the same report digest, from the same files"
    } else if before.is_none() {
        "the run went another way; --report REPORT.json names the cases"
    } else {
        "the run went another way"
    };
    let check = Check { check: "replay", holds, message: message.to_owned(), differences };
    // A run that has no answer is not a disagreement.
    Ok((check, if holds { Exit::Conforms } else { Exit::Violates.or(again.exit) }))
}

/// Makes a run again, with this command and not with one that a certificate names.
fn run_again(args: &Args, plan: &ReplayPlan) -> Result<Report, CliError> {
    let shard = plan.selection.shard.as_deref().map(str::parse::<Shard>).transpose();
    let shard = shard.map_err(|error| {
        CliError::unreadable(format!("{}: {error}", args.file.display()), "ask for a certificate of this version")
    })?;
    let command = (!args.command.is_empty()).then(|| Command {
        argv: args.command.clone(),
        directory: None,
        environment: certify::default_environment(),
    });
    let order = Order {
        command,
        selection: Selection {
            filters: plan.selection.cases.clone(),
            systems: plan.selection.systems.clone(),
            modes: plan.selection.modes.clone(),
            levels: plan.selection.levels.clone(),
            shard,
        },
        plan: Plan {
            seed: plan.seed,
            jobs: plan.jobs.max(1),
            certifying: true,
            terms: Terms { without: plan.without.clone(), ..Terms::default() },
        },
        limits: plan.limits.clone(),
        expectations: args.expectations.as_deref().map(certify::expected).transpose()?,
        fail_on: plan.fail_on,
        timing: Timing::default(),
    };
    let store = Store::embedded();
    let mut suite = Suite::load(&store).map_err(CliError::bug)?;
    if let Some(challenges) = &plan.challenges {
        suite.challenge(&challenges.seed, challenges.each);
    }
    certify::examine(&suite, order, &[])
}
