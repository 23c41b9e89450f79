//! One side of a pair while it is being made: a bundle and its turn files, as values that can still be changed.

use std::collections::BTreeMap;

use arbitrary::{Result, Unstructured};

use super::damage::Damage;
use super::draw::{self, int, odds, pick};
use super::emit::{Style, emit};
use super::json::{Json, Step};

/// The digest of the sealed error-codes file, which lawful bundles carry.
const REGISTRY: &str = "e972895604cb3d52eba871f38ba6b39aec1215f461b0de8e25d62d8f0d112d09";

pub(crate) const BUNDLE_DIGESTS: [&str; 3] =
    ["policy_digest", "runtime_profile_digest", "contract_registry_snapshot_digest"];
pub(crate) const TRANSITION_DIGESTS: [&str; 3] = ["prior_state_digest", "proposed_state_digest", "inputs_digest"];
pub(crate) const STAGES: [&str; 10] = [
    "policy",
    "capability",
    "base_shape",
    "dto_links",
    "relationship_vocabulary",
    "determinism",
    "ci",
    "lsi",
    "promotion",
    "replay",
];

/// A bundle and its turn files. Strings that begin with `@/` get the side's letter for the `@`.
#[derive(Debug, Clone)]
pub(crate) struct Draft {
    pub(crate) bundle: Json,
    pub(crate) damage: Option<Damage>,
    pub(crate) turns: Vec<TurnFile>,
}

/// A turn file below the side's folder.
#[derive(Debug, Clone)]
pub(crate) struct TurnFile {
    pub(crate) name: String,
    pub(crate) document: Json,
    pub(crate) damage: Option<Damage>,
}

/// The way to a value of a draft.
#[derive(Debug, Clone)]
pub(crate) struct Site {
    /// The turn file, or the bundle.
    pub(crate) turn: Option<usize>,
    pub(crate) steps: Vec<Step>,
}

impl Draft {
    pub(crate) fn lawful(u: &mut Unstructured<'_>) -> Result<Self> {
        let run = *pick(u, &["run-1", "run-1", "run-1", "run-2", "", "\u{1f600}"])?;
        let count = *pick(u, &[1_usize, 1, 1, 2, 2, 3, 0])?;
        let awkward = odds(u, 1, 6)?;
        let mut entries = Vec::new();
        let mut turns = Vec::new();
        for number in 0..count {
            let id = match number {
                _ if !awkward => format!("turn-{number:04}"),
                0 => (*pick(u, &["", "a/b~c", "\u{ff61}", "\u{ff61}", "B"])?).to_owned(),
                1 => (*pick(u, &["\u{1f600}", "\u{1f600}", "turn-9", "b", "~"])?).to_owned(),
                _ => "turn-10".to_owned(),
            };
            let name = format!("t{number}.json");
            entries.push(Json::object([
                ("turn_id", Json::text(&id)),
                ("turn_result_digest", draw::digest(u)?),
                ("paths", Json::List(vec![Json::text(&format!("@/{name}"))])),
            ]));
            turns.push(TurnFile { name, document: turn(u, run, &id)?, damage: None });
        }
        let bundle = Json::object([
            ("contract_version", Json::text("replay_bundle/v1")),
            ("run_envelope", Json::object([("run_id", Json::text(run)), ("workflow_id", Json::text("wf"))])),
            ("registry_digest", Json::text(REGISTRY)),
            ("digests", digests(u, BUNDLE_DIGESTS)?),
            ("turn_results", Json::List(entries)),
        ]);
        Ok(Self { bundle, damage: None, turns })
    }

    pub(crate) fn at_mut(&mut self, site: &Site) -> Option<&mut Json> {
        match site.turn {
            None => self.bundle.at_mut(&site.steps),
            Some(turn) => self.turns.get_mut(turn)?.document.at_mut(&site.steps),
        }
    }

    /// The documents, bundle first.
    pub(crate) fn documents_mut(&mut self) -> Vec<&mut Json> {
        let turns = self.turns.iter_mut().map(|turn| &mut turn.document);
        std::iter::once(&mut self.bundle).chain(turns).collect()
    }

    /// Writes the turn files below the side's folder and returns the bundle's bytes.
    pub(crate) fn finish(
        mut self,
        u: &mut Unstructured<'_>,
        side: char,
        style: &Style,
        files: &mut BTreeMap<String, Vec<u8>>,
    ) -> Result<Vec<u8>> {
        self.bundle.each_text(&mut |text| {
            if let [first, second, ..] = text.0.as_mut_slice()
                && (*first, *second) == ('@'.into(), '/'.into())
            {
                *first = side.into();
            }
        });
        for turn in &self.turns {
            let mut octets = emit(&turn.document, style);
            if let Some(damage) = turn.damage {
                damage.apply(u, &mut octets)?;
            }
            files.insert(format!("{side}/{}", turn.name), octets);
        }
        let mut octets = emit(&self.bundle, style);
        if let Some(damage) = self.damage {
            damage.apply(u, &mut octets)?;
        }
        Ok(octets)
    }
}

