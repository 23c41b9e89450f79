//! `assize verify-certificate`: whether a certificate holds, what it says, and what it does not.

mod replay;
mod show;

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

use assize::{
    certificate::{
        self, Age, Certified, Contained, Difference, DigestPair, Grounds, Policy, ReportFile, Tables,
        keys::{self, PublicKey},
    },
    exit::Exit,
    report::RunGrade,
};
use assize_corpus::store::Store;
use clap::builder::NonEmptyStringValueParser;
use jiff::Timestamp;
use serde::Serialize;

use super::{Format, certify, error::CliError, input, output, questions, sealing::Sealing};

const EXAMPLES: &str = "\
One valid signature by one of the keys is enough; a key id in the file is only a hint. What cannot be true is refused,
whoever signed it. A certificate of another corpus, of other declarations of laws or of another operation table than those
built in fails, unless --accept names the digest. A known failure against a specification fails, unless
--allow-expected-failures is given; a testee that was not sealed fails, unless --require-containment names less, as it must where
a system offers less.

--report makes the statement again from the report, all that follows from its cases derived anew, and compares every member.
--replay makes the run again, with the command that you give and never with one that the certificate names: once with the
seed of the certificate, once with a seed of its own. Both must end with 0 and make the same statement, but for times, the
ids of sessions, the binary of the harness and, with another seed, which answers were altered and what the challenges count:
the other seed makes other challenges, which nobody could know beforehand.

Examples:
  assize verify-certificate run.cert --key release.pub
  assize verify-certificate run.cert --key release.pub --require-level auditor --require-grade conforms --max-age 90d
  assize verify-certificate run.cert --key release.pub --require-containment partly
  assize verify-certificate run.cert --key release.pub --report report.json
  assize verify-certificate run.cert --key release.pub --replay --config assize.toml -- python3 testee.py
  assize verify-certificate run.cert --key release.pub --expectations known.toml --allow-expected-failures \\
      --replay -- python3 testee.py

Exit codes:
  0   the signature holds, and so does everything that was asked
  1   no signature holds, the statement cannot be true or falls short of what is asked, the report is another, or the replay
      differs
  3   the certificate, a key or a file cannot be read, or the run cannot be made again here
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
    /// The JSON report that was certified: the statement is made again from it.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// The expectations file of the run: its digest must be the one stated.
    #[arg(long, value_name = "FILE")]
    expectations: Option<PathBuf>,
    /// A level that must be held. Repeatable.
    #[arg(long, value_name = "LEVEL", value_parser = certify::levels())]
    require_level: Vec<String>,
    /// The least grade.
    #[arg(long, value_enum, value_name = "GRADE")]
    require_grade: Option<Least>,
    /// How far the testee has to have been contained at least, as the harness that made the run said. Without it: a process has to
    /// have been sealed.
    #[arg(long, value_enum, value_name = "LEVEL")]
    require_containment: Option<LeastContained>,
    /// How long ago the run may have begun: 90d, 12h.
    #[arg(long, value_name = "AGE")]
    max_age: Option<Age>,
    /// Take known failures against a specification.
    #[arg(long)]
    allow_expected_failures: bool,
    /// Take a run that asked fewer than 20 questions for each law beside the corpus: the corpus itself can be learnt by heart.
    #[arg(long)]
    allow_known_questions: bool,
    /// Take a corpus, declarations of laws or an operation table of this digest, though here are others. Repeatable.
    #[arg(long, value_name = "SHA256", value_parser = NonEmptyStringValueParser::new())]
    accept: Vec<String>,
    /// Make the run again and compare.
    #[arg(long)]
    replay: bool,
    /// For --replay: the configuration file of the run, for the working folder and the environment of the testee, what it may read
    /// and its files.
    #[arg(long, value_name = "FILE", requires = "replay")]
    config: Option<PathBuf>,
    #[command(flatten)]
    sealing: Sealing,
    /// How the answer is written.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// The implementation, for --replay; none for the built-in verifier.
    #[arg(last = true, value_name = "COMMAND", requires = "replay")]
    command: Vec<OsString>,
}

/// The values of `--require-grade`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Least {
    Conforms,
    ConformsStrictly,
}

/// The values of `--require-containment`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum LeastContained {
    Sealed,
    Partly,
    None,
}

