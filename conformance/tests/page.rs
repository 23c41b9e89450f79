//! The page that verifies, in a browser: cases of the corpus are handed over as files, folders and zips, and what the page then shows
//! is held to what the case expects.
//!
//! It is tried by itself, where `ASSIZE_LANGUAGES` names `page`, and needs the core that `.ci/core` makes and Chromium. Where one of them
//! is missing it is skipped with a line that says so; with `required,page` it fails instead. With `ASSIZE_PICTURES=FOLDER` pictures of the page are left there:
//!
//! ```text
//! ASSIZE_LANGUAGES=required,page cargo test --workspace --test it -- the_page --nocapture
//! ```

mod artefact;
pub(crate) mod browser;

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    fs::File,
    io::Write as _,
    path::{Path, PathBuf},
};

use assize_corpus::{
    node::Node,
    operation,
    store::Store,
    vector::{Agreement, Case, Corpus, Entry, Expect, Verdict},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use crate::support::{is_said, run_in};
use artefact::{Packed, TOP, zipped};
use browser::Browser;

/// A lawful and an unlawful artefact of each system, and how it is handed over.
const CASES: [(&str, Handed); 16] = [
    ("sovereign/issue-multiplicity/iss-02-swap-within-one-bucket-law", Handed::Folder),
    ("sovereign/issue-multiplicity/iss-04-empty-location-law", Handed::Zip),
    ("sovereign/float-ban/law-04-level-nan-law", Handed::Folder),
    ("episode/receipt-chain/a-line", Handed::Dropped),
    ("episode/receipt-chain/a-parent-in-upper-case", Handed::Zip),
    ("episode/dispute/of-a-failed-step", Handed::Zip),
    ("kernel/registry-versions/a-code-is-gone-under-a-major", Handed::Folder),
    ("kernel/registry-versions/a-code-comes-back-under-a-patch", Handed::Folder),
    ("kernel/ledger/audit-of-a-lawful-ledger", Handed::Zip),
    ("kernel/ledger/audit-of-a-ledger-cut-off", Handed::Zip),
    ("reply/envelope-members/as-printed-in-the-specification", Handed::Folder),
    ("reply/area-registered/envelope-wa-git-i-001", Handed::Folder),
    ("reply/builder-api/with-code", Handed::Folder),
    ("reply/area-registered/trace-unknown-area", Handed::Zip),
    ("authority/canonical-form/escapes-undone", Handed::Folder),
    ("authority/ledger-integrity/kind-changed", Handed::Dropped),
];

/// How a case is handed over.
#[derive(Debug, Clone, Copy)]
enum Handed {
    /// As a folder that is chosen, or as its only file.
    Folder,
    /// As a zip.
    Zip,
    /// As what is dragged onto the page: the folder, or its only file.
    Dropped,
}

/// Says why nothing is tried, unless that may not be.
pub(crate) fn skip(why: &str) {
    assert!(!is_said("required"), "page: {why}");
    eprintln!("page: skipped: {why}");
}

#[test]
fn the_page_shows_what_the_corpus_expects() {
    // A browser leaves processes behind, for which tests that count their own would wait.
    if !is_said("page") {
        return eprintln!("page: left to ASSIZE_LANGUAGES=page");
    }
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let target =
        env::var_os("CARGO_TARGET_DIR").map_or_else(|| repository.join("target"), |path| repository.join(path));
    let core = target.join("core/assize-core.wasm");
    if !core.exists() {
        return skip(&format!("the core was not made: {} is missing (.ci/core)", core.display()));
    }
    let Some(program) = browser::found() else { return skip("Chromium is not here (Debian: chromium)") };
    let folder = tempfile::tempdir().unwrap();
    run_in(folder.path(), &["emit", "--what", "page", "--core", core.to_str().unwrap(), "--out", "page"], b"").exits(0);
    let html = folder.path().join("page/assize.html");
    eprintln!("page: {} bytes", fs::metadata(&html).unwrap().len());
    let mut page = Page::open(&program, &html);
    let corpus = Corpus::load(&Store::embedded());
    for (number, (id, handed)) in CASES.iter().enumerate() {
        let case = &corpus.cases[*id];
        let place = folder.path().join(number.to_string());
        let path = match handed {
            Handed::Folder | Handed::Dropped => artefact::folder(case, &place),
            Handed::Zip => artefact::zip(case, &place, TOP, ""),
        };
        let shown = match handed {
            Handed::Dropped => page.drop_on(&path),
            _ => page.take(&[path]),
        };
        agrees(case, &shown);
        page.picture(&id.replace('/', "-"));
    }
    page.puts_every_question(&corpus, folder.path());
    page.judges_what_was_packed(&corpus, folder.path());
    page.is_corrected(&corpus.cases["authority/replay/blueprint-forged"], folder.path());
    page.says_what_is_wrong(folder.path());
    page.outlives_200_megabytes(folder.path());
    page.asked_for_nothing(&html);
}

/// The page in its browser.
struct Page {
    browser: Browser,
}

/// Everything that people see of an answer.
const SEEN: &str = r##"(() => {
  const text = (selector, from) => from?.querySelector(selector)?.innerText;
  const within = (item) => Object.fromEntries([...item.querySelectorAll("dt")].map((name) => [name.innerText, name.nextSibling.innerText]));
  const visible = (id) => { const place = document.getElementById(id); return place.hidden ? null : place.innerText; };
  const result = document.getElementById("result");
  return result.hidden ? { trouble: visible("trouble") } : {
    word: text("#word", result),
    good: result.querySelector(".verdict").classList.contains("good"),
    outputs: within(result.querySelector("#outputs")),
    codes: [...result.querySelectorAll("#codes code")].map((code) => code.innerText),
    findings: [...result.querySelectorAll("#findings li")].map((item) => ({ ...within(item), severity: text(".state", item) })),
    op: document.getElementById("op").value,
    trouble: visible("trouble"),
  };
})()"##;

