#![no_main]

use assize_fuzzing::{target::fuzz, targets::KernelScenario};

libfuzzer_sys::fuzz_target!(|octets: &[u8]| fuzz::<KernelScenario>(octets));
