//! What the core takes without a package around it: 10,000 small documents in canonical form, and one pair of bundles.
//!
//! Run by `faces.py`, which writes the folder that it is given. Prints the seconds of both, and what came out, as a line of JSON.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    missing_docs,
    reason = "a measuring program: it stops on the first surprise"
)]

use std::{
    env,
    fs::{read, read_dir, read_to_string},
    path::Path,
    time::Instant,
};

use assize_core::answer;
use serde_json::{Map, Value, json};

/// A question as packages ask it: what is said in a line, and all bytes behind it.
fn ask(op: &str, args: &Value, documents: &[(&str, &[u8])], files: &[(String, Vec<u8>)]) -> Value {
    let mut behind = Vec::new();
    let mut put = |bytes: &[u8]| {
        let at = behind.len();
        behind.extend_from_slice(bytes);
        json!({"at": at, "len": bytes.len()})
    };
    let documents: Map<_, _> = documents.iter().map(|(name, bytes)| ((*name).to_owned(), put(bytes))).collect();
    let files: Map<_, _> = files.iter().map(|(path, bytes)| (path.clone(), put(bytes))).collect();
    let line = json!({"op": op, "args": args, "in": documents, "files": files});
    let said = answer(&[line.to_string().as_bytes(), b"\n", &behind].concat());
    serde_json::from_slice(&said).unwrap()
}

fn main() {
    // Cargo hands `--bench` to a benchmark that it runs itself.
    let Some(folder) = env::args().skip(1).find(|word| word != "--bench") else { return };
    let folder = Path::new(&folder);
    let small = read_to_string(folder.join("small.jsonl")).unwrap();
    let began = Instant::now();
    let accepted = small.lines().filter(|line| {
        let said = ask("canon.bytes", &json!({"profile": "rfc8785"}), &[("doc", line.as_bytes())], &[]);
        said["is"] == "accept"
    });
    let accepted = accepted.count();
    let small = began.elapsed().as_secs_f64();
    let bundles = ["a", "b"].map(|side| read(folder.join(side).with_extension("json")).unwrap());
    let turns = ["a", "b"].into_iter().flat_map(|side| {
        read_dir(folder.join(side)).unwrap().map(move |entry| {
            let entry = entry.unwrap();
            (format!("{side}/{}", entry.file_name().to_str().unwrap()), read(entry.path()).unwrap())
        })
    });
    let turns: Vec<_> = turns.collect();
    let began = Instant::now();
    let [a, b] = &bundles;
    let said = ask("sovereign.compare", &json!({"mode": "law"}), &[("bundle_a", a), ("bundle_b", b)], &turns);
    let large = began.elapsed().as_secs_f64();
    let report = said["out"]["report"].as_str().unwrap().len();
    println!("{}", json!({"small": small, "large": large, "accepted": accepted, "report": report}));
}