/// Fills the form in, as people would, and sends it.
const PUT: &str = r#"({ op, args, choices }) => {
  const set = (id, value) => {
    const control = document.getElementById(id);
    if (control.tagName === "FIELDSET") {
      control.querySelectorAll("input").forEach((box) => { box.checked = value.includes(box.value); });
    } else {
      control.value = control.tagName === "TEXTAREA" ? JSON.stringify(value) : value;
    }
    control.dispatchEvent(new Event("change"));
  };
  set("op", op);
  choices.forEach(([id, value]) => set(id, value));
  Object.entries(args).forEach(([name, value]) => set(`arg-${name}`, value));
  document.getElementById("question").requestSubmit();
}"#;

/// Settled once the page has done what it does next.
const NEXT: &str = r#"globalThis.next = new Promise((done) => {
  const main = document.getElementById("main");
  new MutationObserver((_, all) => {
    if (main.getAttribute("aria-busy") === "false") { all.disconnect(); done(); }
  }).observe(main, { attributes: true });
}); 0"#;

/// Settled once the verifier is ready.
const READY: &str = r##"new Promise((done) => {
  const see = () => document.querySelector("#main[data-ready]") !== null && done();
  new MutationObserver(see).observe(document, { attributes: true, childList: true, subtree: true });
  see();
})"##;

impl Page {
    fn open(program: &Path, html: &Path) -> Self {
        let mut browser = Browser::start(program);
        browser.ask(
            "Emulation.setDeviceMetricsOverride",
            json!({"width": 1100, "height": 900, "deviceScaleFactor": 1, "mobile": false}),
        );
        browser.ask("Page.navigate", json!({"url": format!("file://{}", html.display())}));
        browser.see(READY);
        Self { browser }
    }

    /// Hands files or a folder over, and gives what is shown then.
    fn take(&mut self, paths: &[PathBuf]) -> Value {
        let input = if paths.iter().any(|path| path.is_dir()) { "#folder" } else { "#files" };
        self.browser.see(NEXT);
        self.browser.choose(input, paths);
        self.browser.see("next");
        self.browser.see(SEEN)
    }

    /// Drags a file or a folder onto the page, and gives what is shown then.
    fn drop_on(&mut self, path: &Path) -> Value {
        self.browser.see(NEXT);
        let data = json!({"items": [], "files": [path], "dragOperationsMask": 1});
        for kind in ["dragEnter", "dragOver", "drop"] {
            let event = json!({"type": kind, "x": 300, "y": 200, "data": data});
            self.browser.ask("Input.dispatchDragEvent", event);
        }
        self.browser.see("next");
        self.browser.see(SEEN)
    }

