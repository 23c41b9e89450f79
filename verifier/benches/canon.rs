//! Canonical bytes and digest against the crate `serde_json_canonicalizer`, on four kinds of documents.
//!
//! `cargo bench -p assize-verifier --bench canon`. Compare the medians of a group; both sides do the same work, from text
//! to digest. `--alone WAY KIND ROUNDS` does one of them so many times and measures nothing, for scripts that measure processes.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    missing_docs,
    reason = "a measuring program: it stops on the first surprise"
)]

use assize_verifier::{
    canon::{Canonicalizer, Profile, canonicalize},
    digest::Digest as Sum,
};
use divan::{Bencher, black_box, counter::BytesCount};
use sha2::{Digest, Sha256};

fn main() {
    let arguments: Vec<String> = std::env::args().skip_while(|argument| argument != "--alone").skip(1).collect();
    if let [way, kind, rounds, ..] = arguments.as_slice() {
        let documents = documents(kind);
        let work = match way.as_str() {
            "assize" => each,
            "sha256_alone" => hashed,
            "serde_json_canonicalizer" => by_the_crate,
            other => panic!("no way is called {other}"),
        };
        (0..rounds.parse::<usize>().unwrap()).for_each(|_| work(&documents));
        return;
    }
    #[cfg(target_arch = "x86_64")]
    println!("SHA-256 backend: {}", if std::is_x86_feature_detected!("sha") { "SHA-NI" } else { "software" });
    divan::main();
}

/// Many small records: each is canonicalized and hashed by itself.
fn small() -> Vec<String> {
    let record = |n: usize| {
        format!(
            r#"{{"contract_version": "kernel_api/v1", "decision_id": "{n:064x}", "run_id": "run-{n}", "turn_id": "turn-{:06}", "tool_name": "fs", "action": "write", "ordinal": {n}, "stage": "capability", "outcome": "allowed", "deny_code": null, "info_code": null, "reason": null, "provenance": {{"policy_source": "policy://default", "policy_digest": "{:064x}", "rule_id": "r{n}"}}}}"#,
            n % 1000,
            n * 7
        )
    };
    (0..2_000).map(record).collect()
}

/// One document of dense, tiny tokens.
fn big() -> Vec<String> {
    let items: Vec<String> =
        (0..20_000).map(|n| format!(r#"{{"b":{n},"a":[{},true],"c":{{"y":1,"x":null}}}}"#, n * 3)).collect();
    vec![format!("[{}]", items.join(","))]
}

/// One document of long strings, most of them not ASCII.
fn text() -> Vec<String> {
    let items: Vec<String> =
        (0..400).map(|n| format!(r#""{} {n} {}""#, "Größe 日本語 ".repeat(60), "plain text ".repeat(40))).collect();
    vec![format!("[{}]", items.join(","))]
}

/// One document of doubles that need all their digits.
fn numbers() -> Vec<String> {
    let items: Vec<String> = (1..20_000).map(|n| (f64::from(n).sqrt() * 1_000.0).to_string()).collect();
    vec![format!("[{}]", items.join(","))]
}

fn documents(kind: &str) -> Vec<String> {
    match kind {
        "small" => small(),
        "big" => big(),
        "numbers" => numbers(),
        _ => text(),
    }
}

fn each(documents: &[String]) {
    for document in documents {
        black_box(canonicalize(Profile::Episode, document.as_bytes()).unwrap().digest());
    }
}

fn by_the_crate(documents: &[String]) {
    for document in documents {
        let canonical = serde_json_canonicalizer::pipe(document).unwrap();
        black_box(Sha256::digest(canonical.as_bytes()));
    }
}

fn hashed(documents: &[String]) {
    for document in documents {
        black_box(Sha256::digest(document.as_bytes()));
    }
}

fn bytes(documents: &[String]) -> BytesCount {
    BytesCount::new(documents.iter().map(String::len).sum::<usize>())
}

#[divan::bench(args = ["small", "big", "numbers", "text"])]
fn assize(bencher: Bencher<'_, '_>, kind: &str) {
    let documents = documents(kind);
    bencher.counter(bytes(&documents)).bench(|| each(&documents));
}

/// The same by one writer into one buffer.
#[divan::bench(args = ["small", "big", "numbers", "text"])]
fn assize_again_and_again(bencher: Bencher<'_, '_>, kind: &str) {
    let documents = documents(kind);
    bencher.counter(bytes(&documents)).bench_local(|| {
        let (mut writer, mut out) = (Canonicalizer::new(Profile::Episode.rules()), Vec::new());
        for document in &documents {
            out.clear();
            writer.document(document.as_bytes(), &mut out).unwrap();
            black_box(Sum::of(&out));
        }
    });
}

#[divan::bench(args = ["small", "big", "numbers", "text"])]
fn serde_json_canonicalizer(bencher: Bencher<'_, '_>, kind: &str) {
    let documents = documents(kind);
    bencher.counter(bytes(&documents)).bench(|| by_the_crate(&documents));
}

#[divan::bench(args = ["small", "big", "numbers", "text"])]
fn sha256_alone(bencher: Bencher<'_, '_>, kind: &str) {
    let documents = documents(kind);
    bencher.counter(bytes(&documents)).bench(|| hashed(&documents));
}
