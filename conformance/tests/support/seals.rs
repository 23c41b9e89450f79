//! Tests of what a seal holds, which show nothing where the system does not seal.

use std::{env, fmt::Debug, io::Write as _};

/// Whether a testee was sealed. Without a seal a test is skipped, and says so past every filter of the test runner; with
/// `ASSIZE_SEAL=required` it fails instead.
#[track_caller]
pub(crate) fn sealed(level: &str, without: impl Debug) -> bool {
    if level == "sealed" {
        return true;
    }
    let why = format!("this system does not seal: its level is {level:?}, without {without:?}");
    assert!(env::var_os("ASSIZE_SEAL").is_none_or(|asked| asked != "required"), "{why}");
    let _ = writeln!(std::io::stderr(), "skipped: {why}");
    false
}
