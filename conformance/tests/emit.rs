//! `assize emit` and `assize init` as a user sees them: what is written, kept, refused and compared.

use std::{fs, path::Path};

use crate::support::{Ran, run_in};
use serde_json::Value;
use tempfile::TempDir;

/// A language that no code knows.
const TOY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../generators/tests/toy");

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    #[track_caller]
    fn run(&self, words: &str) -> Ran {
        let words = words.replace("TOY", TOY);
        run_in(self.0.path(), &words.split(' ').collect::<Vec<_>>(), b"")
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.0.path().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.0.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn json(&self, path: &str) -> Value {
        serde_json::from_str(&self.read(path)).unwrap()
    }

    fn has(&self, path: &str) -> bool {
        self.0.path().join(path).exists()
    }
}

#[test]
fn packs_are_written_compared_and_narrowed() {
    let folder = Folder::new();
    folder
        .run("emit --what packs --form jsonl,yaml --laws canon/episode --out p")
        .exits(0)
        .says(&["p: 5 files written"]);
    let manifest = folder.json("p/jsonl/manifest.json");
    assert_eq!(manifest["laws"][0]["slug"], "canon/episode");
    let count = usize::try_from(manifest["total"].as_u64().unwrap()).unwrap();
    assert_eq!(folder.read("p/jsonl/canon/episode.jsonl").lines().count(), count);
    assert!(folder.has("p/yaml/canon/episode.yaml") && !folder.has("p/json"));
    folder.run("emit --check --out p").exits(0).says(&["as it would be written now"]);
    folder.write("p/yaml/canon/episode.yaml", "");
    folder.run("emit --check --out p").exits(1).says(&["changed   yaml/canon/episode.yaml"]);
    let listed = folder.run("emit --check --out p --format json").exits(1).json();
    assert_eq!(listed["differences"][0]["path"], "yaml/canon/episode.yaml");
    folder
        .run("emit --update --out p")
        .exits(3)
        .complains(&["generated files were edited: yaml/canon/episode.yaml (1 in all)", "nothing was written"]);
}

/// Nobody's memory is filled with a file that the generator cannot have written.
#[test]
fn files_that_are_too_large_are_named() {
    let folder = Folder::new();
    folder.run("emit --what packs --form jsonl --laws canon/episode --out p").exits(0);
    let large = |path: &str| {
        fs::OpenOptions::new().write(true).open(folder.0.path().join(path)).unwrap().set_len(3 << 30).unwrap();
    };
    let says =
        |path: &str| format!("{path}: has 3221225472 bytes, more than the 256 MiB that a file of a project may have");
    for path in ["jsonl/canon/episode.jsonl", "assize-manifest.json"] {
        large(&format!("p/{path}"));
        for again in ["--check", "--update"] {
            folder.run(&format!("emit {again} --out p")).exits(3).complains(&[&says(path)]);
        }
    }
}

#[test]
fn a_language_need_not_be_built_in() {
    let folder = Folder::new();
    let emit = "emit --what suite,kit --language-dir TOY --systems sovereign --mode law";
    let said = folder.run(&format!("{emit} --package mine --out s")).exits(0);
    said.says(&["files written", "  toyc mine\n", "  toy test\n"]);
    assert!(folder.has("s/mine/interface.toy") && folder.has("s/vectors/sovereign/float-ban.jsonl"));
    let manifest = folder.json("s/assize-manifest.json");
    assert_eq!(manifest["parameters"]["modes"][0], "law");
    for line in folder.read("s/vectors/sovereign/float-ban.jsonl").lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        assert_eq!(case["args"]["mode"], "law", "{case}");
    }
    folder.run("emit --check --language-dir TOY --out s").exits(0);
    folder.run("emit --check --out s").exits(64).complains(&["no language is called \"toy\""]);
}

