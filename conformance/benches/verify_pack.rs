//! What a replay costs in one process, next to the least that it can cost: reading the same files once and hashing them.
//!
//! `cargo bench -p assize --bench verify_pack`. Packs have 1,000 traces of about 10 KB, of mixed text or of dense small
//! tokens, and lie in a temporary folder. Whole processes, and 10,000 traces, are `.ci/bench`'s. Times are printed,
//! and the only assertion is that the pack matches.
#![allow(clippy::unwrap_used, missing_docs, reason = "a measuring program: it stops on the first surprise")]

use assize_corpus::disk::PackFolder;
use assize_packs::bulk::{self, Kind};
use assize_verifier::{
    episode::{self, Numbers, Options, Verdict},
    files::PackFiles,
    threads::Threads,
};
use divan::{Bencher, counter::BytesCount};
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

fn main() {
    divan::main();
}

const TRACES: usize = 1000;

/// A pack on disk, with the paths and the size of all its files.
struct Scene {
    folder: TempDir,
    paths: Vec<String>,
    bytes: usize,
}

fn scene(kind: Kind) -> Scene {
    let folder = TempDir::with_prefix("assize-bench-").unwrap();
    let pack = bulk::pack(kind, TRACES);
    bulk::write(&pack, folder.path()).unwrap();
    let bytes = pack.files.values().map(Vec::len).sum();
    Scene { folder, paths: pack.files.into_keys().collect(), bytes }
}

#[divan::bench(args = Kind::ALL, sample_count = 15, sample_size = 1)]
fn floor(bencher: Bencher<'_, '_>, kind: Kind) {
    let scene = scene(kind);
    bencher.counter(BytesCount::new(scene.bytes)).bench_local(|| {
        let pack = PackFolder::open(scene.folder.path()).unwrap();
        let mut buffer = Vec::new();
        let hashed = scene.paths.iter().map(|path| {
            pack.read(path, u64::MAX, &mut buffer).unwrap();
            u64::from(*Sha256::digest(&buffer).first().unwrap())
        });
        hashed.sum::<u64>()
    });
}

#[divan::bench(args = Kind::ALL, sample_count = 15, sample_size = 1)]
fn verify_one_core(bencher: Bencher<'_, '_>, kind: Kind) {
    verify(bencher, kind, Threads::Caller);
}

#[divan::bench(args = Kind::ALL, sample_count = 15, sample_size = 1)]
fn verify_all_cores(bencher: Bencher<'_, '_>, kind: Kind) {
    verify(bencher, kind, Threads::Pool);
}

fn verify(bencher: Bencher<'_, '_>, kind: Kind, threads: Threads) {
    let scene = scene(kind);
    let options = Options { now: None, numbers: Numbers::Rfc8785, signer: None, platform: "bench", threads };
    bencher.counter(BytesCount::new(scene.bytes)).bench_local(|| {
        let pack = PackFolder::open(scene.folder.path()).unwrap();
        let found = episode::verify(&pack, &options).unwrap();
        assert_eq!((found.verdict, found.steps_matched), (Verdict::Match, TRACES + 2), "the pack matches");
    });
}
