//! `assize sign`: a certificate of a statement, apart from the run that the statement is about.

use std::path::PathBuf;

use assize::{
    certificate::{
        self, Grounds, Statement, Tables,
        keys::{self, PrivateKey},
    },
    exit::Exit,
};
use assize_corpus::store::Store;
use jiff::Timestamp;

use super::{certify, error::CliError, input, output, questions, verify_certificate};

const EXAMPLES: &str = "\
Signs what `assize certify --statement` wrote, once the run and its testee have ended. A statement that cannot be true is
refused, and with --report one that does not follow from the report. Sign where the user of the testee cannot read the key: another account, another machine.
The key comes from a file, or with --key-fd from a file that the caller has opened, so that its path stands nowhere.
Agents and PKCS#11 are not supported: hand the key over through a pipe.

Examples:
  assize sign run.json --key release.key --report report.json --output run.cert
  assize sign run.json --key-fd 3 3< /secrets/release.key > run.cert
  pass show release | assize sign run.json --key-fd 0 --output run.cert

Exit codes:
  0   the certificate is written
  1   the statement cannot be true, or does not follow from the report
  3   the statement or the key cannot be read, or the certificate cannot be written
  64  wrong usage";

/// Sign the statement of a run.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The statement.
    #[arg(value_name = "STATEMENT")]
    statement: PathBuf,
    /// The private key; `assize keygen` makes one.
    #[arg(long, value_name = "FILE", required_unless_present = "key_fd")]
    key: Option<PathBuf>,
    /// Read the private key from this file descriptor.
    #[arg(long, value_name = "N", conflicts_with = "key")]
    key_fd: Option<u32>,
    /// The JSON report of the run: the statement must follow from it, member by member.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// The expectations file of the run, for --report.
    #[arg(long, value_name = "FILE", requires = "report")]
    expectations: Option<PathBuf>,
    /// Write the certificate here instead of to standard output.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<Exit, CliError> {
    let given = args.key.iter().chain(&args.report).chain(&args.expectations).chain([&args.statement]);
    output::spare(args.output.as_deref(), given.map(PathBuf::as_path))?;
    let statement = statement(args)?;
    // The key is the last thing that is read.
    let key = key(args)?;
    let certificate = certificate::sign(&statement, &key).map_err(CliError::bug)?;
    output::deliver(args.output.as_deref(), &certificate)?;
    Ok(Exit::Conforms)
}

fn statement(args: &Args) -> Result<Statement, CliError> {
    let name = args.statement.display();
    let bytes = input::at_most(&args.statement, certificate::MOST)?;
    if bytes.len() > certificate::MOST {
        let message = format!("{name}: larger than the limit of {} bytes", certificate::MOST);
        return Err(CliError::unreadable(message, "name a file that `assize certify --statement` wrote"));
    }
    let statement = Statement::parse(&bytes).map_err(|error| {
        let message = format!("{name}: {error}");
        if error.is_impossible() {
            CliError::unlawful(message, "sign what `assize certify --statement` wrote, as it wrote it")
        } else {
            CliError::unreadable(message, "name a file that `assize certify --statement` wrote")
        }
    })?;
    follows(args, &statement)?;
    Ok(statement)
}

/// Refuses a statement that cannot be, or that does not follow from its report.
fn follows(args: &Args, statement: &Statement) -> Result<(), CliError> {
    let (store, now, name) = (Store::embedded(), Timestamp::now(), args.statement.display());
    let suite = questions::claimed(&store, &statement.predicate.assize)?;
    let tables = Tables::new(&suite, &store).map_err(CliError::bug)?;
    certificate::possible(statement, &tables, now).map_err(|error| {
        let message = format!("{name}: the statement cannot be true: {error}");
        CliError::unlawful(message, "sign what `assize certify --statement` wrote, as it wrote it")
    })?;
    let Some(path) = &args.report else { return Ok(()) };
    let expectations = args.expectations.as_deref().map(certify::expected).transpose()?;
    let grounds = Grounds { suite: &suite, tables: &tables, expectations: expectations.as_ref(), now };
    let report = verify_certificate::report_file(path)?;
    let found = certificate::report_differences(statement, &report, grounds);
    let Some(first) = found.first() else { return Ok(()) };
    let message = format!("{name}: does not follow from {}: {first} ({} in all)", path.display(), found.len());
    Err(CliError::unlawful(message, "sign no statement of another run: make both again with `assize certify`"))
}

fn key(args: &Args) -> Result<PrivateKey, CliError> {
    let (path, name) = match (&args.key, args.key_fd) {
        (Some(path), _) => (path.clone(), path.display().to_string()),
        (None, Some(_)) if !cfg!(unix) => {
            let help = "name the file with --key";
            return Err(CliError::usage("--key-fd: file descriptors are a notion of Unix", help));
        }
        (None, Some(number)) => (PathBuf::from(format!("/dev/fd/{number}")), format!("file descriptor {number}")),
        (None, None) => return Err(CliError::usage("no key is given", "add --key FILE or --key-fd N")),
    };
    let bytes = input::at_most(&path, keys::MOST)?;
    PrivateKey::from_pem(&name, bytes).map_err(|error| CliError::unreadable(&error, error.kind.help()))
}