    /// Another question than the one that was guessed.
    fn is_corrected(&mut self, case: &Case, place: &Path) {
        let shown = self.take(&[artefact::folder(case, &place.join("corrected"))]);
        assert_eq!(shown["op"], "authority.chain", "a ledger is taken for a chain");
        agrees(case, &self.put(case, &[]));
    }

    /// A folder that was packed from within is the same folder, and of two that fit none is judged unasked.
    fn judges_what_was_packed(&mut self, corpus: &Corpus, folder: &Path) {
        let case = &corpus.cases["kernel/ledger/audit-of-a-ledger-as-an-array"];
        let shown = self.take(&[artefact::zip(case, &folder.join("within"), "", "")]);
        agrees(case, &shown);
        let pack = &corpus.cases["episode/receipt-chain/a-line"];
        let place = folder.join("two");
        for one in ["a", "b"] {
            artefact::folder(pack, &place.join(one));
        }
        let shown = self.take(&[place]);
        assert!(shown["word"].is_null() && shown["trouble"].is_null(), "{shown}");
        let said = self.browser.see("document.getElementById('status').innerText");
        assert!(said.as_str().unwrap().contains("2 folders could be it"), "{said}");
    }

    /// Puts the question of a case through the form: operation, arguments, and these choices by the name of their field.
    fn put(&mut self, case: &Case, choices: &[(String, String)]) -> Value {
        self.browser.see(NEXT);
        let choices = json!({"op": case.op, "args": case.args, "choices": choices});
        self.browser.see(&format!("({PUT})({choices})"));
        self.browser.see("next");
        self.browser.see(SEEN)
    }

    /// Of every operation one case that is accepted and one that is rejected, with whatever arguments it has.
    fn puts_every_question(&mut self, corpus: &Corpus, folder: &Path) {
        let readable = |case: &Case| !case.files.values().any(|entry| matches!(entry, Entry::Unreadable { .. }));
        let mut first = BTreeMap::new();
        for case in corpus.cases.values().filter(|case| case.any_of.is_empty() && readable(case)) {
            first.entry((&case.op, case.expect.is == Verdict::Accept)).or_insert(case);
        }
        let asked: BTreeSet<&str> = first.keys().map(|(op, _)| op.as_str()).collect();
        assert!(operation::table().operations.iter().all(|operation| asked.contains(operation.name.as_str())));
        let mut compared = 0;
        for (number, case) in first.values().enumerate() {
            let place = folder.join(format!("asked-{number}"));
            // A question without any file needs one to be handed over all the same.
            fs::create_dir_all(&place).unwrap();
            let nothing = case.inputs.is_empty() && case.files.is_empty();
            let path = if nothing { place.join("nothing.json") } else { artefact::zip(case, &place, TOP, "root/") };
            if nothing {
                fs::write(&path, "0").unwrap();
            }
            self.take(&[path]);
            let mut choices: Vec<(String, String)> =
                case.inputs.keys().map(|name| (format!("in-{name}"), format!("{TOP}{name}.json"))).collect();
            if case.wants_root() {
                // Without files the folder is the empty one.
                let below = if case.files.is_empty() { "\0".to_owned() } else { format!("{TOP}root") };
                choices.push(("root".to_owned(), below));
            }
            let shown = self.put(case, &choices);
            compared += says(case, &shown);
        }
        eprintln!("page: {} questions of {} operations, {compared} outputs compared", first.len(), asked.len());
        assert!(compared > 40, "{compared} outputs were compared");
    }

