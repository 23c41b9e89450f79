//! Which receipts there are, and what they say.

use serde_json::{Value, json};

use super::{LAW, breaks, holds, planted};
use crate::{
    Episode, Finding, Pack, Stage,
    canon::hash,
    cases::base::{loaded, published, summed},
    pack::RECEIPTS,
    place::Place,
    step,
    vector::Case,
};

/// That the other members of a receipt are compared with the contract, or with other receipts.
pub(super) const COMPARED: Place = Place::Ruling(12);

/// Receipts contradict each other, and no words decide which of several laws that breaks.
const CONTRADICTION: Finding = Finding::at(RECEIPTS);

pub(super) fn cases() -> Vec<Case> {
    let mut cases = counts();
    cases.extend(open_and_close());
    cases.extend(steps());
    cases.extend(types());
    cases.extend(inputs());
    cases
}

/// The complete pack with a member of a receipt altered; `place` finds the receipt.
pub(super) fn set(place: fn(&Pack) -> usize, member: &str, value: impl Into<Value>) -> Pack {
    planted(Stage::Written, |pack| {
        let index = place(pack);
        pack.set(index, member, value);
    })
}

pub(super) fn remove(place: fn(&Pack) -> usize, member: &str) -> Pack {
    planted(Stage::Written, |pack| {
        let index = place(pack);
        assert!(pack.receipts[index].remove(member).is_some(), "{member} is not there");
    })
}

pub(super) fn open(_: &Pack) -> usize {
    0
}

pub(super) fn close(pack: &Pack) -> usize {
    pack.close()
}

pub(super) fn transform(pack: &Pack) -> usize {
    pack.step("sum")
}

pub(super) fn emission(pack: &Pack) -> usize {
    pack.step("out")
}

fn counts() -> Vec<Case> {
    let without = |place: fn(&Pack) -> usize| {
        planted(Stage::Written, |pack| {
            let index = place(pack);
            pack.receipts.remove(index);
        })
    };
    let again = |place: fn(&Pack) -> usize| {
        planted(Stage::Written, |pack| {
            let mut copy = pack.receipts[place(pack)].clone();
            copy.insert("receipt_id".to_owned(), json!("r_ep_again"));
            let close = pack.close();
            pack.receipts.insert(close, copy);
        })
    };
    let stranger = planted(Stage::Written, |pack| {
        let mut copy = pack.receipts[transform(pack)].clone();
        copy.insert("receipt_id".to_owned(), json!("r_ep_stranger"));
        copy.insert("step_id".to_owned(), json!("sum-again"));
        let close = pack.close();
        pack.receipts.insert(close, copy);
    });
    // Linked by hand: an open receipt has no parents, the second one neither.
    let reopened = planted(Stage::Linked, |pack| {
        let mut copy = pack.receipts[0].clone();
        copy.insert("receipt_id".to_owned(), json!("r_ep_again"));
        let close = pack.close();
        pack.receipts.insert(close, copy);
    });
    let renamed = set(emission, "step_id", "check");
    vec![
        holds(
            "complete",
            "A verifier that asks for more than the profile does refuses a pack with nothing missing.",
            &planted(Stage::Signed, |_| {}),
        )
        .clean(),
        breaks(
            "no-open-receipt",
            "A verifier that compares the open receipt if there is one never misses it.",
            &without(open),
        )
        .flag("FailClosed"),
        breaks("two-open-receipts", "A verifier that takes the first open receipt never sees the second.", &reopened)
            .flag("Multiset"),
        breaks(
            "no-close-receipt",
            "A verifier that compares the close receipt if there is one never misses it.",
            &without(close),
        )
        .flag("FailClosed"),
        breaks(
            "two-close-receipts",
            "A verifier that takes the last close receipt never sees the first.",
            &again(close),
        )
        .flag("Multiset"),
        breaks(
            "no-receipts",
            "A verifier that fails in phase 2 where there is no last receipt does not know the head of an empty pack; \
             one that goes on finds nothing to compare.",
            &planted(Stage::Written, |pack| pack.receipts.clear()),
        )
        .finds_undecided()
        .flag("FailClosed"),
        breaks(
            "a-step-without-receipt",
            "A verifier that replays the receipts it finds does not miss the step that has none.",
            &without(emission),
        )
        .finds_undecided()
        .flag("FailClosed"),
        breaks(
            "a-step-with-two-receipts",
            "A verifier that keeps receipts in a map by step loses one of two.",
            &again(transform),
        )
        .finds_undecided()
        .flag("Multiset"),
        breaks(
            "two-receipts-of-one-step-and-none-of-another",
            "A verifier that compares the number of receipts with the number of steps finds four and four.",
            &renamed,
        )
        .finds_undecided()
        .flag("Multiset"),
        breaks(
            "a-receipt-of-no-step",
            "A verifier that looks up the steps of the script never looks at a receipt of a step that the script does \
             not have.",
            &stranger,
        )
        .finds_undecided()
        .flag("ExtraMember"),
    ]
}

