//! Readers of JSON in Rust as testees: `read LIBRARY VERSION`, beside copies of `atp.rs` and `canonical.rs`. They read the bytes
//! themselves, so that input is text. All of them read into the values of `serde_json`.

mod atp;
mod canonical;

use std::env;
use std::process::ExitCode;

use serde_json::Value;

type Read = fn(Vec<u8>) -> Result<Value, String>;

fn main() -> ExitCode {
    let mut arguments = env::args().skip(1);
    let (library, version) = (arguments.next().unwrap_or_default(), arguments.next().unwrap_or_default());
    // How each is asked, the depth that it stops at, and what it says then.
    let (read, limit): (Read, _) = match library.as_str() {
        "serde_json" => (|text| told(serde_json::from_slice(&text)), (127, "recursion limit")),
        "simd-json" => (|mut text| told(simd_json::serde::from_slice(&mut text)), (1024, "DepthLimitExceeded")),
        "sonic-rs" => (|text| told(sonic_rs::from_slice(&text)), (128, "layers deep")),
        _ => return ExitCode::FAILURE,
    };
    canonical::reader(&library, &version, limit, read)
}

fn told<E: ToString>(read: Result<Value, E>) -> Result<Value, String> {
    read.map_err(|error| error.to_string())
}
