//! Cases of `path-safety`: what a pack names stays inside it, and is a file.

use serde_json::json;

use super::base::{NUMBERS, checked, failed, list, loaded, summed};
use crate::{
    Episode, Finding, Outcome, Pack, Stage,
    pack::{MANIFEST, RECEIPTS},
    place::Place,
    step,
    vector::{Case, Entry, Law},
};

pub(super) const LAW: Law =
    Law { slug: "episode/path-safety", place: Place::Ruling(14), file: Some("episode_contract.json"), cases };

/// Where it is written that inputs and traces are there.
const COMPLETENESS: Place = Place::Profile("Verification, phase 3 completeness");

/// The worked example with its input under another name, and the file where a careless join would look.
fn referring(path: &str, lies_at: &str) -> (Episode, Pack) {
    let mut episode = list();
    episode.contract["inputs"][0]["ref"] = json!(path);
    episode.contract["replay_script"]["steps"][0]["params"]["ref"] = json!(path);
    let pack = episode.planted(Stage::Signed, |pack| {
        let content = pack.files.remove("inputs/nums.json").expect("the input");
        pack.put(lies_at, content);
    });
    (episode, pack)
}

/// The worked example with its last step under another name, and the trace where a careless join would look.
fn naming(id: &str, lies_at: &str) -> (Episode, Pack) {
    let emitted = (step::emit(id, "list", "in"), Outcome::pass(json!({"list": [1, 2, 3]})));
    let episode = Episode::new(&[NUMBERS], [loaded("nums.json"), emitted]);
    let pack = episode.planted(Stage::Signed, |pack| {
        let content = pack.files.remove(&format!("recorded_traces/{id}.json")).expect("the trace");
        pack.put(lies_at, content);
    });
    (episode, pack)
}

fn cases() -> Vec<Case> {
    let mut cases = names();
    cases.extend(listed());
    cases.extend(links());
    cases.extend(kinds());
    cases
}

fn names() -> Vec<Case> {
    let holds = |name, rationale, (episode, pack): (Episode, Pack)| Case::matches(name, rationale, &episode, &pack);
    let refuses = |name, rationale, (_, pack): (Episode, Pack), twin| {
        Case::fails(name, rationale, 3, &pack).flag("PathContainment").twin(twin)
    };
    let skipped = Episode::new(
        &[NUMBERS],
        [
            loaded("nums.json"),
            summed(),
            checked(false),
            (step::after(step::emit("../out", "sum", "sum"), &["sum", "check"]), Outcome::skipped()),
        ],
    );
    vec![
        holds(
            "a-ref-in-a-folder",
            "A verifier that takes refs for plain names refuses a relative path.",
            referring("data/2026/nums.json", "inputs/data/2026/nums.json"),
        )
        .clean(),
        holds(
            "a-step-id-in-a-folder",
            "A verifier that takes step ids for plain names refuses one with a slash, or looks for an escaped name.",
            naming("emit/out", "recorded_traces/emit/out.json"),
        )
        .clean(),
        holds(
            "a-ref-that-begins-with-dots",
            "A verifier that looks for two dots anywhere takes a name for a way upwards.",
            referring("..nums..json", "inputs/..nums..json"),
        ),
        refuses(
            "a-ref-that-leads-upwards",
            "A verifier that joins and opens reads a file beside the folder of inputs.",
            referring("../nums.json", "nums.json"),
            "a-ref-in-a-folder",
        )
        .finds_undecided(),
        refuses(
            "a-ref-that-leads-out-and-back",
            "A verifier that normalises the path first sees one that never left the folder.",
            referring("data/../nums.json", "inputs/nums.json"),
            "a-ref-in-a-folder",
        ),
        refuses(
            "a-ref-that-ends-upwards",
            "A verifier that looks for `../` misses the segment at the end.",
            referring("data/..", "inputs/data"),
            "a-ref-in-a-folder",
        ),
        refuses(
            "an-absolute-ref",
            "A verifier that glues folder and ref together with a slash turns an absolute path into a relative one.",
            referring("/nums.json", "inputs/nums.json"),
            "a-ref-in-a-folder",
        ),
        refuses(
            "a-step-id-that-leads-upwards",
            "A verifier that guards refs and not step ids reads a trace from outside the folder of traces.",
            naming("../out", "out.json"),
            "a-step-id-in-a-folder",
        )
        .finds_undecided(),
        refuses(
            "an-absolute-step-id",
            "A verifier that glues folder and step id together with a slash turns an absolute path into a relative \
             one.",
            naming("/out", "recorded_traces/out.json"),
            "a-step-id-in-a-folder",
        ),
        Case::fails(
            "a-skipped-step-id-that-leads-upwards",
            "A verifier that checks paths when it opens them never checks the id of a step that has no trace.",
            3,
            &skipped.sealed(),
        )
        .operations()
        .flag("PathContainment")
        .twin("a-skipped-step"),
        Case::matches(
            "a-skipped-step",
            "A verifier that wants a file for every step id finds none for a step that did not run.",
            &failed(),
            &failed().sealed(),
        ),
    ]
}

