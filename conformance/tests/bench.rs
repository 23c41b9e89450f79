//! `assize bench`, with toy libraries of this folder: nothing here reaches a registry. Needs Python 3.

#[cfg(target_os = "linux")]
mod left_behind;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Stdio},
    sync::LazyLock,
};

use serde_json::{Value, json};

use crate::support::{Ran, program, run_in, until};

/// What every table here begins with. Its client counts how often it has installed, and installs by copying.
const CLIENT: &str = r#"
filter = ["canon/rfc8785/float-zero", "canon/rfc8785/float-round-integers", "canon/rfc8785/integer-in-nested-member"]
[client.copy]
language = "python"
files = [{ from = "atp.py" }, { from = "toy.py" }]
package = "{name} {version}"
steps = [
  ["python3", "-c", "import sys; open(sys.argv[1], 'a').write(sys.argv[2] + '\\n')", "{cache}/installed", "{package}"],
]
record = ["toy.py"]
command = ["python3", "{adapter}"]
"#;

/// A library in five lines of table ...
const TOY: &str = r#"
[[implementation]]
name = "toy"
client = "copy"
versions = ["1.0"]
adapter = "toys/adapter.py"
"#;

/// ... and an adapter of five lines beside what it needs.
const ADAPTER: &str = r#"
import atp, hashlib, json, toy
def answer(request):
    octets = toy.write(json.loads(request.docs["doc"]))
    return atp.accept(bytes=atp.base64_text(octets), sha256=hashlib.sha256(octets).hexdigest())
atp.serve("toy", "1.0", {"canon.bytes": {"profile": ["rfc8785"]}}, answer, capabilities={"input": "value"})
"#;

/// It writes a float as Python does: a whole one has a point and a zero, which RFC 8785 does not have.
const LIBRARY: &str =
    "import json\ndef write(value):\n    return json.dumps(value, sort_keys=True, separators=(',', ':')).encode()\n";

/// The cases that the table takes: a corpus of these alone is read in an instant.
const CASES: [&str; 3] = ["float-zero", "float-round-integers", "integer-in-nested-member"];

/// A bench below a temporary folder.
struct Bench(tempfile::TempDir);

/// What came of the toy alone, and what that leaves.
struct Judged {
    ran: Ran,
    kept: Vec<u8>,
    installed: Vec<u8>,
}

static JUDGED: LazyLock<Judged> = LazyLock::new(|| {
    let bench = Bench::with(&[CLIENT, TOY].concat());
    let ran = bench.run(&[]).exits(0);
    Judged { ran, kept: fs::read(bench.path(KEPT)).unwrap(), installed: fs::read(bench.path(INSTALLED)).unwrap() }
});

const KEPT: &str = "kept/toy-1.0.json";
const INSTALLED: &str = "scratch/cache/copy/installed";

impl Bench {
    fn with(table: &str) -> Self {
        let bench = Self(tempfile::tempdir().unwrap());
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        fs::copy(here.join("shims/atp.py"), bench.path("atp.py")).unwrap();
        fs::create_dir(bench.path("toys")).unwrap();
        for (path, text) in [("toy.py", LIBRARY), ("toys/adapter.py", ADAPTER), ("bench.toml", table)] {
            fs::write(bench.path(path), text).unwrap();
        }
        fs::create_dir_all(bench.path("corpus/canon/rfc8785")).unwrap();
        for case in CASES {
            let file = format!("canon/rfc8785/{case}.json");
            fs::copy(here.join("../vectors").join(&file), bench.path("corpus").join(&file)).unwrap();
        }
        bench
    }

