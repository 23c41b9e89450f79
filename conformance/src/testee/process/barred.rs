//! What no testee may have: a copy of the harness, which would answer for it, and a private key, with which it could sign.

use std::{
    env,
    fs::{File, OpenOptions},
    io::{self, Read as _},
    path::{Path, PathBuf},
    sync::OnceLock,
};

use base64::{Engine as _, engine::general_purpose::STANDARD};

use super::digests::{at, digest, digest_of};

/// The largest file in which a private key is looked for.
const KEY_FILE: u64 = 64 << 10;
/// Around a private key (RFC 7468); what stands between is base64.
const KEY_BEGINS: &str = "-----BEGIN PRIVATE KEY-----";
const KEY_ENDS: &str = "-----END PRIVATE KEY-----";
/// How a key of Ed25519 is told from others, in DER (RFC 8410): keys of other kinds sign no certificate.
const KEY_KIND: [u8; 5] = [0x06, 0x03, 0x2b, 0x65, 0x70];

/// Why files cannot be digested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Untaken {
    /// In words.
    pub(super) why: String,
    /// Whether there is something among them that no testee may have.
    pub(super) barred: bool,
}

impl From<String> for Untaken {
    fn from(why: String) -> Self {
        Self { why, barred: false }
    }
}

/// A file that a testee may have.
///
/// # Errors
/// It is a copy of the harness, or, where that matters, holds a private key; or it cannot be read.
pub(super) fn lawful(path: &Path, sha256: &str, without_keys: bool) -> Result<(), Untaken> {
    let barred = |why: &str| Err(Untaken { why: format!("{}: {why}", path.display()), barred: true });
    if is_harness(path, sha256).map_err(|error| at(path, &error))? {
        return barred("is a copy of this harness, which would answer for the testee");
    }
    if without_keys && holds_key(path).map_err(|error| at(path, &error))? {
        return barred(
            "holds a private key, with which the testee that reads it can sign a statement of its own: move it away, or leave it out by `--subject`",
        );
    }
    Ok(())
}

/// Whether a file with this digest is the program of this process, or begins with it: what stands behind a program changes nothing
/// of what it does. Shorter files are another one.
fn is_harness(path: &Path, sha256: &str) -> io::Result<bool> {
    static PROGRAM: OnceLock<Option<(PathBuf, u64)>> = OnceLock::new();
    static DIGEST: OnceLock<Option<String>> = OnceLock::new();
    let program = PROGRAM.get_or_init(|| {
        let program = env::current_exe().ok()?;
        let length = program.metadata().ok()?.len();
        Some((program, length))
    });
    let Some((program, length)) = program else { return Ok(false) };
    let here = path.metadata()?.len();
    if here < *length {
        return Ok(false);
    }
    let own = DIGEST.get_or_init(|| digest(program).ok()).as_deref();
    if here == *length {
        return Ok(own == Some(sha256));
    }
    Ok(own == Some(digest_of(File::open(path)?.take(*length))?.as_str()))
}

/// Whether a file holds a key that `sign` takes, whatever stands around it.
///
/// # Errors
/// It cannot be read, or would have to be waited for.
pub(super) fn holds_key(path: &Path) -> io::Result<bool> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    let mut text = Vec::new();
    // No length is believed: that of what a system makes up as it is read is zero.
    let length = options.open(path)?.take(KEY_FILE + 1).read_to_end(&mut text)?;
    if u64::try_from(length).is_ok_and(|length| length > KEY_FILE) {
        return Ok(false);
    }
    let text = String::from_utf8_lossy(&text);
    Ok(text.split(KEY_BEGINS).skip(1).any(|rest| {
        let Some((block, _)) = rest.split_once(KEY_ENDS) else { return false };
        let digits: String = block.chars().filter(|letter| !letter.is_whitespace()).collect();
        STANDARD.decode(digits).is_ok_and(|der| der.windows(KEY_KIND.len()).any(|part| part == KEY_KIND))
    }))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::certificate::keys::A_KEY;

    fn judged(path: &Path, without_keys: bool) -> Result<(), Untaken> {
        lawful(path, &digest(path).unwrap(), without_keys)
    }

    #[test]
    fn a_copy_of_this_program_is_no_part_of_a_testee() {
        let folder = tempfile::tempdir().unwrap();
        let copy = folder.path().join("copy");
        let mut bytes = fs::read(env::current_exe().unwrap()).unwrap();
        let mut with = |change: &dyn Fn(&mut Vec<u8>)| {
            change(&mut bytes);
            fs::write(&copy, &bytes).unwrap();
            judged(&copy, false)
        };
        let flip = |bytes: &mut Vec<u8>| *bytes.last_mut().unwrap() ^= 1;
        let barred = |judged: Result<(), Untaken>| {
            let untaken = judged.unwrap_err();
            assert!(untaken.barred && untaken.why.contains("copy: is a copy of this harness"), "{untaken:?}");
        };
        // A file of the same length is another one, and so is one that holds all of it but its end.
        with(&flip).unwrap();
        barred(with(&flip));
        barred(with(&|bytes| bytes.push(0)));
        with(&|bytes| {
            let end = bytes.len() - 2;
            bytes[end] ^= 1;
        })
        .unwrap();
        with(&|bytes| bytes.truncate(bytes.len() - 2)).unwrap();
    }

    #[test]
    fn a_key_that_signs_is_found_whatever_stands_around_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("two");
        let with = |text: &str| {
            fs::write(&file, text).unwrap();
            judged(&file, true)
        };
        for text in [A_KEY.to_owned(), format!("KEY = (\n{})", A_KEY.replace('\n', "\r\n"))] {
            let untaken = with(&text).unwrap_err();
            assert!(untaken.barred && untaken.why.contains("two: holds a private key"), "{untaken:?}");
            judged(&file, false).unwrap();
        }
        // A program that speaks of keys, a key that signs no certificate, and a file that is no key file any more.
        for text in [
            "-----BEGIN PRIVATE KEY-----".to_owned(),
            "-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----".to_owned(),
            A_KEY.replace("K2Vw", "K2Vx"),
            A_KEY.replace("PRIVATE", "PUBLIC"),
            format!("{A_KEY}{}", " ".repeat(64 << 10)),
        ] {
            with(&text).unwrap();
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_says_that_it_is_empty_and_is_not_is_read_no_further_than_a_key_reaches() {
        let endless = Path::new("/dev/zero");
        assert_eq!(endless.metadata().unwrap().len(), 0);
        assert!(!holds_key(endless).unwrap());
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, rustix::fs::Mode::RWXU, 0).unwrap();
        // Nobody writes, and nobody waits.
        assert!(!holds_key(&pipe).unwrap());
    }
}