#[test]
fn an_implementers_files_are_kept_and_foreign_ones_left_alone() {
    let folder = Folder::new();
    folder.run("init toy k --language-dir TOY --empty").exits(0).says(&["next, in that folder"]);
    assert_eq!(folder.read("k/mine/kernel.toy"), "nothing yet\n");
    folder.write("k/mine/kernel.toy", "my own\n");
    folder.run("init toy k --language-dir TOY").exits(3).complains(&["is there already", "--update"]);
    folder.run("emit --update --laws canon --language-dir TOY --out k").exits(0).says(&["removed", "1 of yours kept"]);
    assert_eq!(folder.read("k/mine/kernel.toy"), "my own\n");
    assert!(!folder.has("k/vectors/sovereign/float-ban.jsonl") && folder.has("k/vectors/canon/episode.jsonl"));

    fs::create_dir(folder.0.path().join("f")).unwrap();
    folder.write("f/Toyfile", "somebody's");
    let refused = folder.run("init toy f --language-dir TOY").exits(3);
    refused.complains(&["stand in the way: Toyfile (1 in all)", "nothing was written"]);
    assert_eq!(fs::read_dir(folder.0.path().join("f")).unwrap().count(), 1);
}

#[test]
fn one_function_is_one_function() {
    let folder = Folder::new();
    let laws = "--laws canon/rfc8785,canon/i-json";
    folder.run(&format!("init toy k --language-dir TOY --operations canon.bytes {laws}")).exits(0);
    assert_eq!(folder.read("k/mine/kernel.toy"), "nothing yet\n");
    let operations = |project: &str| folder.read(&format!("{project}/toy/interface.toy")).matches("operation ").count();
    assert_eq!(operations("k"), 1);
    assert!(folder.has("k/vectors/canon/i-json.jsonl") && !folder.has("k/vectors/canon/episode.jsonl"));
    let manifest = folder.json("k/assize-manifest.json");
    assert_eq!(manifest["parameters"]["operations"], serde_json::json!(["canon.bytes"]));
    // What was said once is said for every update.
    folder.run("emit --check --language-dir TOY --out k").exits(0);
    folder.run("init toy l --language-dir TOY --systems canon --plant wrong-order").exits(0);
    assert!(!folder.has("l/vectors/sovereign") && operations("l") > 20);
    folder.run("init toy m --language-dir TOY --operations canon.byte").exits(64).complains(&["canon.bytes"]);
    folder.run("init toy m --language-dir TOY --operations canon.bytes --plant wrong-order").exits(64);
    folder.run("init toy m --language-dir TOY --operations canon.bytes --laws reply").exits(3);
    assert!(!folder.has("m"));
}

#[test]
fn a_language_answers_to_its_short_names() {
    let folder = Folder::new();
    let files = [
        ("ts", "package.json"),
        ("c++", "CMakeLists.txt"),
        ("py", "pytest.ini"),
        ("golang", "go.mod"),
        ("rs", "Cargo.toml"),
    ];
    for (name, file) in files {
        folder.run(&format!("init {name} {file}.d --operations canon.bytes --laws canon/i-json")).exits(0);
        assert!(folder.has(&format!("{file}.d/{file}")), "{name}");
    }
    let said = folder.run("init --help").exits(0);
    said.says(&["typescript, ts: ", "cpp, c++, cxx: ", "utf16-key-order"]);
    folder.run("init klingon k").exits(64).complains(&["there are cpp, c++, cxx, go, golang, java, python"]);
}

/// What somebody's repository has, and what names somebody's libraries, is theirs.
#[test]
fn a_repository_keeps_its_own_pages_and_libraries() {
    let folder = Folder::new();
    let few = "--operations canon.bytes --laws canon/i-json";
    for (language, theirs) in [("python", "pyproject.toml"), ("java", "pom.xml"), ("rust", "Cargo.toml")] {
        fs::create_dir(folder.0.path().join(language)).unwrap();
        let (page, libraries) = (format!("{language}/README.md"), format!("{language}/{theirs}"));
        folder.write(&page, "# ours\n");
        folder.run(&format!("init {language} {language} {few}")).exits(0).says(&["ASSIZE.md says more"]);
        assert_eq!(folder.read(&page), "# ours\n");
        let with_a_library = folder.read(&libraries) + "\n";
        folder.write(&libraries, &with_a_library);
        folder.run(&format!("emit --update --laws canon/rfc8785 --out {language}")).exits(0);
        assert_eq!(folder.read(&libraries), with_a_library, "{language}");
        assert_eq!(folder.read(&page), "# ours\n");
        folder.run(&format!("emit --check --out {language}")).exits(0);
    }
    folder.run(&format!("init go alone {few}")).exits(0);
    assert!(folder.read("alone/README.md").contains("[ASSIZE.md](ASSIZE.md)"));
}