fn open_and_close() -> Vec<Case> {
    let other = "ep_0195c8a1d2e3000000000002";
    let compared = |name, rationale, pack: &Pack| breaks(name, rationale, pack).place(COMPARED);
    vec![
        compared(
            "another-episode-opened",
            "A verifier that compares hashes alone accepts another episode's open receipt.",
            &set(open, "episode_id", other),
        ),
        compared(
            "another-episode-closed",
            "A verifier that compares the id in the open receipt alone accepts another episode's close receipt.",
            &set(close, "episode_id", other),
        ),
        compared(
            "another-basis-opened",
            "A verifier that reads the basis from the contract alone accepts a live run.",
            &set(open, "replay_basis", "live_reexecution"),
        )
        .flag("EnumMember"),
        compared(
            "another-basis-closed",
            "A verifier that reads the basis from the open receipt alone accepts an episode that closes as a live \
             run.",
            &set(close, "replay_basis", "live_reexecution"),
        )
        .flag("EnumMember"),
        compared(
            "another-tier-opened",
            "A verifier that reads the tier from the policy alone never compares it with what the episode was opened \
             under.",
            &set(open, "comparator_tier", "C"),
        )
        .flag("EnumMember"),
        compared(
            "another-tier-closed",
            "A verifier that compares the tier of steps alone accepts an episode that closes under another.",
            &set(close, "comparator_tier", "C"),
        )
        .flag("EnumMember"),
        compared(
            "another-number-of-steps",
            "A verifier that counts receipts and believes n_steps accepts two numbers for one script.",
            &set(open, "n_steps", 5),
        ),
        compared(
            "another-number-executed",
            "A verifier that takes the counts of the close receipt for information lets it claim fewer steps than \
             ran.",
            &set(close, "n_steps_executed", 3),
        )
        .finds([CONTRADICTION]),
        compared(
            "another-number-passed",
            "A verifier that derives all_steps_passed and believes the count accepts a receipt that contradicts \
             itself.",
            &set(close, "n_steps_passed", 3),
        )
        .finds([CONTRADICTION]),
        compared(
            "passed-and-says-it-did-not",
            "A verifier that refuses a boast and lets an understatement pass accepts a receipt that contradicts its \
             own counts.",
            &set(close, "all_steps_passed", false),
        )
        .finds([CONTRADICTION]),
        holds(
            "another-objective",
            "A verifier that compares the objective rejects over a member that is description; one that is silent \
             hides that the receipts describe something else.",
            &set(open, "objective", "Show something else."),
        )
        .ruling(33)
        .warns("episode/completeness", RECEIPTS, "/0/objective")
        .twin("complete"),
        holds(
            "no-objective",
            "A verifier that counts the objective among the required members refuses a receipt without.",
            &remove(open, "objective"),
        )
        .ruling(22),
    ]
}

