//! The relations and makers by name: what the table `contracts/interface/relations.json` describes, as functions.

use super::{
    canon, contents, free, further, graph, order,
    random::Random,
    rename,
    rename::Group,
    reply, sides,
    spelling::{self, respell},
    tree::Tree,
};
use crate::vector::{Case, Document};

/// A relation or a maker.
#[derive(Clone, Copy)]
pub struct Relation {
    /// Its name in the table.
    pub name: &'static str,
    make: fn(&Case, &mut Random) -> Option<Case>,
}

impl std::fmt::Debug for Relation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl Relation {
    /// Makes a challenge of a case, where the relation holds for it; the case's id and texts stay.
    pub(super) fn make(&self, base: &Case, random: &mut Random) -> Option<Case> {
        (self.make)(base, random)
    }
}

/// All of them, in the order of the table.
pub const ALL: [Relation; 46] = [
    Relation { name: "made-document", make: canon::made },
    Relation { name: "embedded-document", make: canon::embedded },
    Relation { name: "unended-document", make: canon::unended },
    Relation { name: "canonical-again", make: canon::again },
    Relation { name: "other-ids", make: other_ids },
    Relation { name: "other-times", make: other_times },
    Relation { name: "other-run", make: graph::rerun },
    Relation { name: "other-refused-run", make: other_refused_run },
    Relation { name: "further-record", make: further_record },
    Relation { name: "fewer-records", make: further::fewer_records },
    Relation { name: "other-codes", make: other_codes },
    Relation { name: "further-members", make: further_members },
    Relation { name: "further-code", make: contents::further_code },
    Relation { name: "further-golden", make: further::golden },
    Relation { name: "further-path", make: further::path },
    Relation { name: "further-tool", make: further::tool },
    Relation { name: "further-call", make: further::call },
    Relation { name: "further-turn", make: sides::turn },
    Relation { name: "further-condition", make: further::condition },
    Relation { name: "further-step", make: further::step },
    Relation { name: "further-node", make: graph::further },
    Relation { name: "further-object", make: free::object },
    Relation { name: "further-unsigned-file", make: free::unsigned },
    Relation { name: "other-description", make: contents::description },
    Relation { name: "other-digests", make: other_digests },
    Relation { name: "other-objective", make: contents::objective },
    Relation { name: "other-episode-id", make: contents::episode_id },
    Relation { name: "other-layout-of-pack", make: contents::pack },
    Relation { name: "other-event-text", make: contents::event },
    Relation { name: "other-key", make: contents::other_key },
    Relation { name: "other-message", make: free::message },
    Relation { name: "other-own-id", make: free::own_id },
    Relation { name: "other-hint", make: free::hint },
    Relation { name: "other-meanings", make: free::meanings },
    Relation { name: "other-layout-of-records", make: free::records },
    Relation { name: "permuted-nodes", make: graph::permuted },
    Relation { name: "permuted-steps", make: order::steps },
    Relation { name: "permuted-rows", make: order::rows },
    Relation { name: "permuted-paths", make: order::paths },
    Relation { name: "permuted-turns", make: sides::turns },
    Relation { name: "permuted-decisions", make: sides::decisions },
    Relation { name: "permuted-issues", make: sides::issues },
    Relation { name: "permuted-lists", make: order::lists },
    Relation { name: "swapped-sides", make: sides::swapped },
    Relation { name: "respelled-numbers", make: spelling::numbers },
    Relation { name: RESPELLED, make: respelled },
];

/// The relation that changes no value.
pub(super) const RESPELLED: &str = "respelled";

const SOVEREIGN: [Group; 7] = [
    Group::of(&["run_id"]),
    Group::of(&["turn_id"]),
    Group::of(&["tool_name"]),
    Group::of(&["action"]),
    Group::of(&["rule_id"]),
    Group::of(&["workflow_id"]),
    Group { files: true, ..Group::of(&["paths"]) },
];
const CONTRACT: [Group; 5] = [
    Group::of(&["run_id"]),
    Group::of(&["turn_id"]),
    Group::of(&["tool_name"]),
    Group::of(&["rule_id"]),
    Group::of(&["workflow_id"]),
];
const EPISODE: [Group; 5] = [
    Group::of(&["step_id", "depends_on", "target", "output_ref"]),
    Group::of(&["provider"]),
    Group::of(&["model_id"]),
    Group::of(&["claim_type"]),
    Group::of(&["transform"]),
];
const KERNEL: [Group; 2] = [Group::of(&["run_id"]), Group::of(&["stem", "stems", "id", "ref_id"])];
const HOME: [Group; 2] = [
    Group { everywhere: true, ..Group::of(&["stem", "id"]) },
    Group { everywhere: true, below: Some("runs"), ..Group::of(&[]) },
];

fn other_ids(base: &Case, random: &mut Random) -> Option<Case> {
    let groups: &[Group] = match base.op.split('.').next()? {
        // The digests of these profiles cover more than one value of the case.
        "sovereign" if base.args.contains_key("profiles") => return None,
        // A published shape has a closed list of actions.
        "sovereign" if base.op == "sovereign.contract" => &CONTRACT,
        "sovereign" => &SOVEREIGN,
        "episode" => &EPISODE,
        "kernel" if base.op == "kernel.audit" => &HOME,
        "kernel" => &KERNEL,
        _ => return None,
    };
    rename::rename(base, groups, &[], random)
}

fn other_times(base: &Case, random: &mut Random) -> Option<Case> {
    // What the ids of a graph, of a seed, of a commit and of a blueprint cover holds no time.
    const TIMELESS: [&str; 9] = [
        "dag_root_hash",
        "id",
        "from",
        "to",
        "seed_hash",
        "commit_hash",
        "blueprint",
        "intent_root_node_id",
        "results",
    ];
    rename::retime(base, &["ts", "ts_base"], &TIMELESS, random)
}

fn other_refused_run(base: &Case, random: &mut Random) -> Option<Case> {
    let refused = base.answers().all(|answer| answer.is == crate::vector::Verdict::Reject);
    let groups =
        [Group::of(&["run_id"]), Group::of(&["seed_text"]), Group::of(&["ts_base"]), Group::of(&["assumptions"])];
    if refused { rename::rename(base, &groups, &[], random) } else { None }
}

fn further_record(base: &Case, random: &mut Random) -> Option<Case> {
    contents::further_record(base, random)
}

fn other_codes(base: &Case, random: &mut Random) -> Option<Case> {
    if base.op == "reply.code" { reply::code(base, random) } else { reply::recast(base, random) }
}

fn other_digests(base: &Case, random: &mut Random) -> Option<Case> {
    if base.op == "sovereign.bundle" { contents::envelope(base, random) } else { contents::other_digests(base, random) }
}

fn further_members(base: &Case, random: &mut Random) -> Option<Case> {
    match base.op.as_str() {
        "episode.receipt" => contents::further_in_receipt(base, random),
        "reply.action" => contents::further_in_envelope(base, random),
        _ => contents::further_in_bodies(base, random),
    }
}

/// The same documents in another spelling.
pub(super) fn respelled(base: &Case, random: &mut Random) -> Option<Case> {
    let mut case = base.clone();
    let mut changed = false;
    for document in case.inputs.values_mut() {
        let text = String::from_utf8(document.bytes()).ok()?;
        let tree = Tree::parse(&text).filter(Tree::is_plain)?;
        let spelled = respell(&tree, random);
        changed |= spelled != text;
        *document = Document::Text(spelled);
    }
    changed.then_some(case)
}
