//! `assize reply lint --source`: findings in sources, what is allowed there, what is known, and what can be mended.

use std::{fs, path::Path};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Ran, run_in, write};

const PLANTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/source/tests/planted");

const REGISTRY: &str = r#"{"name": "canonical", "active": [{"code": "WA-RES-I-001", "message_key": "a"},
 {"code": "WA-RES-E-001", "message_key": "b"}], "retired": ["WA-RES-I-009"]}"#;

const TOOL: &str = "\
from reply import ReplyBuilder, mcp_safe_tool

@mcp_safe_tool
def find(name):
    rb = ReplyBuilder()
    rb.warn('slow')
    if name:
        return rb.invalid('wa_res_i_1')
    return {'name': name}
";

fn project(tool: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("src")).expect("a folder");
    write(&folder, "registry.json", REGISTRY);
    write(&folder, "src/find.py", tool);
    folder
}

fn lint(folder: &Path, args: &[&str]) -> Ran {
    run_in(folder, &[&["reply", "lint", "registry.json"], args].concat(), b"")
}

/// File, line and law of each finding in a source.
fn places(said: &Value) -> Vec<(String, u64, String)> {
    let rows = said["findings"].as_array().unwrap().iter().filter(|row| row["column"].is_u64());
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let mut all: Vec<_> =
        rows.map(|row| (text(&row["file"]), row["line"].as_u64().unwrap(), text(&row["law"]))).collect();
    all.sort();
    all.dedup();
    all
}

/// What the comments of a planted tree announce.
fn announced(root: &Path, below: &str) -> Vec<(String, u64, String)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(root.join(below)).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("{below}/{}", path.file_name().unwrap().to_str().unwrap());
        if path.is_dir() {
            all.extend(announced(root, &name));
            continue;
        }
        for (line, text) in (1..).zip(fs::read_to_string(&path).unwrap().lines()) {
            let laws = text.split_once("fault: ").map(|(_, laws)| laws).unwrap_or_default();
            all.extend(laws.split_whitespace().map(|law| (name.clone(), line, law.to_owned())));
        }
    }
    all.sort();
    all
}

#[test]
fn every_planted_fault_stands_on_its_line() {
    for language in ["python", "typescript", "go", "java"] {
        let said = lint(Path::new(PLANTED), &["--source", language, "--format", "json"]).exits(1).json();
        assert_eq!(places(&said), announced(Path::new(PLANTED), language), "{language}");
        assert_eq!((&said["sources"]["allowed"], &said["sources"]["misread"]), (&json!(2), &json!(0)), "{language}");
    }
}

#[test]
fn a_finding_shows_its_line_and_what_it_is_about() {
    lint(project(TOOL).path(), &["--source", "src"]).exits(1).says(&[
        "reply/code-shape  1\n  src/find.py:8:27 wa_res_i_1: ",
        "\n      return rb.invalid('wa_res_i_1')\n                        ^^^^^^^^^^^^\n",
        "reply/no-forbidden-methods  1\n  src/find.py:6:5 warn: ",
        "\n      rb.warn('slow')\n      ^^^^^^^\n",
        "reply/no-raw-return  1\n  src/find.py:9:12: ",
        "unlawful: registry.json: 4 findings by 4 laws, 0 advised\nsources: 1 file, 9 lines, 3 call sites\n",
    ]);
}

#[test]
fn sarif_has_columns() {
    let log = lint(project(TOOL).path(), &["--source", "src", "--format", "sarif"]).exits(1).json();
    let run = &log["runs"][0];
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let warn =
        run["results"].as_array().unwrap().iter().find(|one| one["ruleId"] == "reply/no-forbidden-methods").unwrap();
    let due = json!({"artifactLocation": {"uri": "src/find.py"}, "region": {"startLine": 6, "startColumn": 5, "endColumn": 12}});
    assert_eq!(warn["locations"][0]["physicalLocation"], due);
}

#[test]
fn a_comment_allows_one_law_at_one_place_and_says_why() {
    let allowed = |comment: &str| project(&TOOL.replace("rb.warn('slow')", &format!("rb.warn('slow')  # {comment}")));
    lint(allowed("assize: allow reply/no-forbidden-methods until spring").path(), &["--source", "src"])
        .exits(1)
        .says(&["3 findings by 3 laws, 0 advised\n", ", 1 allowed\n"]);
    lint(allowed("assize: allow reply/no-forbidden-methods").path(), &["--source", "src"])
        .exits(1)
        .says(&["4 findings", "allows nothing without a reason"]);
    lint(allowed("assize: allow reply/terminal-return it is not late").path(), &["--source", "src"])
        .exits(1)
        .says(&["4 findings", "allows what is not there"]);
}

