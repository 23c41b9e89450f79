//! Cases of `pack-integrity`: the container, step by step as the public tool verifies it.

mod faults;
mod receipts;
mod schema;
mod seal;
mod shape;

use serde_json::Value;

use super::base::{list, retrace};
use crate::{
    Episode, Finding, Pack, Stage,
    pack::{MANIFEST, RECEIPTS},
    place::Place,
    vector::{Case, Law},
};

pub(super) const LAW: Law =
    Law { slug: "episode/pack-integrity", place: Place::Ruling(14), file: Some(MANIFEST), cases };

/// A fault of which words do not decide in which file it lies: the manifest, or one that it speaks of.
const SOMEWHERE: Finding = Finding::of(LAW.slug);

/// What the profile says of the phase.
const PHASE: Place = Place::Profile("Verification, phase 2 pack integrity");

fn cases() -> Vec<Case> {
    let mut cases = files();
    cases.extend(clock());
    cases.extend(shape::cases());
    cases.extend(schema::cases());
    cases.extend(receipts::cases());
    cases.extend(seal::cases());
    cases
}

/// Fails in phase 2, beside the plain pack.
fn breaks(name: &'static str, rationale: &'static str, pack: &Pack) -> Case {
    Case::fails(name, rationale, 2, pack).twin("sound")
}

/// Matches like the plain pack.
fn holds(name: &'static str, rationale: &'static str, pack: &Pack) -> Case {
    Case::matches(name, rationale, &list(), pack)
}

/// The plain pack with a fault planted.
fn planted(stage: Stage, fault: impl FnOnce(&mut Pack)) -> Pack {
    list().planted(stage, fault)
}

/// The plain pack with a member of the manifest altered before it is signed.
fn manifest(member: &str, value: impl Into<Value>) -> Pack {
    planted(Stage::Attested, |pack| drop(pack.manifest.insert(member.to_owned(), value.into())))
}

fn files() -> Vec<Case> {
    let bound = Episode { list_artifacts: true, ..list() };
    let listed = |name, rationale, file, fault: fn(&mut Pack)| {
        Case::fails(name, rationale, 2, &bound.planted(Stage::Signed, fault))
            .place(PHASE)
            .ruling(14)
            .finds([Finding::new(LAW.slug, file)])
            .twin("artifacts-listed")
    };
    let noted = |kept: bool| {
        planted(Stage::Attested, |pack| {
            pack.manifest["expected_files"].as_array_mut().expect("names").push("notes.md".into());
            if kept {
                pack.put("notes.md", "# Notes\n");
            }
        })
    };
    vec![
        holds(
            "sound",
            "A verifier that wants the contract, inputs and traces listed in the manifest refuses every pack of the \
             public tool.",
            &planted(Stage::Signed, |_| {}),
        )
        .place(PHASE)
        .clean(),
        Case::matches(
            "artifacts-listed",
            "A verifier that expects exactly three listed files refuses a pack that binds its artifacts too.",
            &bound,
            &bound.sealed(),
        )
        .ruling(14)
        .clean(),
        listed(
            "a-listed-trace-changed",
            "A verifier that knows the three usual files alone finds the change in the replay and calls it a \
             divergence.",
            "recorded_traces/out.json",
            |pack| retrace(pack, "out", "{\"list\":[1,2,4]}"),
        ),
        listed(
            "a-listed-contract-reformatted",
            "A verifier that compares canonical values where the manifest binds bytes lets a listed file be \
             rewritten.",
            "episode_contract.json",
            |pack| {
                let compact: String = pack.text("episode_contract.json").lines().map(str::trim_start).collect();
                pack.put("episode_contract.json", compact);
            },
        )
        .flag("Whitespace"),
        breaks(
            "a-report-changed",
            "A verifier that hashes the receipts alone lets the report beside them say anything.",
            &planted(Stage::Signed, |pack| {
                let report = pack.text("verify_report.json").replace("\"n_receipts\": 4", "\"n_receipts\": 5");
                pack.put("verify_report.json", report);
            }),
        )
        .finds([Finding::new(LAW.slug, "verify_report.json")])
        .place(PHASE),
        breaks(
            "a-line-feed-behind-the-receipts",
            "A verifier that compares receipts instead of bytes does not see that the file is no longer the signed \
             one.",
            &planted(Stage::Signed, |pack| {
                let more = format!("{}\n", pack.text(RECEIPTS));
                pack.put(RECEIPTS, more);
            }),
        )
        .finds([Finding::new(LAW.slug, RECEIPTS)])
        .place(PHASE)
        .flag("Whitespace"),
        breaks(
            "a-listed-file-missing",
            "A verifier that checks the files it finds against the list, and not the list against the files, misses \
             none.",
            &planted(Stage::Signed, |pack| drop(pack.files.remove("verify_transcript.md"))),
        )
        .finds([SOMEWHERE; 2])
        .place(PHASE)
        .flag("FailClosed"),
        holds(
            "an-expected-file-present",
            "A verifier that expects the five usual names alone refuses a manifest that names one more.",
            &noted(true),
        ),
        Case::fails(
            "an-expected-file-missing",
            "A verifier that reads `files` and never `expected_files` does not miss a file that is named there alone.",
            2,
            &noted(false),
        )
        .finds([SOMEWHERE])
        .flag("FailClosed")
        .twin("an-expected-file-present"),
        holds(
            "a-wrong-length",
            "A verifier that rejects on `bytes` is stricter than the container, whose digest binds the content \
             already.",
            &planted(Stage::Listed, |pack| pack.manifest["files"][1]["bytes"] = 7.into()),
        )
        .warns("episode/pack-integrity", MANIFEST, "/files/1/bytes")
        .twin("sound"),
        holds(
            "an-unlisted-entry",
            "A verifier that rejects on extra files fails a pack that nobody tampered with; one that is silent hides \
             that the file is not bound.",
            &planted(Stage::Signed, |pack| pack.put("README.md", "Read me.\n")),
        )
        .warns("episode/pack-integrity", "README.md", "")
        .twin("sound"),
        holds(
            "an-unsigned-folder",
            "A verifier that warns of every unlisted entry warns of the folder that is there to be ignored.",
            &planted(Stage::Signed, |pack| pack.put("_unsigned/PACK_SUMMARY.md", "# Summary\n")),
        )
        .clean(),
    ]
}

