//! The module that packages carry: it imports nothing, exports what it promises, and answers as the same core does that is called here.
//!
//! `.ci/core` builds it, and a plain build does not: where it was not built, or Node.js is not here, these tests are skipped with a
//! line that says so. With `required` in `ASSIZE_LANGUAGES`, as where languages are required, they fail instead.

use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use assize_core::{LIMITS, answer};
use assize_corpus::{
    operation::{self, Argument},
    store::Store,
    vector::Corpus,
};
use serde_json::{Map, json};

use crate::vectors::{frame, needs_no_disk};

/// Where the module lies, if it was built.
fn module() -> Option<PathBuf> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| top.join("target"), |target| top.join(target));
    let built = target.join("core/assize-core.wasm");
    is_here(built.is_file(), "the core was not built as a module (.ci/core)").then_some(built)
}

/// Says what is skipped, or fails where it is required.
fn is_here(here: bool, missing: &str) -> bool {
    let required = env::var("ASSIZE_LANGUAGES").is_ok_and(|words| words.split(',').any(|word| word == "required"));
    assert!(here || !required, "{missing}");
    if !here {
        eprintln!("skipped: {missing}");
    }
    here
}

/// Reads a number of a module (LEB128, unsigned).
fn number(bytes: &mut &[u8]) -> usize {
    let (mut value, mut shift) = (0, 0);
    loop {
        let byte = bytes[0];
        *bytes = &bytes[1..];
        value |= usize::from(byte & 0x7f) << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            return value;
        }
    }
}

fn text(bytes: &mut &[u8]) -> String {
    let len = number(bytes);
    let (text, rest) = bytes.split_at(len);
    *bytes = rest;
    String::from_utf8(text.to_vec()).unwrap()
}

/// The sections of a module by their id. (WebAssembly Core Specification, 5.5.2.)
fn section(module: &[u8], wanted: usize) -> Option<&[u8]> {
    assert_eq!(&module[..8], b"\0asm\x01\0\0\0");
    let mut rest = &module[8..];
    while !rest.is_empty() {
        let (id, len) = (number(&mut rest), number(&mut rest));
        let (content, after) = rest.split_at(len);
        if id == wanted {
            return Some(content);
        }
        rest = after;
    }
    None
}

#[test]
fn the_module_imports_nothing_and_exports_a_pair_of_functions() {
    let Some(path) = module() else { return };
    let module = fs::read(path).unwrap();
    let imports = section(&module, 2).map_or(0, |mut imports| number(&mut imports));
    assert_eq!(imports, 0, "imports");
    let mut exports = section(&module, 7).expect("exports");
    let mut functions = BTreeSet::new();
    for _ in 0..number(&mut exports) {
        let name = text(&mut exports);
        let (kind, _) = (number(&mut exports), number(&mut exports));
        if kind == 0 {
            functions.insert(name);
        }
    }
    // The third is what the crate getrandom calls in place of a host.
    let owed = ["__getrandom_v03_custom", "assize_allocate", "assize_answer"];
    assert_eq!(functions, BTreeSet::from(owed.map(str::to_owned)));
    assert!(module.len() < 5_000_000, "{} bytes", module.len());
}

/// Each frame, then each answer, with its length before it.
const HOST: &str = r#"
const fs = require("node:fs");
const [core, from, to] = process.argv.slice(1);
const { exports } = new WebAssembly.Instance(new WebAssembly.Module(fs.readFileSync(core)), {});
const frames = fs.readFileSync(from);
const out = [];
for (let at = 0; at < frames.length; ) {
    const len = frames.readUInt32LE(at);
    const place = exports.assize_allocate(len) >>> 0;
    new Uint8Array(exports.memory.buffer).set(frames.subarray(at + 4, at + 4 + len), place);
    const said = BigInt.asUintN(64, exports.assize_answer());
    const answer = Buffer.from(new Uint8Array(exports.memory.buffer, Number(said >> 32n), Number(said & 0xffffffffn)));
    const head = Buffer.alloc(4);
    head.writeUInt32LE(answer.length);
    out.push(head, answer);
    at += 4 + len;
}
if (exports.assize_allocate(Number(process.env.TOO_LARGE)) !== 0) throw new Error("taken, whatever its size");
fs.writeFileSync(to, Buffer.concat(out));
"#;

/// Documents that are as deep as any that is taken, each open to its end or closed again.
fn deep() -> Vec<Vec<u8>> {
    let open = ["[", "{\"a\":"].map(|open| open.repeat(LIMITS.depth));
    let closed = [("[", "]"), ("{\"a\":", "}")]
        .map(|(open, close)| format!("{}0{}", open.repeat(LIMITS.depth), close.repeat(LIMITS.depth)));
    let documents: Vec<String> = open.into_iter().chain(closed).collect();
    let mut frames = Vec::new();
    for operation in &operation::table().operations {
        for document in &documents {
            let content = json!({"at": 0, "len": document.len()});
            let docs: Map<_, _> = operation.inputs.iter().map(|input| (input.name.clone(), content.clone())).collect();
            let first = |argument: &Argument| Some((argument.name.clone(), argument.values.as_ref()?.first()?.clone()));
            let args: Map<_, _> = operation.args.iter().filter_map(first).collect();
            let line = json!({"op": operation.name, "args": args, "in": docs, "files": {}});
            frames.push(format!("{line}\n{document}").into_bytes());
        }
    }
    frames
}

#[test]
fn the_module_answers_every_vector_and_every_deep_document_as_the_core_does_here() {
    let Some(path) = module() else { return };
    let node = Command::new("node").arg("--version").output().is_ok_and(|said| said.status.success());
    if !is_here(node, "Node.js is not here, which runs the module") {
        return;
    }
    let corpus = Corpus::load(&Store::embedded());
    let mut frames: Vec<Vec<u8>> = corpus.cases.values().filter(|case| needs_no_disk(case)).map(frame).collect();
    frames.extend(deep());
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (folder.path().join("frames"), folder.path().join("answers"));
    let with_len = |frame: &Vec<u8>| [&u32::try_from(frame.len()).unwrap().to_le_bytes(), frame.as_slice()].concat();
    fs::write(&from, frames.iter().flat_map(with_len).collect::<Vec<u8>>()).unwrap();
    let mut host = Command::new("node");
    host.args(["--eval", HOST]).arg(&path).arg(&from).arg(&to).env("TOO_LARGE", (LIMITS.bytes + 1).to_string());
    let said = host.output().unwrap();
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    let answers = fs::read(&to).unwrap();
    let (mut rest, mut parted) = (answers.as_slice(), Vec::new());
    for frame in &frames {
        let (len, after) = rest.split_first_chunk().unwrap();
        let (found, after) = after.split_at(u32::from_le_bytes(*len) as usize);
        if found != answer(frame) {
            parted.push(String::from_utf8_lossy(&frame[..frame.len().min(300)]).into_owned());
        }
        rest = after;
    }
    let count = parted.len();
    parted.truncate(5);
    assert!(count == 0, "{count} of {}; is the module of these sources (.ci/core)? {parted:#?}", frames.len());
}
