#![no_main]

use assize_fuzzing::{target::fuzz, targets::JsonReaderVsPython};

libfuzzer_sys::fuzz_target!(|octets: &[u8]| fuzz::<JsonReaderVsPython>(octets));
