#![no_main]

use assize_fuzzing::{target::fuzz, targets::CompareVsComparator};

// `ASSIZE_COMPARATOR` names a copy of the comparator with a planted bug, to see how soon it is found.
fn init() {
    if let Some(path) = std::env::var_os("ASSIZE_COMPARATOR") {
        let source = std::fs::read_to_string(path).expect("ASSIZE_COMPARATOR names a file that can be read");
        CompareVsComparator::ask_copy(&source).expect("a comparator that compiles");
    }
}

libfuzzer_sys::fuzz_target!(init: init(), |octets: &[u8]| fuzz::<CompareVsComparator>(octets));
