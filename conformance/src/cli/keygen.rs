//! `assize keygen`: a key pair to sign certificates with.

use std::{
    ffi::OsString,
    fs::{self, File, OpenOptions},
    io::{self, ErrorKind, Write as _},
    path::{Path, PathBuf},
};

use assize::{certificate::keys::PrivateKey, exit::Exit};

use super::{error::CliError, output};

const EXAMPLES: &str = "\
Writes NAME.key, the private key (PKCS#8, not encrypted, readable to you alone), and
NAME.pub, the public key (SPKI), both as PEM. The key id on standard output is the SHA-256
of the public key's DER bytes. Neither file is overwritten.

Keep the private key where the user of a testee cannot read it: another account, another machine. Whoever can read it
can sign.

Examples:
  assize keygen release                             release.key and release.pub
  openssl pkey -pubin -in release.pub -outform DER | sha256sum    the key id, computed again

Exit codes:
  0  both files are written
  3  one of them is there already, or cannot be written";

/// Make an Ed25519 key pair to sign certificates with.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Where to: .key and .pub are added to it.
    #[arg(value_name = "NAME")]
    name: PathBuf,
}

pub(crate) fn run(args: &Args) -> Result<Exit, CliError> {
    if args.name.file_name().is_none() {
        let message = format!("{}: names no file", args.name.display());
        return Err(CliError::usage(message, "give the pair a name, for instance release"));
    }
    let key = PrivateKey::generate().map_err(|error| CliError::unreadable(&error, error.kind.help()))?;
    let public = key.public().map_err(CliError::bug)?;
    let (private, shown) = (key.to_pem().map_err(CliError::bug)?, public.to_pem().map_err(CliError::bug)?);
    // Both places are taken before anything is written, so that no half of a pair is left behind.
    let private_file = Fresh::create(beside(&args.name, ".key"), 0o600)?;
    let public_file = Fresh::create(beside(&args.name, ".pub"), 0o666)?;
    private_file.write(private.as_bytes())?;
    public_file.write(shown.as_bytes())?;
    let (private_path, public_path) = (private_file.keep(), public_file.keep());
    output::err(&format!("{} is the private key: keep it to yourself\n", private_path.display()));
    output::err(&format!("{} is the public key: give it to whoever checks certificates\n", public_path.display()));
    output::out(format!("{}\n", public.id()).as_bytes())?;
    Ok(Exit::Conforms)
}

fn beside(name: &Path, suffix: &str) -> PathBuf {
    let mut path = OsString::from(name);
    path.push(suffix);
    PathBuf::from(path)
}

/// A file that was not there before; removed again unless it is kept.
struct Fresh {
    path: PathBuf,
    file: File,
    kept: bool,
}

impl Fresh {
    #[cfg_attr(not(unix), allow(unused_variables, reason = "modes are a notion of Unix"))]
    fn create(path: PathBuf, mode: u32) -> Result<Self, CliError> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, mode);
        match options.open(&path) {
            Ok(file) => Ok(Self { path, file, kept: false }),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                let message = format!("{}: is there already, and is not overwritten", path.display());
                Err(CliError::unreadable(message, "choose another name, or move the old pair away"))
            }
            Err(error) => Err(broken(&path, &error)),
        }
    }

    fn write(&self, bytes: &[u8]) -> Result<(), CliError> {
        let mut file = &self.file;
        file.write_all(bytes).and_then(|()| file.sync_all()).map_err(|error| broken(&self.path, &error))
    }

    fn keep(mut self) -> PathBuf {
        self.kept = true;
        self.path.clone()
    }
}

impl Drop for Fresh {
    fn drop(&mut self) {
        if !self.kept {
            // What cannot be removed holds at most a key that nobody knows of.
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn broken(path: &Path, error: &io::Error) -> CliError {
    let message = format!("{}: cannot be written: {error}", path.display());
    CliError::unreadable(message, "check that its folder exists and may be written to; nothing was left there")
}