    /// One of its own on which the toy has been judged.
    fn judged() -> Self {
        let bench = Self::with(&[CLIENT, TOY].concat());
        for (file, bytes) in [(KEPT, &JUDGED.kept), (INSTALLED, &JUDGED.installed)] {
            fs::create_dir_all(bench.path(file).parent().unwrap()).unwrap();
            fs::write(bench.path(file), bytes).unwrap();
        }
        bench
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    /// Runs it with limits that suit the busiest machine.
    fn run(&self, args: &[&str]) -> Ran {
        run_in(self.0.path(), &[&ORDER[..], args].concat(), b"")
    }

    /// Starts it, with pipes for what it says.
    fn start(&self) -> Child {
        let mut bench = program(env!("CARGO_BIN_EXE_assize"));
        bench.args(ORDER).current_dir(self.0.path()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    fn kept(&self, name: &str) -> Value {
        serde_json::from_slice(&fs::read(self.path(&format!("kept/{name}.json"))).unwrap()).unwrap()
    }

    /// What was installed so far, in order.
    fn installed(&self) -> String {
        fs::read_to_string(self.path(INSTALLED)).unwrap_or_default().replace('\n', ",")
    }
}

const ORDER: [&str; 10] =
    ["bench", "bench.toml", "--out", "kept", "--scratch", "scratch", "--corpus", "corpus", "--timeout", "3600000"];

#[test]
fn a_library_is_added_by_five_lines_and_an_adapter() {
    assert_eq!((TOY.trim().lines().count(), ADAPTER.trim().lines().count()), (5, 5));
    let (bench, ran) = (Bench::judged(), &JUDGED.ran);
    // Two of three cases have whole floats. It fails the smallest of all, and its shim is not blamed for that.
    let row: Vec<&str> = ran.text().lines().nth(1).unwrap().split_whitespace().collect();
    assert_eq!(row, ["toy@1.0", "python", "violates", "3", "1", "2", "0", "0"], "{}", ran.text());
    let kept = bench.kept("toy-1.0");
    assert_eq!(kept["state"], "judged");
    assert_eq!(kept["installed"]["packages"][0], "toy 1.0");
    assert_eq!(kept["installed"]["files"]["toy.py"].as_str().unwrap().len(), 64);
    assert_eq!(kept["report"]["result"]["testee"]["name"], "toy");
    let said = bench.run(&["--format", "json"]).exits(0).json();
    assert_eq!((&said["kept"][0]["grade"], &said["kept"][0]["totals"]["spec"]), (&"violates".into(), &2.into()));
}

#[test]
fn a_client_takes_what_it_does_not_say_from_the_one_it_extends() {
    let more = "\n[client.more]\nextends = \"copy\"\nlanguage = \"serpent\"\n";
    let entry = TOY.replace("\"copy\"", "\"more\"\npackage = \"other {version}\"");
    let bench = Bench::with(&[CLIENT, more, &entry].concat());
    bench.run(&[]).exits(0);
    let kept = bench.kept("toy-1.0");
    assert_eq!((&kept["state"], &kept["implementation"]["language"]), (&"judged".into(), &"serpent".into()));
    assert_eq!(kept["installed"]["packages"], json!(["other 1.0"]));
}

#[test]
fn words_of_the_table_are_shown_as_they_are_by_now_and_nobody_is_asked_for_them() {
    let bench = Bench::judged();
    let before = bench.kept("toy-1.0");
    assert_eq!(before["implementation"]["claims"], Value::Null);
    let claims = [CLIENT, TOY, "claims = 'JSON'\nlink = 'https://example.org'\nbound = false\n"].concat();
    fs::write(bench.path("bench.toml"), claims).unwrap();
    bench.run(&[]).exits(0).says(&["differs"]);
    assert_eq!(bench.installed(), "toy 1.0,");
    let after = bench.kept("toy-1.0");
    let implementation = &after["implementation"];
    assert_eq!((&implementation["claims"], &implementation["bound"]), (&"JSON".into(), &false.into()));
    assert_eq!(
        (&after["report"], &after["judged"], &after["key"]),
        (&before["report"], &before["judged"], &before["key"])
    );
}

#[test]
fn a_command_that_is_printed_asks_the_same_question() {
    let bench = Bench::judged();
    let options = json!(["--corpus", "corpus", "--timeout", "3600000"]);
    assert_eq!(bench.kept("toy-1.0")["options"], options, "what an answer depends on");
    run_in(bench.0.path(), &["gallery", "kept", "--out", "site", "--corpus", "corpus"], b"").exits(0);
    let page = fs::read_to_string(bench.path("site/implementations/toy-1.0.html")).unwrap();
    let case = "canon/rfc8785/float-zero";
    let alone = format!("assize bench bench.toml --corpus corpus --timeout 3600000 --only toy@1.0 --case {case}");
    let again = "assize bench bench.toml --corpus corpus --timeout 3600000 --only toy@1.0 --update toy@1.0";
    for command in [&alone, again] {
        assert!(page.contains(&format!("<code>{}</code>", command.replace('/', "&#x2f;"))), "{command}");
    }
    // A copy of the case that expects what the toy says: another corpus gives another answer, if the command names it.
    let file = bench.path("corpus/canon/rfc8785/float-zero.json");
    let own = fs::read_to_string(&file).unwrap();
    let ran = |exit: i32| {
        let words: Vec<&str> = alone.split(' ').skip(1).chain(["--scratch", "scratch"]).collect();
        run_in(bench.0.path(), &words, b"").exits(exit)
    };
    ran(1).says(&[&format!("  alone: {alone}\n"), "WRONG-OUTPUT"]);
    let zero = "8aed642bf5118b9d3c859bd4be35ecac75b6e873cce34e7b6f554b06f75550d7";
    let other = own
        .replace("\"text\": \"0\"", "\"text\": \"0.0\"")
        .replace("5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9", zero);
    fs::write(&file, other).unwrap();
    ran(3).says(&["1 of 1 case passes"]);
}

#[test]
fn an_adapter_through_which_nothing_passes_condemns_no_library() {
    let bench = Bench::with(&[CLIENT, TOY].concat());
    // It spells an output otherwise than the protocol.
    fs::write(bench.path("toys/adapter.py"), ADAPTER.replace("accept(bytes=", "accept(octets=")).unwrap();
    bench.run(&[]).exits(3).says(&["toy@1.0: not judged: no case passes: suspect its adapter"]);
}

#[test]
fn what_was_judged_stays_where_its_client_once_fails() {
    let bench = Bench::judged();
    // In the place of the client's folder there is a file.
    fs::remove_dir_all(bench.path("scratch/cache")).unwrap();
    fs::write(bench.path("scratch/cache"), "").unwrap();
    bench.run(&["--update", "toy"]).exits(0).complains(&["what was kept stays"]);
    assert_eq!(bench.kept("toy-1.0")["state"], "judged");
}

#[test]
fn what_is_kept_is_asked_again_only_where_it_may_be_answered_otherwise() {
    let bench = Bench::judged();
    bench.run(&["--update", "nobody"]).exits(0);
    assert_eq!(bench.installed(), "toy 1.0,", "an answer that is kept is not asked again");
    bench.run(&["--update", "toy"]).exits(0);
    assert_eq!(bench.installed(), "toy 1.0,toy 1.0,");
    let first = bench.kept("toy-1.0");
    fs::write(bench.path("toys/adapter.py"), ADAPTER.replace("]))\n", "])).replace(b'.0', b'')\n")).unwrap();
    bench.run(&[]).exits(0);
    assert_eq!(bench.installed(), "toy 1.0,toy 1.0,toy 1.0,", "another shim may answer otherwise");
    let second = bench.kept("toy-1.0");
    assert_ne!(first["key"], second["key"]);
    assert_eq!(second["report"]["result"]["totals"]["spec"], 0, "its adapter mends what it writes");
    fs::write(bench.path("kept/toy-1.0.json"), "cut off").unwrap();
    bench.run(&[]).exits(0);
    assert_eq!(bench.kept("toy-1.0")["key"], second["key"], "what is no answer is replaced");
}

#[test]
fn who_cannot_be_had_or_has_a_broken_shim_is_named_and_the_others_go_on() {
    const OTHERS: &str = r#"
[client.missing]
language = "none"
package = "{name}"
steps = [["assize-no-such-client", "{package}"]]
command = ["x"]
[client.failing]
language = "python"
package = "{name}"
steps = [["python3", "-c", "import sys; print('no such package: ' + sys.argv[1]); sys.exit(3)", "{package}"]]
command = ["x"]
[client.lying]
language = "python"
command = ["python3", "-c", "print('hello, world')"]
[client.path]
language = "php"
command = ["php", "{path}"]
[[implementation]]
name = "a"
client = "missing"
versions = ["1"]
[[implementation]]
name = "b/../../c"
client = "failing"
versions = ["1"]
[[implementation]]
name = "d"
client = "lying"
versions = ["1"]
[[implementation]]
name = "e"
client = "path"
path = "/nowhere/at/all"
"#;
    let bench = Bench::with(&[CLIENT, OTHERS, TOY].concat());
    let ran = bench.run(&["--jobs", "2"]).exits(3).says(&[
        "a@1: not installed: assize-no-such-client is not installed",
        "b/../../c@1: not installed: python3 -c import sys",
        "exited with 3: no such package: b/../../c",
        "d@1: not judged: its shim does not keep the protocol",
        "e: not installed: nothing installs it, and it is not at /nowhere/at/all",
        "1 of 5 judged, 0 of them conform",
    ]);
    assert!(ran.stderr.contains("toy@1.0: violates"), "{}", ran.stderr);
    for (name, state) in
        [("a-1", "not-installed"), ("b-..-..-c-1", "not-installed"), ("d-1", "not-judged"), ("e", "not-installed")]
    {
        let kept = bench.kept(name);
        assert_eq!((&kept["state"], &kept["report"]), (&state.into(), &Value::Null), "{kept}");
    }
}

#[test]
fn one_case_is_shown_whole_and_nothing_is_kept() {
    let bench = Bench::with(&[CLIENT, TOY].concat());
    let case = "canon/rfc8785/float-zero";
    bench.run(&["--only", "toy@1.0", "--case", case]).exits(1).says(&["toy@1.0", case, "WRONG-OUTPUT"]);
    assert!(!bench.path("kept/toy-1.0.json").exists());
    bench
        .run(&["--only", "toy@1.0", "--case", "canon/rfc8785/integer-in-nested-member"])
        .exits(3)
        .says(&["1 of 1 case passes"]);
    bench.run(&["--case", case]).exits(64).complains(&["--only"]);
    bench
        .run(&["--only", "nobody"])
        .exits(64)
        .complains(&["no implementation has nobody in its name", "it has: toy@1.0"]);
}

#[test]
fn an_interrupt_loses_nothing_that_was_judged() {
    // The second client waits in its step until the test lets it go.
    const HELD: &str = r#"
[client.held]
language = "python"
files = [{ from = "hold.py" }]
steps = [["python3", "hold.py", "{cache}/begun", "{cache}/go"]]
command = ["python3", "-c", "print('hello, world')"]
[[implementation]]
name = "held"
client = "held"
versions = ["1"]
"#;
    const HOLD: &str = "import os, sys, threading\nopen(sys.argv[1], 'w').close()\nif not os.path.exists(sys.argv[2]):\n    threading.Event().wait()\n";
    let bench = Bench::with(&[CLIENT, TOY, HELD].concat());
    fs::write(bench.path("hold.py"), HOLD).unwrap();
    let mut child = bench.start();
    until(&mut child, "the second begins", || bench.path("scratch/cache/held/begun").exists());
    let id = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(id, rustix::process::Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(text.contains("broken off: 1 implementation is left; the same command goes on"), "{text}");
    assert!(!bench.path("kept/held-1.json").exists());
    fs::write(bench.path("scratch/cache/held/go"), "").unwrap();
    bench.run(&[]).exits(3).says(&["held@1: not judged"]);
    assert_eq!(bench.installed(), "toy 1.0,", "what was kept before is not asked again");
}

/// Whoever opens a pipe waits for its other end, for ever.
#[cfg(unix)]
#[test]
fn a_pipe_that_a_client_has_laid_where_results_belong_holds_nobody_up() {
    const LAYS: &str = "import os\nfor name in ['report.json', 'report.txt', 'said.log']:\n    if os.path.lexists(name): os.remove(name)\n    os.mkfifo(name)\n";
    let table = [CLIENT.replace("steps = [", "steps = [\n  [\"python3\", \"lays.py\"],"), TOY.to_owned()].concat();
    let table = table.replace("{ from = \"toy.py\" }", "{ from = \"toy.py\" }, { from = \"lays.py\" }");
    let bench = Bench::with(&table);
    fs::write(bench.path("lays.py"), LAYS).unwrap();
    bench.run(&[]).exits(0);
    assert_eq!(bench.kept("toy-1.0")["state"], "judged");
    let case = "canon/rfc8785/float-zero";
    bench.run(&["--only", "toy@1.0", "--case", case]).exits(1).says(&["WRONG-OUTPUT"]);
}

#[test]
fn a_record_that_is_too_long_is_an_error_and_not_cut() {
    const MANY: &str = r#"
[client.many]
language = "python"
steps = [["python3", "-c", "import os; os.mkdir('many'); [open('many/%d' % n, 'w').close() for n in range(10001)]"]]
record = ["many"]
command = ["python3", "-c", "print('hello, world')"]
[[implementation]]
name = "many"
client = "many"
versions = ["1"]
"#;
    let bench = Bench::with(&[CLIENT, MANY].concat());
    bench
        .run(&[])
        .exits(3)
        .says(&["many@1: not installed: what `record` names holds more than 10000 files: name less"]);
    assert_eq!(bench.kept("many-1")["installed"]["files"], json!({}));
}

#[track_caller]
fn refused(table: &str, said: &[&str]) {
    Bench::with(table).run(&[]).exits(3).complains(said);
}

#[test]
fn a_table_that_makes_no_sense_is_refused_at_its_place() {
    let with = |more: &str| [CLIENT, TOY, more].concat();
    refused("", &["bench.toml:1:1: `filter` is missing", "write what is asked"]);
    refused(
        &with("[[implementation]]\nname = 'x'\nclient = 'cpoy'\nversions = ['1']\n"),
        &["bench.toml:20:10", "did you mean copy?"],
    );
    refused(&with("[[implementation]]\nname = 'x'\nclient = 'copy'\nversions = ['1']\n"), &["has no `adapter`"]);
    refused(&with("adapter = 'toys/adapter.py'\n"), &["duplicate key"]);
    let gone = TOY.replace("toys/adapter.py", "toys/gone.py");
    refused(&[CLIENT, &gone].concat(), &["`adapter` is \"toys/gone.py\", which is not there", "there is no file"]);
    let out = TOY.replace("toys/adapter.py", "../adapter.py");
    refused(&[CLIENT, &out].concat(), &["is no path below its folder"]);
    refused(&[CLIENT, TOY, TOY].concat(), &["name each implementation once"]);
    refused(&[CLIENT, &TOY.replace("[\"1.0\"]", "[]")].concat(), &["has neither `versions` nor a `path`"]);
    let braces = CLIENT.replace("{adapter}", "{adaptor}");
    refused(
        &[&braces, TOY].concat(),
        &["has {adaptor}, which stands for nothing there", "known: name, version, adapter"],
    );
    refused(
        &CLIENT.replace("language = \"python\"\n", ""),
        &["bench.toml:3:", "`language` is missing", "write what it is written in"],
    );
    refused(&CLIENT.replace("command = ", "# "), &["bench.toml:3:", "`command` is missing", "how the shim is started"]);
    refused(
        &with("[client.more]\nextends = \"cpoy\"\n"),
        &["`extends` is \"cpoy\", an unknown name", "did you mean copy?"],
    );
    refused(
        &with("[client.more]\nextends = \"copy\"\n[client.most]\nextends = \"more\"\n"),
        &["`extends` is \"more\", which extends another itself"],
    );
    refused(&with("package = \"{folder}\"\n"), &["has {folder}, which stands for nothing there"]);
    let escaping = CLIENT.replace("record = [\"toy.py\"]", "record = [\"/etc\"]");
    refused(&[&escaping, TOY].concat(), &["is no path below its folder"]);
}

#[test]
fn what_divides_libraries_becomes_a_small_candidate() {
    // Its twin writes the same, so that the two stand against the verifier.
    let twin = TOY.replace("\"toy\"", "\"twin\"");
    let whole = CLIENT.replace(CLIENT.lines().nth(1).unwrap(), "filter = ['canon/rfc8785']");
    let bench = Bench::with(&[&whole, TOY, &twin].concat());
    let law = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors/canon/rfc8785");
    for file in fs::read_dir(law).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), bench.path("corpus/canon/rfc8785").join(file.file_name())).unwrap();
    }
    let said = bench.run(&["--disagree", "40", "--seed", "s", "--format", "json"]).exits(0).json();
    assert_eq!((&said["asked"], &said["questions"]), (&3.into(), &40.into()));
    let finds = said["finds"].as_array().unwrap();
    let names = |find: &Value| -> Vec<Value> {
        find["groups"].as_array().unwrap().iter().map(|group| group["names"].clone()).collect()
    };
    let against = |find: &&Value| names(find) == [json!(["toy@1.0", "twin@1.0"]), json!(["assize"])];
    let find = finds.iter().find(against).unwrap_or_else(|| panic!("{said:#}"));
    let (before, after) = (find["bytes"]["before"].as_u64().unwrap(), find["bytes"]["after"].as_u64().unwrap());
    assert!(after <= before && after < 24, "{find}");
    assert!(find["section"].as_str().unwrap().contains("RFC 8785"), "{find}");
    let candidate: Value = serde_json::from_slice(&fs::read(find["file"].as_str().unwrap()).unwrap()).unwrap();
    assert_eq!((&candidate["op"], &candidate["expect"]), (&"canon.bytes".into(), &json!({})), "nobody is right yet");
    let again = bench.run(&["--disagree", "40", "--seed", "s", "--format", "json"]).exits(0).json();
    assert_eq!(again["finds"], said["finds"], "a seed stands for its questions");
}
