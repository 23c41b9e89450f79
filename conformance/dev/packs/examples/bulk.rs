//! Writes a pack for measurements: `cargo run --release -p assize-packs --example bulk -- FOLDER mixed|records|dense COUNT`.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper of measurements: it stops on the first surprise")]

use std::path::Path;

use assize_packs::bulk::{self, Kind};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, kind, count] = arguments.as_slice() else {
        panic!("usage: bulk FOLDER mixed|records|dense COUNT");
    };
    let kind = Kind::from_name(kind).unwrap();
    bulk::write(&bulk::pack(kind, count.parse().unwrap()), Path::new(folder)).unwrap();
}