#[test]
fn a_baseline_knows_what_was_there_before() {
    let folder = project(TOOL);
    let known = ["--source", "src", "--baseline", "known.json"];
    lint(folder.path(), &known).exits(3);
    lint(folder.path(), &[&known[..], &["--renew"]].concat()).exits(0).says(&["0 findings", ", 4 known\n"]);
    // The folder may be named in another way.
    let otherwise = ["--source", "./src", "--baseline", "known.json"];
    lint(folder.path(), &otherwise).exits(0).says(&["0 findings", ", 4 known\n"]);
    // It may move.
    write(&folder, "src/find.py", format!("import os\n{TOOL}"));
    lint(folder.path(), &known).exits(0).says(&["0 findings", ", 4 known\n"]);
    // Twice the same is one more.
    write(&folder, "src/find.py", TOOL.replace("    rb.warn('slow')\n", "    rb.warn('slow')\n    rb.warn('slow')\n"));
    lint(folder.path(), &known).exits(1).says(&["1 finding by 1 law", ", 4 known\n"]);
    write(&folder, "src/find.py", TOOL.replace("    rb.warn('slow')\n", ""));
    lint(folder.path(), &known).exits(0).says(&[", 3 known, 1 known and gone\n"]);
    write(&folder, "known.json", "{}");
    lint(folder.path(), &known).exits(3);
}