fn steps() -> Vec<Case> {
    let size = planted(Stage::Written, |pack| {
        let index = transform(pack);
        pack.set(index, "output_size_bytes", 1_000_000);
        pack.set(index, "duration_ms", 0);
    });
    let tiers = tiered(json!({"sum": "A", "nobody": "A"}));
    vec![
        breaks(
            "a-step-of-another-episode",
            "A verifier that compares the ids of open and close alone accepts a step of another episode.",
            &set(transform, "episode_id", "ep_0195c8a1d2e3000000000002"),
        )
        .place(COMPARED),
        breaks(
            "another-opcode",
            "A verifier that reads the opcode from the script never notices that the receipt is of another kind of \
             step.",
            &set(transform, "opcode", "LOAD_INPUT"),
        )
        .place(COMPARED),
        breaks(
            "another-tier-of-a-step",
            "A verifier that compares under tier A whatever the receipt says finds nothing wrong with a tier that \
             does not exist.",
            &set(transform, "comparator_tier", "C"),
        )
        .place(COMPARED)
        .flag("EnumMember"),
        breaks(
            "an-output-hash-without-prefix",
            "A verifier that compares digests as bytes accepts the container's spelling in a receipt.",
            &unprefixed(),
        )
        .finds([CONTRADICTION])
        .place(Place::Profile("0.1 Hash encoding"))
        .ruling(10)
        .flag("DigestSpelling"),
        breaks("an-output-hash-in-upper-case", "A verifier that folds case calls the hashes equal.", &uppercase())
            .finds([CONTRADICTION])
            .place(Place::Profile("0.1 Hash encoding"))
            .ruling(20)
            .flag("DigestSpelling"),
        breaks(
            "an-executed-step-without-output",
            "A verifier that skips null hashes never replays the step.",
            &set(emission, "output_hash", Value::Null),
        )
        .finds_undecided()
        .place(Place::Profile("Step status"))
        .ruling(20)
        .flag("NullVersusAbsent"),
        holds(
            "sizes-and-durations-of-executed-steps",
            "A verifier that measures traces against output_size_bytes rejects over a member that is information.",
            &size,
        )
        .ruling(34)
        .clean(),
        Case::matches(
            "tiers-by-step",
            "A verifier that wants every key of comparator_tiers_by_step to be a step refuses a lawful policy.",
            &tiers,
            &tiers.sealed(),
        )
        .place(Place::Profile("Episode Contract schema, replay_policy"))
        .ruling(38),
    ]
}

/// The hash of the last step's output, in a spelling that is not that of a hash; nothing derives from it but the outputs hash.
fn respelled(spell: impl FnOnce(&str) -> String) -> Pack {
    planted(Stage::Written, |pack| {
        let (out, close) = (emission(pack), pack.close());
        let spelled = spell(pack.receipts[out]["output_hash"].as_str().expect("a hash"));
        pack.set(close, "outputs_hash", hash(&json!([{"step_id": "out", "output_hash": spelled}])));
        pack.set(out, "output_hash", spelled);
    })
}

fn unprefixed() -> Pack {
    respelled(|hash| hash.trim_start_matches("sha256:").to_owned())
}

fn uppercase() -> Pack {
    respelled(|hash| hash.to_uppercase().replace("SHA256", "sha256"))
}

fn tiered(tiers: Value) -> Episode {
    let mut episode = crate::cases::base::sum();
    episode.contract["replay_policy"]["comparator_tiers_by_step"] = tiers;
    episode
}

