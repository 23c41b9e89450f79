//! The floor of a comparison, and of a replay: read every turn file, or every listed file, once, in order, and hash it with
//! SHA-256.
//!
//! Not a benchmark by itself: scripts in `conformance/benches` run it as a process beside the others. Arguments are bundles, or
//! `--list FILE`: a path a line.
#![allow(clippy::unwrap_used, missing_docs, reason = "a measuring program: it stops on the first surprise")]

use std::fs::File;
use std::io::Read;

use assize_verifier::json::{Dialect, Document, NodeRef};
use rayon::prelude::*;
use sha2::{Digest, Sha256};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if arguments.is_empty() || arguments.iter().any(|argument| argument == "--backend") {
        println!("SHA-256 backend: {}", backend());
        return;
    }
    let paths = match arguments.as_slice() {
        [option, list] if option == "--list" => {
            std::fs::read_to_string(list).unwrap().lines().map(|path| vec![path.to_owned()]).collect()
        }
        bundles => turn_files(bundles),
    };
    let total: u64 =
        paths.par_iter().with_min_len(32).map_init(|| vec![0; BLOCK], |buffer, paths| hash_first(buffer, paths)).sum();
    println!("{total}");
}

/// The paths of each turn, in the order of the bundles.
fn turn_files(bundles: &[String]) -> Vec<Vec<String>> {
    let mut paths = Vec::new();
    for bundle in bundles {
        let text = std::fs::read(bundle).unwrap();
        let document = Document::parse(&text, &Dialect::STRICT).unwrap();
        for entry in document.root().get("turn_results").unwrap().elements() {
            let listed = entry.get("paths").unwrap().elements().filter_map(NodeRef::as_string);
            paths.push(listed.map(|path| path.to_str().unwrap().to_owned()).collect::<Vec<_>>());
        }
    }
    paths
}

/// Bytes that are read at a time: a large file costs no more memory than a small one.
const BLOCK: usize = 1 << 20;

fn hash_first(buffer: &mut [u8], paths: &[String]) -> u64 {
    for path in paths {
        if let Ok(mut file) = File::open(path) {
            let mut hash = Sha256::new();
            loop {
                let read = file.read(buffer).unwrap();
                if read == 0 {
                    return u64::from(*hash.finalize().first().unwrap());
                }
                hash.update(buffer.get(..read).unwrap());
            }
        }
    }
    0
}

/// What the `sha2` crate picks at run time on this machine.
fn backend() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("sha") {
        return "SHA-NI";
    }
    #[cfg(target_arch = "aarch64")]
    if std::arch::is_aarch64_feature_detected!("sha2") {
        return "ARMv8 SHA2";
    }
    "software"
}
