//! The canonical bytes of a document and their digest, under each profile.

use assize_verifier::canon::{Profile, canonicalize};

fn main() {
    print!("{}", table(r#"{"total": 7, "name": "caf\u00e9", "rate": 1.50}"#));
}

/// A line for each profile: bytes and digest, or why there are none.
pub(crate) fn table(document: &str) -> String {
    let line = |profile: Profile| match canonicalize(profile, document.as_bytes()) {
        Ok(bytes) => {
            format!("{}: {} {}\n", profile.name(), String::from_utf8_lossy(bytes.as_slice()), bytes.digest())
        }
        Err(refused) => format!("{}: {refused}\n", profile.name()),
    };
    Profile::ALL.map(line).concat()
}
