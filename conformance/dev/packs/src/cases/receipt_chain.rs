//! Cases of `receipt-chain`: parents are recomputed hashes of receipts in the pack, in whatever topology.

use serde_json::{Map, Value, json};

use super::base::{fork, list, with_foreign};
use crate::{
    Episode, Finding, Pack, Stage,
    canon::hash,
    pack::{RECEIPTS, head_hash},
    place::Place,
    vector::{Case, Law},
};

pub(super) const LAW: Law =
    Law { slug: "episode/receipt-chain", place: Place::Standard("Parent hashes"), file: Some(RECEIPTS), cases };

/// What the hash of a receipt covers.
const HASHED: Place = Place::Standard("Receipt hash");

/// The worked example with other parents of its close receipt.
fn closing(parents: impl FnOnce(&Pack) -> Value) -> Pack {
    list().planted(Stage::Linked, |pack| {
        let (close, parents) = (pack.close(), parents(pack));
        pack.set(close, "parent_hashes", parents);
    })
}

fn breaks(name: &'static str, rationale: &'static str, parents: impl FnOnce(&Pack) -> Value) -> Case {
    Case::fails(name, rationale, 2, &closing(parents)).ruling(11).twin("a-line")
}

/// Links each receipt after the open one by a rule, in the order of their lines.
fn linked(episode: &Episode, rule: impl Fn(&Pack, usize) -> Vec<usize>) -> Pack {
    episode.planted(Stage::Linked, |pack| {
        for index in 1..pack.receipts.len() {
            let parents: Value = rule(pack, index).into_iter().map(|parent| pack.receipt_hash(parent)).collect();
            pack.set(index, "parent_hashes", parents);
        }
    })
}

/// The same pack, whose close receipt names the receipt of `out` by another hash.
fn reclosed(mut pack: Pack, by: impl FnOnce(&Map<String, Value>) -> String) -> Pack {
    let (out, close) = (pack.step("out"), pack.close());
    let parent = by(&pack.receipts[out]);
    pack.set(close, "parent_hashes", json!([parent]));
    pack.reseal();
    pack
}

fn cases() -> Vec<Case> {
    let mut cases = lawful();
    cases.extend(entries());
    cases.extend(rules());
    cases
}

fn lawful() -> Vec<Case> {
    let (list, fork) = (list(), fork());
    let script = linked(&fork, |pack, index| match pack.receipts[index].get("step_id").and_then(Value::as_str) {
        Some("m") => vec![0],
        Some("b" | "z") => vec![pack.step("m")],
        Some("c") => vec![pack.step("b")],
        Some("a") => vec![pack.step("z")],
        Some(_) => vec![pack.step("c"), pack.step("a")],
        None => vec![pack.step("k")],
    });
    let reversed = list.planted(Stage::Linked, |pack| pack.receipts.reverse());
    let mut fence = list.pack();
    with_foreign(&mut fence, "session_metadata");
    fence.seal();
    let hold = |name, rationale, episode, pack| Case::matches(name, rationale, episode, pack).ruling(11);
    vec![
        hold(
            "a-line",
            "A verifier that wants the script's dependencies as parents refuses the line that the public tool writes.",
            &list,
            &list.sealed(),
        )
        .clean()
        .place(LAW.place),
        hold(
            "parents-follow-the-script",
            "A verifier that wants each receipt to name the one on the line before refuses parents that follow the \
             dependencies.",
            &fork,
            &script,
        ),
        hold(
            "everything-hangs-on-the-open-receipt",
            "A verifier that wants each receipt but the last to be somebody's parent refuses a star.",
            &list,
            &linked(&list, |_, _| vec![0]),
        ),
        hold(
            "the-close-receipt-names-everything",
            "A verifier that allows one parent refuses several.",
            &list,
            &linked(&list, |_, index| if index == 3 { vec![2, 0, 1] } else { vec![index - 1] }),
        )
        .place(LAW.place),
        hold(
            "nobody-has-parents",
            "A verifier that lets the open receipt alone be without parents demands a topology that no text fixes.",
            &list,
            &linked(&list, |_, _| vec![]),
        ),
        hold(
            "lines-in-another-order",
            "A verifier that looks for parents on earlier lines alone finds none, though the order of the input is \
             irrelevant.",
            &list,
            &reversed,
        )
        .place(LAW.place)
        .flag("SortOrder"),
        hold(
            "a-parent-of-another-system",
            "A verifier that looks for parents among the episode's own receipts misses one that the pack holds.",
            &list,
            &fence,
        ),
    ]
}

