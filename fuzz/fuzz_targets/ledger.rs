#![no_main]

use assize_fuzzing::{target::fuzz, targets::Ledger};

libfuzzer_sys::fuzz_target!(|octets: &[u8]| fuzz::<Ledger>(octets));