#[test]
fn an_npm_package_may_have_a_scope() {
    let folder = Folder::new();
    folder.run("init ts k --operations canon.bytes --laws canon/i-json --package @scope/name").exits(0);
    assert_eq!(folder.json("k/package.json")["name"], "@scope/name");
    folder.run("init ts l --package @scope").exits(64).complains(&["not a package of TypeScript", "@acme/kernel"]);
}

#[test]
fn the_example_can_hold_a_planted_bug() {
    let folder = Folder::new();
    let said = folder.run("init toy k --language-dir TOY --plant wrong-order").exits(0);
    said.says(&["planted wrong-order: the suite turns red at sovereign/report-ordering"]);
    assert!(folder.read("k/mine/kernel.toy").contains("sort by length"));
    folder
        .run("init toy l --language-dir TOY --plant x")
        .exits(64)
        .complains(&["no bug is called \"x\"", "wrong-order"]);
    assert!(!folder.has("l"));
}

#[test]
fn known_failures_reach_the_suite_and_stay_over_an_update() {
    let folder = Folder::new();
    let id = first_case("sovereign/deny-precedence");
    folder.write(
        "known.toml",
        &format!("[[failure]]\ncases = [\"{id}\"]\noutcome = \"WRONG-CODE\"\nreason = \"r\"\nlink = \"l\"\n"),
    );
    let emit =
        "emit --what suite --language-dir TOY --laws sovereign/deny-precedence --expectations known.toml --out s";
    folder.run(emit).exits(0);
    for _ in 0..2 {
        let manifest = folder.json("s/vectors/manifest.json");
        assert_eq!(manifest["known"][0]["id"], id.as_str());
        assert_eq!(manifest["known"][0]["outcome"], "WRONG-CODE");
        folder.run("emit --update --language-dir TOY --out s").exits(0);
    }
}

/// The first case of a law.
fn first_case(law: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors").join(law);
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|name| name.ends_with(".json"));
    names.sort();
    format!("{law}/{}", names[0].trim_end_matches(".json"))
}

/// What runs the core is not asked here: any module will do.
#[test]
fn a_package_that_verifies_carries_the_core_that_was_named() {
    let folder = Folder::new();
    let few = "--laws canon/i-json";
    folder.write("core.wasm", "\0asm one");
    folder.write("newer.wasm", "\0asm two");
    folder.write("text", "no module");
    let emit = |core: &str| folder.run(&format!("emit --what verifier --lang ts {few} {core}--out v"));
    emit("").exits(64).complains(&["no core was named", "--core"]);
    emit("--core text ").exits(3).complains(&["no WebAssembly module"]);
    emit("--core nothing ").exits(3).complains(&["nothing"]);
    for (words, complaint) in [
        ("--what verifier --lang rust", "no package of Rust that verifies"),
        ("--what verifier --lang ts --operations canon.bytes", "has every operation"),
        ("--what verifier,packs --lang ts", "packs are not part"),
    ] {
        folder.run(&format!("emit {words} --core core.wasm --out v")).exits(64).complains(&[complaint]);
    }
    assert!(!folder.has("v"));
    emit("--core core.wasm ").exits(0);
    assert_eq!(folder.read("v/core/assize-core.wasm"), "\0asm one");
    assert!(
        folder.has("v/src/verifier/index.ts") && folder.has("v/vectors/canon/i-json.jsonl") && folder.has("v/LICENSE")
    );
    // What is not said is as it was, the core with it.
    folder.run("emit --check --out v").exits(0);
    folder.run("emit --check --core newer.wasm --out v").exits(1).says(&["core/assize-core.wasm"]);
    folder.run("emit --update --core newer.wasm --out v").exits(0);
    assert_eq!(folder.read("v/core/assize-core.wasm"), "\0asm two");
    folder.run("emit --update --out v").exits(0);
    assert_eq!(folder.read("v/core/assize-core.wasm"), "\0asm two");
}