    /// What is no artefact, or a zip that lies, is an error that says what to do, and no verdict.
    fn says_what_is_wrong(&mut self, folder: &Path) {
        let write = |name: &str, bytes: &[u8]| {
            let path = folder.join(name);
            fs::write(&path, bytes).unwrap();
            path
        };
        let whole = zipped(&[Packed::file("a.json", b"{}")]);
        let mut longer = Packed::file("a.json", &[b' '; 4096]);
        longer.length = 16;
        let many: Vec<Packed> = (0..3)
            .map(|number| {
                let mut entry = Packed::file(&number.to_string(), b"");
                entry.length = 100 << 20;
                entry
            })
            .collect();
        let mut changed = zipped(&[Packed::file("a.json", b"{}")]);
        let at = changed.len() - 22 - 46 - 6 + 16;
        changed[at] ^= 1;
        // One entry fewer in the directory's end than in the directory, and another name before the bytes.
        let mut fewer = zipped(&[Packed::file("a.json", b"{}"), Packed::file("b.json", b"{}")]);
        let count = fewer.len() - 22 + 10;
        fewer[count] -= 1;
        let mut renamed = zipped(&[Packed::file("a.json", b"{}")]);
        renamed[30] = b'b';
        let deep = zipped(&[Packed::file(&"a/".repeat(2_500), b"")]);
        for (name, bytes, said) in [
            ("fewer.zip", fewer.as_slice(), "holds more than it says"),
            ("renamed.zip", &renamed, "another name where it lies"),
            ("deep.zip", &deep, "too long or too deep"),
            ("rooted.zip", &rooted(), "choose another question"),
            ("cut.zip", &whole[..whole.len() - 1], "it has no directory"),
            ("longer.zip", &zipped(&[longer]), "a.json is longer than it says"),
            ("large.zip", &zipped(&many), "unpacks to more than 256.0 MiB"),
            ("changed.zip", &changed, "a.json has other bytes than it says"),
            ("upwards.zip", &upwards(), "choose another question"),
            ("twice.zip", &zipped(&[Packed::file("a", b""), Packed::file("a", b"")]), "two entries of the name a"),
        ] {
            let shown = self.take(&[write(name, bytes)]);
            let trouble = shown["trouble"].as_str().unwrap_or_default();
            assert!(trouble.contains(said) && shown["word"].is_null(), "{name}: {shown}");
        }
        self.picture("trouble");
    }

    /// So much is answered, or refused with what to do; the page goes on in either case.
    fn outlives_200_megabytes(&mut self, folder: &Path) {
        let path = folder.join("large.json");
        let mut file = File::create(&path).unwrap();
        // The first record breaks the law of shape, and whoever reads on has much to read.
        let (first, megabyte) = ("[{\"record_hash\":1,\"parent\":2},", " ".repeat(1_000_000));
        for part in std::iter::once(first).chain(std::iter::repeat_n(megabyte.as_str(), 200)).chain(["{}]"]) {
            file.write_all(part.as_bytes()).unwrap();
        }
        let shown = self.take(&[path]);
        eprintln!("page: of 200 MB it says {shown}");
        let refused = shown["word"] == "Rejected" && shown["codes"] == json!(["authority/record-shape"]);
        let told = shown["trouble"].as_str().is_some_and(|trouble| trouble.contains("drop less at a time"));
        assert!(refused || told, "{shown}");
        let huge = folder.join("huge.json");
        File::create(&huge).unwrap().set_len(300 << 20).unwrap();
        let shown = self.take(&[huge]);
        let trouble = shown["trouble"].as_str().unwrap_or_default();
        assert!(trouble.contains("300.0 MiB") && trouble.contains("drop less at a time"), "{shown}");
    }

    /// Nothing but the page itself was asked for, and nobody complained.
    fn asked_for_nothing(&mut self, html: &Path) {
        let own = format!("file://{}", html.display());
        let foreign: Vec<&String> = self
            .browser
            .requests
            .iter()
            .filter(|address| **address != own && !["blob:", "data:"].iter().any(|scheme| address.starts_with(scheme)))
            .collect();
        assert!(foreign.is_empty(), "{foreign:?}");
        assert!(self.browser.requests.contains(&own), "what is asked for is not seen: {:?}", self.browser.requests);
        assert!(self.browser.complaints.is_empty(), "{:#?}", self.browser.complaints);
        // The policy itself: the page could not ask if it wanted.
        let tried = self.browser.see("fetch('http://127.0.0.1:9/').then(() => 'asked', (error) => error.name)");
        assert_eq!(tried, "TypeError");
        let said = self.browser.complaints.join("\n");
        assert!(said.contains("Content Security Policy"), "{said}");
    }

