//! Readers of JSON in Rust as testees: `read LIBRARY VERSION`, beside copies of `atp.rs` and `canonical.rs`. They read the bytes
//! themselves, so that input is text. All of them read into the values of `serde_json`.

mod atp;
mod canonical;

use std::env;
use std::process::ExitCode;

use serde_json::Value;

type Read = fn(Vec<u8>) -> Option<Value>;

fn main() -> ExitCode {
    let mut arguments = env::args().skip(1);
    let (library, version) = (arguments.next().unwrap_or_default(), arguments.next().unwrap_or_default());
    // How each is asked, and the depth that it stops at.
    let (read, max_depth): (Read, _) = match library.as_str() {
        "serde_json" => (|text| serde_json::from_slice(&text).ok(), Some(127)),
        "simd-json" => (|mut text| simd_json::serde::from_slice(&mut text).ok(), None),
        "sonic-rs" => (|text| sonic_rs::from_slice(&text).ok(), Some(127)),
        _ => return ExitCode::FAILURE,
    };
    canonical::reader(&library, &version, max_depth, read)
}
