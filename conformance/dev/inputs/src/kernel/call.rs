//! Tool calls, and the runs that a comparison takes.

use arbitrary::{Result, Unstructured};

use crate::pairs::draw::{int, odds, one_of};
use crate::pairs::json::Json;

const ACTIONS: &[&str] = &["tool.call", "fs.read", "fs.write"];
const LINES: &[&str] = &[
    "[INFO] [STAGE:promotion] [CODE:I_PROMOTION_PASS] [LOC:/index/committed] done |",
    "[FAIL] [STAGE:lsi] [CODE:E_LSI_ORPHAN_REFERENCE] [LOC:/links/k/id] none | id=x",
    "[INFO] [STAGE:capability] [CODE:I_CAPABILITY_SKIPPED] [LOC:/] off | a=1 b=2",
];

/// A request for a tool call, now and then without its context.
pub(super) fn authorize(u: &mut Unstructured<'_>) -> Result<Json> {
    let mut request = Json::object([("context", context(u)?), ("tool_request", tool_call(u)?)]);
    if odds(u, 1, 2)? {
        request.set("run_id", Json::text("r"));
        request.set("turn_id", Json::text("turn-0001"));
    }
    if odds(u, 1, 40)? {
        request.remove("context");
    }
    Ok(Json::object([("op", Json::text("authorize_tool_call")), ("request", request)]))
}

/// What is known of whoever calls.
pub(super) fn context(u: &mut Unstructured<'_>) -> Result<Json> {
    let mut context = Json::object([("subject", Json::text("agent"))]);
    for (name, often) in [("capability_enforcement", 3), ("capability_resolved", 6), ("allow_tool_call", 3)] {
        if odds(u, 1, often)? {
            context.set(name, flag(u)?);
        }
    }
    if !odds(u, 1, 4)? {
        context.set("permissions", actions(u)?);
    }
    if odds(u, 1, 4)? {
        context.set("policy_source", one_of(u, &["policy.json", "", "\u{1f600}"])?);
    }
    Ok(context)
}

/// A tool call.
pub(super) fn tool_call(u: &mut Unstructured<'_>) -> Result<Json> {
    let mut call = Json::Object(Vec::new());
    if !odds(u, 1, 4)? {
        call.set("action", one_of(u, ACTIONS)?);
    }
    if odds(u, 1, 2)? {
        call.set("resource", one_of(u, &["file", "", "\u{2028}"])?);
    }
    if odds(u, 1, 4)? {
        call.set("side_effects_declared", flag(u)?);
    }
    if odds(u, 1, 3)? {
        call.set("requested_permissions", actions(u)?);
    }
    if odds(u, 1, 3)? {
        call.set("declared_permissions", actions(u)?);
    }
    Ok(call)
}

fn flag(u: &mut Unstructured<'_>) -> Result<Json> {
    Ok(Json::token(if odds(u, 1, 2)? { "false" } else { "true" }))
}

fn actions(u: &mut Unstructured<'_>) -> Result<Json> {
    let mut actions = Vec::new();
    for _ in 0..int(u, 3)? {
        actions.push(one_of(u, ACTIONS)?);
    }
    Ok(Json::List(actions))
}

/// Two runs, most of the time with the same surfaces.
pub(super) fn compare_runs(u: &mut Unstructured<'_>) -> Result<Json> {
    let run_a = run(u)?;
    let mut run_b = run_a.clone();
    run_b.set("run_id", Json::text("s"));
    if odds(u, 1, 2)? {
        let other = run(u)?;
        let surfaces = ["turn_digests", "stage_outcomes", "issues", "events", "contract_version", "schema_version"];
        for name in surfaces {
            match other.member(name) {
                Some(value) if odds(u, 1, 2)? => run_b.set(name, value.clone()),
                None if odds(u, 1, 2)? => run_b.remove(name),
                _ => {}
            }
        }
    }
    let request = Json::object([("run_a", run_a), ("run_b", run_b)]);
    Ok(Json::object([("op", Json::text("compare_runs")), ("request", request)]))
}

fn run(u: &mut Unstructured<'_>) -> Result<Json> {
    let mut run = Json::object([("run_id", Json::text("r"))]);
    some(u, &mut run, "turn_digests", |u| one_of(u, &["0", "1"]))?;
    some(u, &mut run, "stage_outcomes", |u| one_of(u, &["base_shape:PASS", "lsi:FAIL"]))?;
    some(u, &mut run, "events", |u| one_of(u, LINES))?;
    some(u, &mut run, "issues", |u| {
        Ok(Json::object([
            ("level", Json::text("FAIL")),
            ("stage", one_of(u, &["lsi", "base_shape", "promotion"])?),
            ("code", one_of(u, &["E_LSI_ORPHAN_REFERENCE", "E_LSI_CORRUPT_RECORD"])?),
            ("location", one_of(u, &["/links/k/id", "/links"])?),
        ]))
    })?;
    for name in ["contract_version", "schema_version"] {
        if odds(u, 1, 2)? {
            run.set(name, one_of(u, &["kernel_api/v1", "", "v2"])?);
        }
    }
    Ok(run)
}

/// Gives a run a surface of a few items, most of the time.
fn some(
    u: &mut Unstructured<'_>,
    run: &mut Json,
    name: &str,
    item: fn(&mut Unstructured<'_>) -> Result<Json>,
) -> Result<()> {
    if odds(u, 1, 4)? {
        return Ok(());
    }
    let mut items = Vec::new();
    for _ in 0..int(u, 3)? {
        items.push(item(u)?);
    }
    run.set(name, Json::List(items));
    Ok(())
}