    /// Leaves pictures of the page, light and dark, where they are wanted.
    fn picture(&mut self, name: &str) {
        let Some(folder) = env::var_os("ASSIZE_PICTURES").map(PathBuf::from) else { return };
        for scheme in ["light", "dark"] {
            let feature = json!([{"name": "prefers-color-scheme", "value": scheme}]);
            self.browser.ask("Emulation.setEmulatedMedia", json!({"features": feature}));
            let bytes = STANDARD.decode(self.browser.picture()).unwrap();
            fs::write(folder.join(format!("{name}-{scheme}.png")), bytes).unwrap();
        }
    }
}

/// A zip with a path that leads upwards, which the verifier alone refuses.
fn upwards() -> Vec<u8> {
    zipped(&[
        Packed::file("episode_contract.json", b"{}"),
        Packed::file("receipt_pack.jsonl", b""),
        Packed::file("../outside.json", b"{}"),
    ])
}

/// A pack whose paths begin at the root of a system.
fn rooted() -> Vec<u8> {
    zipped(&[Packed::file("/episode_contract.json", b"{}"), Packed::file("/receipt_pack.jsonl", b"")])
}

/// What is shown has the verdict, the codes and the plain outputs that the case expects; how many of these were compared.
fn says(case: &Case, shown: &Value) -> usize {
    let Expect { is, codes, out } = &case.expect;
    let context = || format!("{}: {shown:#}", case.id);
    let said = if *is == Verdict::Accept { "accept" } else { "reject" };
    assert_eq!(shown["op"], case.op.as_str(), "{}", context());
    assert_eq!(shown["outputs"]["answer"], said, "{}", context());
    let listed: Vec<&str> = shown["codes"].as_array().unwrap().iter().map(|code| code.as_str().unwrap()).collect();
    // Where verdicts alone are compared, codes are an example.
    if case.agreement != Agreement::Verdict {
        assert_eq!(listed, codes.iter().map(String::as_str).collect::<Vec<_>>(), "{}", context());
    }
    let mut compared = 0;
    for (name, expected) in out {
        let plain = !matches!(expected.node, Node::Array(_) | Node::Object(_));
        // What is long is shown elsewhere, and what is observed is shown nowhere.
        if let Some(text) = shown["outputs"][name].as_str().filter(|_| plain) {
            assert_eq!(text, expected.node.canonical(), "{name}: {}", context());
            compared += 1;
        }
    }
    compared
}

/// What is shown is what the case expects: verdict, codes, and each finding that it states, at its place.
fn agrees(case: &Case, shown: &Value) {
    says(case, shown);
    let Expect { is, codes, out } = &case.expect;
    let context = || format!("{}: {shown:#}", case.id);
    let node = |name: &str| out.get(name).map(|expected| &expected.node);
    let report = node("report");
    let found = node("findings").or_else(|| report?.member("mismatches"));
    let rows = shown["findings"].as_array().unwrap();
    if let Some(Node::Array(expected)) = found {
        assert_eq!(rows.len(), expected.len(), "{}", context());
        for (row, finding) in rows.iter().zip(expected) {
            for (label, names) in [
                ("Law", ["law", ""]),
                ("Code", ["code", "reason_code"]),
                ("Pointer", ["pointer", "path"]),
                ("File", ["file", ""]),
                ("severity", ["severity", ""]),
            ] {
                let text = names.iter().find_map(|name| finding.member(name)).and_then(Node::text);
                // The pointer to the whole document is empty, and people are told so in words.
                let text = text.map(|text| if text.is_empty() { "the whole document" } else { text });
                assert!(text.is_none() || row[label].as_str() == text, "{label} of {row}: {}", context());
            }
        }
    } else if *is == Verdict::Reject {
        // Codes alone: each stands among the findings as the law that it names.
        assert!(codes.iter().all(|code| rows.iter().any(|row| row["Law"] == code.as_str())), "{}", context());
        assert_eq!(rows.len(), codes.len(), "{}", context());
    }
    if let Some(word) = node("verdict").or_else(|| report?.member("status")).and_then(Node::text) {
        assert_eq!(shown["word"], word, "{}", context());
    }
    let good = match node("verdict").or_else(|| report?.member("status")).and_then(Node::text) {
        Some(word) => ["MATCH", "EQUIVALENT"].contains(&word),
        None => *is == Verdict::Accept && rows.is_empty(),
    };
    assert_eq!(shown["good"], good, "{}", context());
}
