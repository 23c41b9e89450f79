#![no_main]

use assize_fuzzing::{target::fuzz, targets::CanonVsPython};

libfuzzer_sys::fuzz_target!(|octets: &[u8]| fuzz::<CanonVsPython>(octets));
