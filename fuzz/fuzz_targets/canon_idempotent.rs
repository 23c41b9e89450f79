#![no_main]

use assize_fuzzing::{target::fuzz, targets::CanonIdempotent};

libfuzzer_sys::fuzz_target!(|octets: &[u8]| fuzz::<CanonIdempotent>(octets));
