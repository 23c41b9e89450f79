#![no_main]

use assize_fuzzing::{target::fuzz, targets::Certificate};

libfuzzer_sys::fuzz_target!(|octets: &[u8]| fuzz::<Certificate>(octets));