fn turn(u: &mut Unstructured<'_>, run: &str, id: &str) -> Result<Json> {
    let mut decisions = Vec::new();
    let (first, step) = *pick(u, &[(0, 1), (0, 1), (0, 1), (0, 1), (3, 4), (9, 1)])?;
    // More than ten now and then: as texts, ranks 2 and 10 sort the other way round.
    let count = *pick(u, &[1, 1, 0, 2, 3])?;
    let count = if odds(u, 1, 40)? { 12 } else { count };
    for number in 0..count {
        decisions.push(decision(u, run, id, first + number * step)?);
    }
    let mut issues = Vec::new();
    for _ in 0..*pick(u, &[1, 1, 0, 2, 3])? {
        issues.push(issue(u)?);
    }
    Ok(Json::object([
        ("contract_version", Json::text("kernel_api/v1")),
        ("run_id", Json::text(run)),
        ("turn_id", Json::text(id)),
        ("transition", digests(u, TRANSITION_DIGESTS)?),
        ("capabilities", Json::object([("mode", Json::text("enabled")), ("decisions", Json::List(decisions))])),
        ("issues", Json::List(issues)),
        ("events", Json::List(Vec::new())),
    ]))
}

/// A decision record that contract 3 allows.
pub(crate) fn decision(u: &mut Unstructured<'_>, run: &str, turn: &str, ordinal: usize) -> Result<Json> {
    let mut record = Json::object([
        ("contract_version", Json::text("kernel_api/v1")),
        ("decision_id", draw::digest(u)?),
        ("run_id", Json::text(run)),
        ("turn_id", Json::text(turn)),
        ("tool_name", Json::text(pick(u, &["fs", "net", ""])?)),
        ("action", Json::text(pick(u, &["write", "read"])?)),
        ("ordinal", Json::integer(ordinal)),
        ("stage", Json::text("capability")),
        ("outcome", Json::NULL),
        ("deny_code", Json::NULL),
        ("info_code", Json::NULL),
        ("reason", Json::NULL),
        ("provenance", Json::NULL),
    ]);
    let outcome = *pick(u, &["allowed", "denied", "skipped", "unresolved"])?;
    record.set("outcome", Json::text(outcome));
    match outcome {
        "allowed" => {
            let provenance = Json::object([
                ("policy_source", Json::text("policy://p")),
                ("policy_digest", draw::digest(u)?),
                ("rule_id", Json::text("r1")),
            ]);
            record.set("provenance", provenance);
        }
        "denied" => {
            let codes = ["E_CAPABILITY_DENIED", "E_SIDE_EFFECT_UNDECLARED", "E_PERMISSION_DENIED"];
            record.set("deny_code", Json::text(pick(u, &codes)?));
        }
        "skipped" => {
            record.set("info_code", Json::text("I_CAPABILITY_SKIPPED"));
            record.set("reason", Json::text(pick(u, &["policy_disabled", "module_missing", "enforcement_off"])?));
        }
        _ => record.set("deny_code", Json::text("E_CAPABILITY_NOT_RESOLVED")),
    }
    Ok(record)
}

/// An issue with its published members.
pub(crate) fn issue(u: &mut Unstructured<'_>) -> Result<Json> {
    let locations = ["/body/a", "/body/b", "/capabilities/decisions/0", "/", "/a~1b", "/\u{ff61}", "/\u{1f600}"];
    Ok(Json::object([
        ("contract_version", Json::text("kernel_api/v1")),
        ("level", Json::text(pick(u, &["FAIL", "INFO"])?)),
        ("stage", Json::text(pick(u, &STAGES)?)),
        ("code", Json::text(pick(u, &["E_POLICY_X", "E_CAPABILITY_DENIED", "I_NOTE"])?)),
        ("location", Json::text(pick(u, &locations)?)),
        ("message", Json::text(pick(u, &["m", "another"])?)),
        ("details", draw::details(u)?),
    ]))
}

fn digests(u: &mut Unstructured<'_>, names: [&str; 3]) -> Result<Json> {
    let [first, second, third] = names;
    let seed = int(u, 1)? == 1;
    let (one, two) = if seed { (draw::digest(u)?, draw::digest(u)?) } else { (zero(), zero()) };
    Ok(Json::object([(first, one), (second, two), (third, zero())]))
}

fn zero() -> Json {
    Json::text(&"0".repeat(64))
}
