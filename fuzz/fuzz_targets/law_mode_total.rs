#![no_main]

use assize_fuzzing::{target::fuzz, targets::LawModeTotal};

libfuzzer_sys::fuzz_target!(|octets: &[u8]| fuzz::<LawModeTotal>(octets));