#[test]
fn what_can_be_mended_is_shown_first_and_written_when_asked() {
    let folder = project(TOOL);
    let patch = "\
--- a/src/find.py
+++ b/src/find.py
@@ -3,7 +3,7 @@
 @mcp_safe_tool
 def find(name):
     rb = ReplyBuilder()
-    rb.warn('slow')
+    rb.success(data={\"warnings\": ['slow']})
     if name:
-        return rb.invalid('wa_res_i_1')
+        return rb.invalid('WA-RES-I-001')
     return {'name': name}
";
    lint(folder.path(), &["--source", "src", "--fix"]).exits(1).says(&[patch, "4 findings"]);
    assert_eq!(fs::read_to_string(folder.path().join("src/find.py")).unwrap(), TOOL);
    lint(folder.path(), &["--source", "src", "--fix", "--write"]).exits(1).says(&[
        patch,
        "1 finding by 1 law",
        ", 3 mended by --fix\n",
    ]);
    lint(folder.path(), &["--source", "src"]).exits(1).says(&["1 finding by 1 law", "reply/no-raw-return  1\n"]);
}

/// A tool whose last line is this.
fn ends_with(lines: &str) -> String {
    TOOL.replace("    rb.warn('slow')\n", "")
        .replace("    return {'name': name}\n", lines)
        .replace("wa_res_i_1", "WA-RES-I-001")
}

#[test]
fn what_a_mended_spelling_does_not_cure_is_still_found() {
    let folder = project(&ends_with("    reply = rb.error('wa-res-e-001')\n    print(1)\n    return reply\n"));
    lint(folder.path(), &["--source", "src"]).exits(1).says(&["3 findings by 3 laws"]);
    lint(folder.path(), &["--source", "src", "--fix", "--write"]).exits(1).says(&[
        "+    reply = rb.error('WA-RES-E-001')\n",
        "reply/terminal-return  1\n",
        "1 finding by 1 law",
        ", 2 mended by --fix\n",
    ]);
}

#[test]
fn of_edits_that_overlap_one_is_made_and_counted() {
    let mend = ["--source", "src", "--fix", "--write"];
    // The text in the brackets becomes data, and is a code in another spelling.
    let folder = project(&ends_with("    return rb.warn('WA-RES-E-1')\n"));
    let once = ["+    return rb.warn('WA-RES-E-001')\n", "reply/no-forbidden-methods  1\n", ", 2 mended by --fix\n"];
    lint(folder.path(), &mend).exits(1).says(&once);
}

#[test]
fn a_method_and_its_code_are_mended_beside_each_other() {
    let mend = ["--source", "src", "--fix", "--write"];
    let folder = project(&ends_with("    return rb.fail('WA-RES-E-1')\n"));
    let both = ["+    return rb.error('WA-RES-E-001')\n", "0 findings", ", 3 mended by --fix\n"];
    lint(folder.path(), &mend).exits(0).says(&both);
}

#[test]
fn a_call_with_several_codes_is_left_as_it_is() {
    let text = ends_with("    return rb.error('wa-res-e-001' if name else 'WA-RES-E-001')\n");
    let folder = project(&text);
    lint(folder.path(), &["--source", "src", "--fix", "--write"]).exits(1).says(&["2 findings by 2 laws"]);
    assert_eq!(fs::read_to_string(folder.path().join("src/find.py")).unwrap(), text);
}

#[test]
fn sources_without_a_builder_have_no_finding() {
    let folder = project("def tool():\n    return {'status': 'success', 'reply_type': 'S', 'meta': {}}\n");
    lint(folder.path(), &["--source", "src"]).exits(0).says(&["0 findings", "; no builder is used\n"]);
    lint(folder.path(), &["--source", "registry.json"]).exits(3);
}

#[test]
fn a_cache_changes_nothing_that_is_said() {
    let folder = project(TOOL);
    let plain = ["--source", "src", "--format", "json"];
    let cached = [&plain[..], &["--cache", "kept"]].concat();
    let path = folder.path().join("kept");
    lint(folder.path(), &["--cache", "kept"]).exits(64);
    let due = lint(folder.path(), &plain).exits(1).stdout;
    for _ in 0..2 {
        let ran = lint(folder.path(), &cached).exits(1);
        assert_eq!((&ran.stdout, ran.stderr.as_str()), (&due, ""));
    }
    // What is kept is the sources as they were written last.
    lint(folder.path(), &["--source", "src", "--cache", "kept", "--fix", "--write"])
        .exits(1)
        .says(&["1 finding by 1 law"]);
    let kept = fs::read(&path).unwrap();
    lint(folder.path(), &["--source", "src", "--cache", "kept"]).exits(1).says(&["1 finding by 1 law"]);
    assert_eq!(fs::read(&path).unwrap(), kept);
    let due = lint(folder.path(), &plain).exits(1).stdout;
    let mut damaged = kept.clone();
    *damaged.last_mut().unwrap() ^= 1;
    for (bytes, why) in [
        (&b""[..], ""),
        (&kept[..kept.len() - 1], "note: kept is not used: it is torn\n"),
        (&damaged[..], "note: kept is damaged: 1 file parsed again\n"),
    ] {
        write(&folder, "kept", bytes);
        let ran = lint(folder.path(), &cached).exits(1);
        assert_eq!((&ran.stdout, ran.stderr.as_str()), (&due, why));
        assert_eq!(fs::read(&path).unwrap(), kept);
    }
    // What no run has written is never replaced, and said before anything is judged.
    for foreign in [&b"{}"[..], b"a", b"[package]\nname = \"mine\"\n"] {
        write(&folder, "kept", foreign);
        let ran = lint(folder.path(), &cached).exits(3);
        let ran =
            ran.complains(&["kept: it is no cache of sources, and is not overwritten", "another file after --cache"]);
        assert_eq!((&*ran.stdout, &*fs::read(&path).unwrap()), (&b""[..], foreign));
    }
    lint(folder.path(), &[&plain[..], &["--cache", "src"]].concat()).exits(3);
    #[cfg(unix)]
    {
        // A link is followed, and stays one.
        fs::remove_file(&path).unwrap();
        std::os::unix::fs::symlink("real", &path).unwrap();
        lint(folder.path(), &cached).exits(3).complains(&["kept: a link that leads to no file"]);
        write(&folder, "real", &kept[..kept.len() - 1]);
        assert_eq!(lint(folder.path(), &cached).exits(1).stdout, due);
        assert!(fs::symlink_metadata(&path).unwrap().is_symlink());
        assert_eq!(fs::read(folder.path().join("real")).unwrap(), kept);
        write(&folder, "real", b"mine");
        lint(folder.path(), &cached).exits(3);
        assert_eq!(fs::read(folder.path().join("real")).unwrap(), b"mine");
    }
    // A place that cannot be written costs a note.
    let nowhere = lint(folder.path(), &[&plain[..], &["--cache", "none/kept"]].concat()).exits(1);
    assert_eq!(nowhere.stdout, due);
    assert!(nowhere.stderr.contains("no cache is kept"), "{}", nowhere.stderr);
}
