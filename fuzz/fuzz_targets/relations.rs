#![no_main]

use assize_fuzzing::{target::fuzz, targets::Relations};

libfuzzer_sys::fuzz_target!(|octets: &[u8]| fuzz::<Relations>(octets));
