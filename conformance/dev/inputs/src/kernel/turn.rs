//! Requests to execute a turn, of which about every other breaks something.

use arbitrary::{Result, Unstructured};

use super::{BAD_TURNS, IDS, STEMS, call};
use crate::pairs::draw::{int, odds, one_of, pick};
use crate::pairs::json::Json;

/// A links key of invocations, what it takes, and whether that is a list.
const KEYS: [(&str, &str, bool); 4] = [
    ("skill", "skill", false),
    ("entrypoint", "entrypoint", false),
    ("trace_events", "trace_event", true),
    ("validation_result", "validation_result", false),
];
const RAW_IDS: &[&str] = &["skill_id", "my_invocation_id", "workspace_id", "skill_ids", "xskill_id"];

/// An operation that executes a turn.
pub(super) fn execute_turn(u: &mut Unstructured<'_>, run_id: Json, turn_id: Json) -> Result<Json> {
    let mut input = Json::object([("note", Json::text("as it comes"))]);
    let calls = odds(u, 1, 3)?;
    if calls {
        input.set("tool_call", call::tool_call(u)?);
    }
    if odds(u, 1, 2)? {
        input.set("context", call::context(u)?);
    }
    if !odds(u, 1, 6)? {
        // A stem that is refused is one thing; a call that is denied, or a stage that finds something, another.
        let refused = !calls && odds(u, 1, 16)?;
        let mut triplet = triplet(u, !refused)?;
        if refused {
            triplet.set("stem", one_of(u, &["", "..", "a//b"])?);
        }
        input.set("stage_triplet", triplet);
    }
    let handle = Json::object([
        ("contract_version", Json::text("kernel_api/v1")),
        ("run_id", run_id),
        ("visibility_mode", Json::text("local_only")),
    ]);
    let mut request = Json::object([
        ("contract_version", Json::text("kernel_api/v1")),
        ("run_handle", handle),
        ("turn_id", turn_id),
        ("turn_input", input),
    ]);
    if odds(u, 1, 3)? {
        request.set("commit_intent", one_of(u, &["stage_only", "stage_and_request_promotion"])?);
    }
    if odds(u, 1, 10)? {
        misshape(u, &mut request)?;
    }
    Ok(Json::object([("op", Json::text("execute_turn")), ("request", request)]))
}

/// An operation that starts a run, about one in four of which has one member that is wrong.
pub(super) fn start_run(u: &mut Unstructured<'_>, run_id: Json) -> Result<Json> {
    let mut request = Json::object([
        ("contract_version", Json::text("kernel_api/v1")),
        ("workflow_id", one_of(u, &["w", "\u{e9}"])?),
    ]);
    if !odds(u, 1, 3)? {
        request.set("run_id", run_id);
    }
    for (name, among) in [
        ("policy_profile_ref", &["p", ""][..]),
        ("model_profile_ref", &["m", ""][..]),
        ("visibility_mode", &["local_only", "local_offline"][..]),
        ("snapshot_semantics", &["none", "turn_scoped", "run_scoped"][..]),
    ] {
        if odds(u, 1, 3)? {
            request.set(name, one_of(u, among)?);
        }
    }
    if odds(u, 1, 4)? {
        let names = ["contract_version", "workflow_id", "run_id", "visibility_mode", "snapshot_semantics", "more/~"];
        match int(u, 3)? {
            0 => request.remove(pick(u, &["contract_version", "workflow_id"])?),
            1 => request.set(pick(u, &names)?, Json::text("")),
            2 => request.set(pick(u, &names)?, Json::token(*pick(u, &["null", "1", "{}", "1.5"])?)),
            _ => request.set(pick(u, &["policy_profile_ref", "model_profile_ref"])?, Json::NULL),
        }
    }
    Ok(Json::object([("op", Json::text("start_run")), ("request", request)]))
}

/// An operation that replays a run of a request or two; what was recorded of it is mostly something else.
pub(super) fn replay_run(u: &mut Unstructured<'_>, run_id: Json, turn_ids: [Json; 2]) -> Result<Json> {
    let mut requests = Vec::new();
    let most = int(u, 2)? as usize;
    for turn_id in turn_ids.into_iter().take(most) {
        if let Some(request) = execute_turn(u, run_id.clone(), turn_id)?.member("request") {
            requests.push(request.clone());
        }
    }
    let issue =
        Json::object([("level", Json::text("FAIL")), ("stage", Json::text("lsi")), ("code", Json::text("E_A"))]);
    let some = |u: &mut Unstructured<'_>, item: Json| -> Result<Json> {
        Ok(Json::List(if odds(u, 1, 3)? { vec![item] } else { Vec::new() }))
    };
    let recorded = Json::object([("turn_digests", some(u, Json::text("0"))?), ("issues", some(u, issue)?)]);
    let mut descriptor = Json::object([
        ("contract_version", Json::text("kernel_api/v1")),
        ("run_id", run_id),
        ("requests", Json::List(requests)),
        ("recorded", recorded),
    ]);
    if odds(u, 1, 6)? {
        match int(u, 2)? {
            0 => descriptor.set("contract_version", one_of(u, &["kernel_api/v2", ""])?),
            1 => descriptor.remove(pick(u, &["contract_version", "run_id", "requests", "recorded"])?),
            _ => descriptor.set(pick(u, &["contract_version", "run_id", "requests", "recorded"])?, Json::token("7")),
        }
    }
    Ok(Json::object([("op", Json::text("replay_run")), ("run_descriptor", descriptor)]))
}