fn clock() -> Vec<Case> {
    let now = "2026-03-01T08:00:00Z";
    let earlier = Episode { day: "2026-03-01".to_owned(), ..list() };
    vec![
        Case::matches(
            "attested-within-the-day",
            "A verifier that allows no clock skew at all refuses a pack from an hour ahead.",
            &earlier,
            &earlier.sealed(),
        )
        .ruling(45)
        .now(now),
        Case::fails(
            "attested-more-than-a-day-ahead",
            "A verifier that takes the time as an argument and never looks at it accepts a pack from the future.",
            2,
            &list().sealed(),
        )
        .ruling(45)
        .flag("FailClosed")
        .now(now)
        .twin("attested-within-the-day"),
        Case::matches(
            "attested-a-day-ahead-to-the-millisecond",
            "A verifier that refuses what lies 24 hours ahead refuses it a moment too early: more than that is refused.",
            &earlier,
            &earlier.sealed(),
        )
        .ruling(45)
        .now("2026-02-28T09:00:00.003Z"),
        Case::matches(
            "a-day-ahead-of-a-clock-east-of-utc",
            "A verifier that adds an offset where it is taken off, or reads only its hours, refuses what lies exactly a \
             day ahead.",
            &list(),
            &list().sealed(),
        )
        .ruling(45)
        .now("2026-03-01T19:30:00.003+10:30"),
        Case::fails(
            "more-than-a-day-ahead-of-a-clock-east-of-utc",
            "A verifier that compares local times, or reads the caller's offset as UTC, takes a day and a second for \
             thirteen hours.",
            2,
            &list().sealed(),
        )
        .ruling(45)
        .flag("FailClosed")
        .now("2026-03-01T19:29:59.003+10:30")
        .twin("within-a-day-of-a-clock-east-of-utc"),
        Case::matches(
            "within-a-day-of-a-clock-east-of-utc",
            "A verifier that reads the offset of the caller's clock the wrong way refuses a pack of the day.",
            &earlier,
            &earlier.sealed(),
        )
        .ruling(45)
        .now("2026-03-01T19:29:59.003+10:30"),
        Case::matches(
            "a-day-ahead-of-a-clock-west-of-utc",
            "A verifier that drops the sign of an offset takes the caller's clock for one that is 21 hours earlier.",
            &list(),
            &list().sealed(),
        )
        .ruling(45)
        .now("2026-02-28T22:30:00.003-10:30"),
        Case::matches(
            "attested-long-ago",
            "A verifier that treats the guard as a maximum age refuses an old pack.",
            &earlier,
            &earlier.sealed(),
        )
        .ruling(45)
        .now("2036-03-01T08:00:00+01:00"),
    ]
}