fn entries() -> Vec<Case> {
    let absent = list().planted(Stage::Linked, |pack| {
        let close = pack.close();
        pack.receipts[close].remove("parent_hashes");
    });
    let first = |pack: &Pack| pack.receipt_hash(2);
    vec![
        breaks(
            "an-unknown-parent",
            "A verifier that checks the spelling of parents and not their existence accepts a receipt from nowhere.",
            |_| json!([hash(&json!("nobody"))]),
        )
        .place(LAW.place)
        .flag("FailClosed"),
        breaks(
            "one-of-two-parents-unknown",
            "A verifier that is content with one known parent overlooks the other.",
            |pack| json!([first(pack), hash(&json!("nobody"))]),
        )
        .place(LAW.place)
        .flag("FailClosed"),
        breaks(
            "a-parent-without-prefix",
            "A verifier that strips prefixes before it compares accepts the container's spelling inside a receipt.",
            |pack| json!([first(pack).trim_start_matches("sha256:")]),
        )
        .place(Place::Profile("0.1 Hash encoding"))
        .flag("DigestSpelling"),
        breaks(
            "a-parent-in-upper-case",
            "A verifier that compares digests as bytes accepts a spelling that is malformed.",
            |pack| json!([first(pack).to_uppercase().replace("SHA256", "sha256")]),
        )
        .place(Place::Profile("0.1 Hash encoding"))
        .flag("DigestSpelling"),
        breaks("a-parent-of-null", "A verifier that skips entries of another type finds no broken one.", |_| {
            json!([null])
        })
        .place(LAW.place)
        .flag("TypeConfusion"),
        breaks(
            "a-parent-beside-the-array",
            "A verifier that takes one text for a list of one accepts a member of the wrong type.",
            |pack| json!(first(pack)),
        )
        .flag("TypeConfusion"),
        breaks(
            "parents-of-null",
            "A verifier that reads null as no parents accepts a receipt without the array.",
            |_| Value::Null,
        )
        .flag("NullVersusAbsent"),
        Case::fails(
            "no-parents-member",
            "A verifier that reads an absent array as an empty one accepts a receipt that does not say where it \
             stands.",
            2,
            &absent,
        )
        .ruling(11)
        .flag("MissingMember")
        .twin("a-line"),
    ]
}

fn rules() -> Vec<Case> {
    let opened = list().planted(Stage::Linked, |pack| {
        pack.set(1, "parent_hashes", json!([]));
        pack.link_from(1);
        let loaded = pack.receipt_hash(1);
        pack.set(0, "parent_hashes", json!([loaded]));
    });
    let covered = list().planted(Stage::Written, |pack| {
        let out = pack.step("out");
        pack.set(out, "cose_signature", "none yet");
    });
    let uncovered = reclosed(covered.clone(), |out| format!("sha256:{}", head_hash(Some(out))));
    let declared = list().planted(Stage::Written, |pack| {
        let out = pack.step("out");
        pack.set(out, "receipt_hash", Value::Null);
    });
    let twice_hashed = reclosed(declared.clone(), |out| hash(&Value::Object(out.clone())));
    vec![
        Case::fails(
            "the-open-receipt-has-a-parent",
            "A verifier that checks that parents exist, and not who has them, accepts an episode that begins after \
             its first step.",
            2,
            &opened,
        )
        .ruling(11)
        .twin("nobody-has-parents"),
        Case::matches(
            "a-parent-with-a-second-signature",
            "A verifier that leaves `cose_signature` out of receipt hashes does not find the parent that includes it.",
            &list(),
            &covered,
        )
        .place(HASHED)
        .ruling(4)
        .flag("DigestProjection"),
        Case::fails(
            "a-parent-by-the-rule-of-the-tool",
            "A verifier that leaves `cose_signature` out of receipt hashes finds a parent by a hash that is not the \
             receipt's.",
            2,
            &uncovered,
        )
        .place(HASHED)
        .ruling(4)
        .finds([Finding::new("episode/receipt-envelope", RECEIPTS).warning(), Finding::new(LAW.slug, RECEIPTS)])
        .flag("DigestProjection")
        .twin("a-parent-with-a-second-signature"),
        Case::matches(
            "a-parent-that-declares-its-hash",
            "A verifier that hashes a receipt with its own hash in it does not find the parent.",
            &list(),
            &declared,
        )
        .place(HASHED)
        .ruling(3)
        .flag("DigestProjection"),
        Case::fails(
            "a-parent-hashed-with-its-own-hash",
            "A verifier that hashes the line as it stands finds a parent that the rule does not give.",
            2,
            &twice_hashed,
        )
        .place(HASHED)
        .ruling(3)
        .flag("DigestProjection")
        .twin("a-parent-that-declares-its-hash"),
    ]
}
