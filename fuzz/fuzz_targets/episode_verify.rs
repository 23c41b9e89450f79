#![no_main]

use assize_fuzzing::{target::fuzz, targets::EpisodeVerify};

libfuzzer_sys::fuzz_target!(|octets: &[u8]| fuzz::<EpisodeVerify>(octets));
