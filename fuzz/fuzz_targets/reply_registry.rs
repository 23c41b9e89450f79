#![no_main]

use assize_fuzzing::{target::fuzz, targets::ReplyRegistry};

libfuzzer_sys::fuzz_target!(|octets: &[u8]| fuzz::<ReplyRegistry>(octets));
