//! `assize challenge`: fresh questions, for use elsewhere.

use std::{fs, io, path::PathBuf};

use assize::exit::Exit;
use assize_corpus::{
    challenge::{Count, challenge_set, write},
    vector::Corpus,
};
use assize_verifier::digest::Digest;
use clap::builder::NonEmptyStringValueParser;

use super::{error::CliError, input, output};

const EXAMPLES: &str = "\
Examples:
  assize challenge --seed 7 --out set                  the questions that certify --seed 7 adds
  assize certify --corpus set -- ./mine                ask them
  assize challenge --beacon TEXT --testee-digest SHA256 --out set
                                                       a seed that neither side chooses: from a public value that came after
                                                       the testee's digest was given

Exit codes:
  0   written
  3   the folder is not empty, or cannot be written
  64  no seed, or no digest";

/// Write questions that no corpus holds, made from a seed, as a corpus of vectors.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The seed: any text; that of a run is its number.
    #[arg(long, value_name = "TEXT", value_parser = NonEmptyStringValueParser::new(), required_unless_present = "beacon")]
    seed: Option<String>,
    /// A public value, such as a lottery's numbers or a block's hash, from which and the testee's digest the seed is derived.
    #[arg(long, value_name = "TEXT", value_parser = NonEmptyStringValueParser::new(), requires = "testee_digest", conflicts_with = "seed")]
    beacon: Option<String>,
    /// SHA-256 of the testee, in hexadecimal digits.
    #[arg(long, value_name = "SHA256", value_parser = digest, requires = "beacon")]
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
}

pub(crate) fn run(args: &Args) -> Result<Exit, CliError> {
    let seed = match (&args.seed, &args.beacon, &args.testee_digest) {
        (Some(seed), ..) => seed.clone(),
        (None, Some(beacon), Some(testee)) => derived(beacon, testee),
        _ => return Err(CliError::usage("no seed", "give --seed, or --beacon with --testee-digest")),
    };
    let place = args.out.display();
    let empty = match fs::read_dir(&args.out) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    };
    if !empty {
        return Err(CliError::unreadable(format!("{place}: is no empty folder"), "name one that is empty or absent"));
    }
    let store = input::corpus(args.corpus.as_deref())?;
    let corpus = Corpus::load(&store);
    if let Some(error) = corpus.errors.first() {
        return Err(CliError::unreadable(error, "restore the corpus"));
    }
    let count = args.each.map_or(Count::Fifth, |each| Count::Each(usize::try_from(each).unwrap_or(usize::MAX)));
    let set = challenge_set(&corpus, &seed, count);
    write(&set, &args.out).map_err(|error| CliError::unreadable(format!("{place}: {error}"), "name another folder"))?;
    output::out(format!("{} challenges of seed {seed}: {place}\n", set.len()).as_bytes())?;
    Ok(Exit::Conforms)
}

/// The seed of a public value and a testee: SHA-256 of the two digests' digits and a name, so that neither can be traded for the other.
fn derived(beacon: &str, testee: &str) -> String {
    let beacon = Digest::of(beacon.as_bytes()).to_hex();
    Digest::of(format!("assize challenge\n{beacon}\n{testee}\n").as_bytes()).to_hex()
}

fn digest(text: &str) -> Result<String, String> {
    let digits = text.strip_prefix("sha256:").unwrap_or(text).to_ascii_lowercase();
    let sound = digits.len() == 64 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    if sound { Ok(digits) } else { Err("write 64 hexadecimal digits".to_owned()) }
}
