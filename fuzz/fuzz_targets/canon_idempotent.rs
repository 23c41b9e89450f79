//! Canonical bytes are their own canonical form, in every profile, and no text makes the writer panic.
#![no_main]

use assize_verifier::canon::{Profile, canonicalize};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    for profile in Profile::ALL {
        if let Ok(once) = canonicalize(profile, text) {
            let again = canonicalize(profile, once.as_slice());
            assert_eq!(again.as_ref(), Ok(&once), "{}", profile.name());
        }
    }
});