impl Args {
    fn policy(&self) -> Policy {
        Policy {
            accepted: self.accept.iter().cloned().collect(),
            levels: self.require_level.clone(),
            grade: self.require_grade.map(|least| match least {
                Least::Conforms => RunGrade::Conforms,
                Least::ConformsStrictly => RunGrade::ConformsStrictly,
            }),
            max_age: self.max_age,
            expected_failures: self.allow_expected_failures,
            known_questions: self.allow_known_questions,
            containment: self.require_containment.map(|least| match least {
                LeastContained::Sealed => Contained::Sealed,
                LeastContained::Partly => Contained::Partly,
                LeastContained::None => Contained::Any,
            }),
        }
    }
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
    let now = Timestamp::now();
    let certified = certificate::open(&input::at_most(&args.file, certificate::MOST)?, &keys).map_err(|error| {
        let message = format!("{name}: {error}");
        if error.is_invalid() || error.is_impossible() {
            CliError::unlawful(message, error.help())
        } else {
            CliError::unreadable(message, error.help())
        }
    })?;
    let store = Store::embedded();
    let suite = questions::claimed(&store, certified.claim())?;
    let tables = Tables::new(&suite, &store).map_err(CliError::bug)?;
    certificate::possible(&certified.statement, &tables, now).map_err(|error| {
        let message = format!("{name}: the statement cannot be true: {error}");
        CliError::unlawful(message, "trust nothing in it: the signer signed something that assize does not write")
    })?;
    let mut checks = vec![policy_check(&args.policy(), &certified, &tables, now)];
    let expectations = args.expectations.as_deref().map(certify::expected).transpose()?;
    if let Some(file) = &expectations {
        checks.push(expectations_check(&certified, &file.sha256().to_hex()));
    }
    let grounds = Grounds { suite: &suite, tables: &tables, expectations: expectations.as_ref(), now };
    let report = args.report.as_deref().map(report_file).transpose()?;
    if let Some(report) = &report {
        let differences = certificate::report_differences(&certified.statement, report, grounds);
        checks.push(Check::of("report", "the report makes this statement, member by member", differences));
    }
    let built_in = certificate::digest_pairs(certified.claim(), tables.suite());
    let mut exit = Exit::Conforms;
    if args.replay {
        let end = replay::replay(args, &certified, &built_in, grounds, report.as_ref(), &mut checks)?;
        exit = exit.or(end);
    }
    let valid = checks.iter().all(|check| check.holds);
    if !valid {
        exit = exit.or(Exit::Violates);
    }
    let answer = Answer { valid, signers: certified.signers, checks, built_in, statement: certified.statement };
    match args.format {
        Format::Json => output::json(&answer)?,
        Format::Human => output::say(&show::text(&name.to_string(), &answer, output::paint()))?,
    }
    Ok(exit)
}

impl Check {
    /// What holds if nothing differs.
    fn of(check: &'static str, holds: &str, differences: Vec<Difference>) -> Self {
        let message = if differences.is_empty() { holds.to_owned() } else { found(differences.len()) };
        Self { check, holds: differences.is_empty(), message, differences: few(differences) }
    }
}

fn found(count: usize) -> String {
    output::counted(count, "member differs", "members differ")
}

/// Those that are shown.
fn few(mut differences: Vec<Difference>) -> Vec<Difference> {
    /// More of them help nobody.
    const SHOWN: usize = 40;
    differences.truncate(SHOWN);
    differences
}

fn policy_check(policy: &Policy, certified: &Certified, tables: &Tables, now: Timestamp) -> Check {
    let short = policy.falls_short(certified.claim(), tables.suite(), now);
    let message = match short.len() {
        0 => "it is all that is asked for".to_owned(),
        count => format!("it falls short in {}", output::counted(count, "point", "points")),
    };
    Check { check: "policy", holds: short.is_empty(), message, differences: short }
}

fn key(path: &Path) -> Result<PublicKey, CliError> {
    let bytes = input::at_most(path, keys::MOST)?;
    PublicKey::from_pem(&path.display().to_string(), &bytes)
        .map_err(|error| CliError::unreadable(&error, error.kind.help()))
}

pub(super) fn report_file(path: &Path) -> Result<ReportFile, CliError> {
    ReportFile::parse(&input::read(path)?).map_err(|error| {
        let help = "name what `assize certify --format json` wrote for this run";
        CliError::unreadable(format!("{}: {error}", path.display()), help)
    })
}

fn expectations_check(certified: &Certified, sha256: &str) -> Check {
    let (holds, message) = match &certified.claim().expectations {
        Some(stated) if stated.sha256 == sha256 => (true, "the file is the one of the run".to_owned()),
        Some(stated) => (false, format!("another file: its digest is {sha256}, certified is {}", stated.sha256)),
        None => (false, "the run had no expectations file".to_owned()),
    };
    Check { check: "expectations", holds, message, differences: Vec::new() }
}