/// What compiles it is not asked here: any sources will do.
#[test]
fn a_package_that_compiles_the_core_carries_its_sources() {
    let folder = Folder::new();
    for (path, text) in [
        ("sources/assize-core/Cargo.toml", "one"),
        ("sources/assize-core/old.rs", "gone later"),
        ("newer/assize-core/Cargo.toml", "two"),
        ("newer/assize-verifier/src/lib.rs", "new"),
        ("other/readme", "no sources"),
        ("core.wasm", "\0asm"),
    ] {
        folder.write(path, text);
    }
    let emit =
        |core: &str| folder.run(&format!("emit --what verifier --lang python --laws canon/i-json {core}--out v"));
    emit("").exits(64).complains(&["no core was named", "--core", "the folder of sources"]);
    emit("--core other ").exits(3).complains(&["no sources of the core"]);
    emit("--core core.wasm ").exits(3).complains(&["core.wasm"]);
    assert!(!folder.has("v"));
    emit("--core sources ").exits(0);
    assert_eq!(folder.read("v/native/core/assize-core/Cargo.toml"), "one");
    // What a build leaves is no part of it.
    folder.write("v/native/target/built", "");
    folder.run("emit --check --out v").exits(0);
    folder.run("emit --check --core newer --out v").exits(1).says(&["native/core/assize-verifier/src/lib.rs"]);
    folder.run("emit --update --core newer --out v").exits(0);
    assert_eq!(folder.read("v/native/core/assize-core/Cargo.toml"), "two");
    assert!(folder.has("v/native/core/assize-verifier/src/lib.rs") && !folder.has("v/native/core/assize-core/old.rs"));
    folder.run("emit --check --out v").exits(0);
}

/// What a browser makes of it is not asked here: any module will do.
#[test]
fn a_page_carries_the_core_that_was_named() {
    let folder = Folder::new();
    folder.write("core.wasm", "\0asm one");
    folder.write("newer.wasm", "\0asm two");
    folder.write("text", "no module");
    let emit = |more: &str| folder.run(&format!("emit --what page {more}--out p"));
    emit("").exits(64).complains(&["no core was named", "--core"]);
    emit("--core text ").exits(3).complains(&["no WebAssembly module"]);
    for more in ["--laws canon/i-json ", "--systems reply ", "--operations canon.bytes ", "--lang ts ", "--package p "]
    {
        emit(&format!("--core core.wasm {more}")).exits(64).complains(&["every operation and every law"]);
    }
    folder.run("emit --what page,packs --core core.wasm --out p").exits(64).complains(&["a page stands alone"]);
    assert!(!folder.has("p"));
    emit("--core core.wasm ").exits(0);
    let page = folder.read("p/assize.html");
    assert!(page.contains("sovereign.compare") && page.contains("authority/ledger-integrity"), "operations and laws");
    // What is not said is as it was, the core with it.
    folder.run("emit --check --out p").exits(0);
    folder.run("emit --check --core newer.wasm --out p").exits(1).says(&["assize.html"]);
    folder.run("emit --update --core newer.wasm --out p").exits(0);
    folder.run("emit --check --out p").exits(0);
    folder.run("emit --check --core core.wasm --out p").exits(1);
    folder.write("p/assize.html", "without a core");
    folder.run("emit --check --out p").exits(3).complains(&["assize.html: no WebAssembly module"]);
}

#[test]
fn what_cannot_be_meant_is_said() {
    let folder = Folder::new();
    folder.run("emit --out s").exits(64).complains(&["--what"]);
    folder.run("emit --what suite --out s").exits(64).complains(&["no language was named", "--lang"]);
    folder.run("emit --what suite --lang klingon --out s").exits(64).complains(&["klingon", "--language-dir"]);
    folder.run("emit --what packs,kit --out s").exits(64).complains(&["packs are not part of a suite"]);
    folder.run("emit --what packs --laws sovereign/float-bann --out s").exits(3).complains(&["takes no case"]);
    folder
        .run("emit --what suite --language-dir TOY --package NO --out s")
        .exits(64)
        .complains(&["not a package of Toy"]);
    folder.run("emit --check --out nowhere").exits(3).complains(&["nowhere"]);
    folder.run("init go k --language-dir TOY").exits(64).complains(&["holds the language \"toy\""]);
    folder.run("emit --check --update --out s").exits(64);
}

/// What is refused leaves no folder behind.
#[test]
fn a_refusal_leaves_nothing() {
    let folder = Folder::new();
    folder.run("emit --what suite --lang klingon --out s").exits(64);
    folder.run("emit --what packs --laws nothing --out s").exits(3);
    assert!(!folder.has("s"));
}