fn listed() -> Vec<Case> {
    const KEPT: &str = "copies/transcript.md";
    let listing = |path: &'static str| {
        list().planted(Stage::Listed, |pack| {
            let mut entry = pack.manifest["files"][2].clone();
            entry["path"] = json!(path);
            pack.manifest["files"].as_array_mut().expect("entries").push(entry);
            if path == KEPT {
                pack.put(KEPT, pack.files["verify_transcript.md"].clone());
            }
        })
    };
    let refuses = |name, rationale, path| {
        Case::fails(name, rationale, 2, &listing(path))
            .finds([Finding::new(LAW.slug, MANIFEST)])
            .flag("PathContainment")
            .twin("a-listed-file-in-a-folder")
    };
    vec![
        Case::matches(
            "a-listed-file-in-a-folder",
            "A verifier that takes listed paths for plain names refuses a relative path.",
            &list(),
            &listing(KEPT),
        ),
        refuses(
            "a-listed-path-that-leads-upwards",
            "A verifier that joins and opens lets a manifest decide what is read outside the pack.",
            "../verify_transcript.md",
        ),
        refuses(
            "an-absolute-listed-path",
            "A verifier that glues pack and path together with a slash turns an absolute path into a relative one.",
            "/verify_transcript.md",
        ),
    ]
}

fn links() -> Vec<Case> {
    let pack = list().sealed();
    let content = |path: &str| pack.files[path].clone();
    // The content lies elsewhere in the pack, so that only the link is at fault.
    let linked = |name, rationale, phase, path: &'static str, to| {
        Case::fails(name, rationale, phase, &pack)
            .finds([Finding::new(LAW.slug, path)])
            .entry(path, Entry::Symlink(to))
            .entry("_unsigned/kept", Entry::File(content(path)))
            .flag("PathContainment")
            .twin("no-links")
    };
    let folder = |name, rationale, folder: &'static str, file: &str, kept: &str, to| {
        Case::fails(name, rationale, 3, &pack)
            .finds([Finding::of(LAW.slug)])
            .without(folder)
            .entry(folder.trim_end_matches('/'), Entry::Symlink(to))
            .entry(kept, Entry::File(content(file)))
            .flag("PathContainment")
            .twin("no-links")
    };
    vec![
        Case::matches(
            "no-links",
            "A verifier that opens a path without following links must still open plain files.",
            &list(),
            &pack,
        )
        .place(COMPLETENESS)
        .inline(),
        linked(
            "the-contract-is-a-link",
            "A verifier that guards the later phases alone reads the contract through a link.",
            1,
            "episode_contract.json",
            "_unsigned/kept",
        ),
        linked(
            "the-manifest-is-a-link",
            "A verifier that guards listed files alone reads the list through a link.",
            2,
            MANIFEST,
            "_unsigned/kept",
        ),
        linked(
            "the-receipts-are-a-link",
            "A verifier that compares digests alone is content with linked receipts.",
            2,
            RECEIPTS,
            "_unsigned/kept",
        )
        .finds_undecided(),
        linked(
            "an-input-is-a-link",
            "A verifier that compares digests alone is content with a linked input.",
            3,
            "inputs/nums.json",
            "../_unsigned/kept",
        ),
        linked(
            "a-trace-is-a-link",
            "A verifier that opens whatever the path leads to replays a file that is not the pack's.",
            3,
            "recorded_traces/out.json",
            "../_unsigned/kept",
        ),
        folder(
            "the-folder-of-inputs-is-a-link",
            "A verifier that looks at the last part of the path alone follows a link before it.",
            "inputs/",
            "inputs/nums.json",
            "_unsigned/nums.json",
            "_unsigned",
        ),
        Case::matches(
            "a-link-that-nobody-reads",
            "A verifier that rejects links wherever they lie fails a pack over an entry that is no part of it.",
            &list(),
            &pack,
        )
        .entry("latest", Entry::Symlink("receipt_pack.jsonl"))
        .warns("episode/pack-integrity", "latest", "")
        .twin("no-links"),
    ]
}

fn kinds() -> Vec<Case> {
    let pack = list().sealed();
    let is = |name, rationale, phase, path: &'static str, entry| {
        // What is not a file breaks this law, or that of the file that is missed: no words decide which.
        Case::fails(name, rationale, phase, &pack)
            .finds([Finding::at(path)])
            .without(path)
            .entry(path, entry)
            .flag("FileKind")
            .twin("no-links")
    };
    let (_, empty) = referring("", "inputs/nums.json");
    vec![
        is(
            "a-folder-for-a-trace",
            "A verifier that opens the path whatever it is breaks on a folder, or reads it as empty.",
            3,
            "recorded_traces/out.json",
            Entry::Directory,
        )
        .place(COMPLETENESS),
        is(
            "a-folder-for-the-contract",
            "A verifier that opens the path whatever it is ends without a verdict.",
            1,
            "episode_contract.json",
            Entry::Directory,
        )
        .place(Place::Profile("Verification, phase 1 script validation")),
        Case::fails("an-empty-ref", "A verifier that joins an empty ref opens the folder of inputs itself.", 3, &empty)
            .flag("FileKind")
            .twin("a-ref-in-a-folder"),
    ]
}