fn misshape(u: &mut Unstructured<'_>, request: &mut Json) -> Result<()> {
    match int(u, 6)? {
        0 => request.set("contract_version", one_of(u, &["kernel_api/v2", ""])?),
        1 => request.remove("contract_version"),
        2 => request.set("run_handle", Json::NULL),
        3 => {
            if let Some(handle) = request.member_mut("run_handle") {
                handle.set("run_id", Json::text(""));
            }
        }
        4 => request.set("turn_id", one_of(u, BAD_TURNS)?),
        5 => request.remove("turn_id"),
        _ => request.remove("turn_input"),
    }
    Ok(())
}

/// A triplet for the five stages: lawful as to its shape, or broken in one place if it may be.
pub(super) fn triplet(u: &mut Unstructured<'_>, broken: bool) -> Result<Json> {
    let mut body = Json::object([("dto_type", Json::text("invocation")), ("id", one_of(u, IDS)?)]);
    let mut links = Json::Object(Vec::new());
    for (key, kind, many) in KEYS {
        if odds(u, 1, 3)? {
            let mut reference = reference(u, kind)?;
            if !broken {
                reference.remove("relationship");
            }
            links.set(key, if many { Json::List(vec![reference]) } else { reference });
        }
    }
    let mut manifest = Json::Object(Vec::new());
    if broken && odds(u, 1, 2)? {
        breach(u, &mut body, &mut links, &mut manifest)?;
    }
    Ok(Json::object([("stem", one_of(u, STEMS)?), ("body", body), ("links", links), ("manifest", manifest)]))
}

fn reference(u: &mut Unstructured<'_>, kind: &str) -> Result<Json> {
    let mut reference = Json::object([("type", Json::text(kind)), ("id", one_of(u, IDS)?)]);
    let said = match kind {
        "skill" | "entrypoint" => "declares",
        "trace_event" => "produces",
        _ => return Ok(reference),
    };
    // Declared is one thing at most, so that most links leave it unsaid.
    if odds(u, 1, 4)? {
        reference.set("relationship", Json::text(said));
    }
    Ok(reference)
}

fn breach(u: &mut Unstructured<'_>, body: &mut Json, links: &mut Json, manifest: &mut Json) -> Result<()> {
    let own = reference(u, "skill")?;
    match int(u, 15)? {
        0 => *body = no_object(u)?,
        1 => *links = no_object(u)?,
        2 => *manifest = no_object(u)?,
        3 => body.set("dto_type", one_of(u, &["unheard", " Invocation ", "validation_result", ""])?),
        4 => links.set("unheard", own),
        5 => links.set("skill", Json::List(vec![own])),
        6 => links.set("trace_events", own),
        7 => links.set("skill", no_object(u)?),
        8 => set_in(links, own, "id", Json::text("")),
        9 => set_in(links, own, "type", one_of(u, &["artifact", "Skill", ""])?),
        10 => set_in(links, own, "relationship", one_of(u, &["unheard", "validates", "causes", "declares"])?),
        11 => {
            for (key, kind, _) in KEYS.into_iter().take(2) {
                let mut reference = reference(u, kind)?;
                reference.set("relationship", Json::text("declares"));
                links.set(key, reference);
            }
        }
        12 | 13 => {
            let name = pick(u, RAW_IDS)?;
            let holder = if odds(u, 1, 2)? { &mut *body } else { &mut *links };
            holder.set(name, Json::object([("inner", Json::NULL)]));
            if odds(u, 1, 2)? {
                let allowed = Json::List(vec![Json::text(name)]);
                manifest.set("policy", Json::object([("allowed_local_ids", allowed)]));
            }
        }
        14 => {
            let listed = match int(u, 3)? {
                0 => Json::List(vec![Json::text("trace_events")]),
                1 => Json::List(vec![Json::text("skill"), Json::text("trace_events"), Json::NULL]),
                2 => Json::text("trace_events"),
                _ => Json::Object(Vec::new()),
            };
            if odds(u, 1, 3)? {
                manifest.set("determinism", Json::object([("order_insensitive", listed)]));
            } else {
                manifest.set("order_insensitive", listed);
            }
        }
        _ => {
            let mut untyped = own;
            untyped.remove("type");
            links.set("skill", untyped);
        }
    }
    Ok(())
}

/// What stands where an object is due.
fn no_object(u: &mut Unstructured<'_>) -> Result<Json> {
    Ok(Json::token(*pick(u, &["null", "[]", "7", "\"x\""])?))
}

fn set_in(links: &mut Json, mut reference: Json, member: &str, value: Json) {
    reference.set(member, value);
    links.set("skill", reference);
}
