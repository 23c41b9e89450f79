//! `assize challenge`: fresh questions, for use elsewhere.

use std::{ffi::OsString, fs, io, path::PathBuf};

use assize::{
    exit::Exit,
    protocol::Limits,
    testee::{CommandInfo, FileInfo},
};
use assize_corpus::{
    challenge::{Count, challenge_set, write},
    vector::Corpus,
};
use assize_verifier::digest::Digest;
use clap::builder::NonEmptyStringValueParser;

use super::{certify, error::CliError, input, output, sealing::Named};

const EXAMPLES: &str = "\
Examples:
  assize challenge --seed 7 --out set                  the questions that certify --seed 7 adds
  assize certify --corpus set -- ./mine                ask them
  assize challenge --beacon TEXT --out set -- ./mine   a seed that neither side chooses: from a public value, which came after
                                                       the testee was handed over, and the digests of the testee's files
  assize challenge --beacon TEXT --testee-digest SHA256 --out set
                                                       the same from a digest that was given before

Exit codes:
  0   written
  3   the folder is not empty, or cannot be written
  64  no seed, or no testee";

/// Write questions that no corpus holds, made from a seed, as a corpus of vectors.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The seed: any text; that of a run is its number.
    #[arg(long, value_name = "TEXT", value_parser = NonEmptyStringValueParser::new(), required_unless_present = "beacon")]
    seed: Option<String>,
    /// A public value, such as a lottery's numbers or a block's hash, from which and the testee's digest the seed is derived.
    #[arg(long, value_name = "TEXT", value_parser = NonEmptyStringValueParser::new(), conflicts_with = "seed")]
    beacon: Option<String>,
    /// SHA-256 of the testee, in hexadecimal digits, as a run of this verb with its command prints it.
    #[arg(long, value_name = "SHA256", value_parser = digest, requires = "beacon", conflicts_with = "command")]
    testee_digest: Option<String>,
    /// The folder to write; it has to be empty or absent.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// So many for each law, instead of a fifth of its cases and at least 20.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    each: Option<u32>,
    /// Make them of the vectors below this folder instead of those that were built in.
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
    #[command(flatten)]
    subject: Named,
    /// The testee, whose files are digested and not started: the program, every argument that names a file, and its subject.
    #[arg(last = true, value_name = "COMMAND", requires = "beacon")]
    command: Vec<OsString>,
}

pub(crate) fn run(args: &Args) -> Result<Exit, CliError> {
    let testee = match (&args.testee_digest, args.command.as_slice()) {
        (Some(digest), _) => Some(digest.clone()),
        (None, []) => None,
        (None, command) => Some(of_files(command, &args.subject)?),
    };
    let seed = match (&args.seed, &args.beacon, &testee) {
        (Some(seed), ..) => seed.clone(),
        (None, Some(beacon), Some(testee)) => derived(beacon, testee),
        _ => return Err(CliError::usage("no testee", "give --beacon with `-- COMMAND`, or with --testee-digest")),
    };
    let place = args.out.display();
    let empty = match fs::read_dir(&args.out) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    };
    if !empty {
        return Err(CliError::unreadable(
            format!("{place}: is not an empty folder"),
            "name one that is empty or absent",
        ));
    }
    let store = input::corpus(args.corpus.as_deref())?;
    let corpus = Corpus::load(&store);
    if let Some(error) = corpus.errors.first() {
        return Err(CliError::unreadable(error, "restore the corpus"));
    }
    let count = args.each.map_or(Count::Fifth, |each| Count::Each(usize::try_from(each).unwrap_or(usize::MAX)));
    let set = challenge_set(&corpus, &seed, count);
    write(&set, &args.out).map_err(|error| CliError::unreadable(format!("{place}: {error}"), "name another folder"))?;
    let testee = testee.map(|digest| format!("testee {digest}\n")).unwrap_or_default();
    let count = output::counted(set.len(), "challenge", "challenges");
    output::out(format!("{count} of seed {seed}: {place}\n{testee}").as_bytes())?;
    Ok(Exit::Conforms)
}

/// The seed of a public value and a testee: SHA-256 of the two digests' digits and a name, so that neither can be traded for the other.
fn derived(beacon: &str, testee: &str) -> String {
    let beacon = Digest::of(beacon.as_bytes()).to_hex();
    Digest::of(format!("assize challenge\n{beacon}\n{testee}\n").as_bytes()).to_hex()
}

/// One digest of the files of a command: of the lines that name the word, and the digest of the file that it names; the last is
/// that of its subject.
fn of_files(command: &[OsString], named: &Named) -> Result<String, CliError> {
    let launch = certify::launch(command, None, named.subject(&[], Vec::new()), &Limits::default());
    let CommandInfo { files, subject, .. } = launch.look().command;
    if !files.iter().any(|file| file.argument == 0) {
        let message =
            format!("{}: no such program", command.first().map_or_else(String::new, |word| word.display().to_string()));
        return Err(CliError::unreadable(message, "name the program as `certify` would be given it"));
    }
    let subject = subject.unwrap_or_default();
    let Some(whole) = subject.sha256 else {
        let why = subject.undigested.unwrap_or_default();
        return Err(CliError::unreadable(format!("no digest of the testee: {why}"), "name its files with --subject"));
    };
    let line = |file: &FileInfo| format!("{} {}\n", file.argument, file.sha256);
    let lines = files.iter().map(line).chain([format!("subject {whole}\n")]);
    Ok(Digest::of(lines.collect::<String>().as_bytes()).to_hex())
}

fn digest(text: &str) -> Result<String, String> {
    let digits = text.strip_prefix("sha256:").unwrap_or(text).to_ascii_lowercase();
    let sound = digits.len() == 64 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    if sound { Ok(digits) } else { Err("write 64 hexadecimal digits".to_owned()) }
}
