#![no_main]

use assize_fuzzing::{target::fuzz, targets::ReplyEnvelope};

libfuzzer_sys::fuzz_target!(|octets: &[u8]| fuzz::<ReplyEnvelope>(octets));
