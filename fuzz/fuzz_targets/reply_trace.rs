#![no_main]

use assize_fuzzing::{target::fuzz, targets::ReplyTrace};

libfuzzer_sys::fuzz_target!(|octets: &[u8]| fuzz::<ReplyTrace>(octets));
