#![no_main]

use assize_fuzzing::{target::fuzz, targets::Dag};

libfuzzer_sys::fuzz_target!(|octets: &[u8]| fuzz::<Dag>(octets));
