#![no_main]

use assize_fuzzing::{target::fuzz, targets::ProtocolFrames};

libfuzzer_sys::fuzz_target!(|octets: &[u8]| fuzz::<ProtocolFrames>(octets));