/// A member of each class with a value of another type, or absent.
fn types() -> Vec<Case> {
    let wrong = |name, rationale, pack: &Pack| breaks(name, rationale, pack).ruling(22).flag("TypeConfusion");
    let fraction = planted(Stage::Written, |pack| pack.set(0, "n_steps", 4.0));
    vec![
        wrong(
            "a-duration-as-text",
            "A verifier that takes durations for information never looks at their type.",
            &set(transform, "duration_ms", "1"),
        ),
        wrong(
            "a-count-as-text",
            "A verifier that coerces text into numbers finds the count right.",
            &set(open, "n_steps", "4"),
        ),
        wrong(
            "a-count-in-words",
            "A verifier that coerces text into numbers breaks on a word.",
            &set(open, "n_steps", "four"),
        ),
        breaks(
            "a-count-with-a-fraction",
            "A verifier that compares numbers by value takes 4.0 for the integer 4.",
            &spelled(&fraction),
        )
        .ruling(26)
        .flag("NumberToken"),
        wrong(
            "a-boolean-as-text",
            "A verifier that takes any text that is not empty for true finds the claim right.",
            &set(close, "all_steps_passed", "true"),
        ),
        wrong(
            "a-boolean-as-a-number",
            "A verifier in a language where 1 equals true finds the claim right.",
            &set(close, "all_steps_passed", 1),
        ),
        wrong(
            "an-array-as-text",
            "A verifier that iterates over whatever it finds reads text as a list of letters.",
            &{
                let load = hash(&json!([1, 2, 3]));
                set(transform, "input_hashes", load)
            },
        ),
        wrong(
            "a-size-of-null",
            "A verifier that takes sizes for information never looks at their type.",
            &set(transform, "output_size_bytes", Value::Null),
        ),
        breaks(
            "no-duration",
            "A verifier that takes durations for information never misses one.",
            &remove(transform, "duration_ms"),
        )
        .ruling(22)
        .flag("MissingMember"),
        breaks(
            "no-tier-in-a-step",
            "A verifier that falls back to the policy's tier fills in what the receipt owes.",
            &{ remove(transform, "comparator_tier") },
        )
        .ruling(22)
        .flag("MissingMember"),
    ]
}

/// A float that RFC 8785 writes without its fraction: the line keeps the fraction, and the canonical text has none.
fn spelled(pack: &Pack) -> Pack {
    let mut pack = pack.clone();
    let lines = pack.text(RECEIPTS).replacen("\"n_steps\":4,", "\"n_steps\":4.0,", 1);
    pack.put(RECEIPTS, lines);
    pack.list();
    pack.attest();
    pack.sign();
    pack
}

fn inputs() -> Vec<Case> {
    let chosen = |values: Value| set(emission, "input_hashes", values);
    let (sum, check) = (hash(&json!({"sum": 6})), hash(&json!({"assertion_passed": true})));
    let missing = {
        let other = (step::load("in", "other.json"), loaded("nums.json").1);
        Episode::new(&[crate::cases::base::NUMBERS], [other, summed(), crate::cases::base::checked(true), published()])
    };
    let refused = |name, rationale, pack: &Pack| breaks(name, rationale, pack).ruling(12).finds([CONTRADICTION]);
    vec![
        refused(
            "input-hashes-of-another-output",
            "A verifier that leaves input_hashes to the replay reports a divergence, or nothing, where receipts \
             contradict each other.",
            &chosen(json!([sum, hash(&json!(false))])),
        ),
        refused(
            "input-hashes-in-another-order",
            "A verifier that compares the hashes as sets finds the same ones.",
            &chosen(json!([check, sum])),
        )
        .flag("SortOrder"),
        refused(
            "an-input-hash-left-out",
            "A verifier that compares as many hashes as there are finds each of them right.",
            &chosen(json!([sum])),
        )
        .flag("Truncation"),
        refused(
            "an-input-hash-too-many",
            "A verifier that asks whether each dependency is among the hashes finds them all.",
            &chosen(json!([sum, check, hash(&json!([1, 2, 3]))])),
        )
        .flag("ExtraMember"),
        refused(
            "input-hashes-hashed-again",
            "A verifier that hashes the dependencies' hashes finds these right.",
            &chosen(json!([hash(&json!(sum)), hash(&json!(check))])),
        )
        .flag("DigestProjection"),
        breaks(
            "a-load-of-an-undeclared-input",
            "A verifier that never resolves `ref` lets a step load what no hash of the contract covers.",
            &missing.sealed(),
        )
        .finds([Finding::new(LAW.slug, "episode_contract.json")])
        .ruling(15)
        .flag("FailClosed"),
    ]
}
