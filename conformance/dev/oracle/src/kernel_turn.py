"""Turns of the kernel's second source: the five stages, tool calls, one whole turn, the comparison of runs."""

import re

from kernel_index import Home, stage_triplet, validate_links
from kernel_values import (
    COMMITTED,
    OPEN,
    TURN_ID,
    Banned,
    Failed,
    Rejected,
    Unsettled,
    canonical,
    digest,
    escape,
    fail,
    is_triplet,
    issue_key,
    object_path,
    readable,
    scope_of,
    sha256,
    stem_of,
    token,
    without_form,
)

VERSION = "kernel_api/v1"
CODE = re.compile(r"\[CODE:([^\]]*)\]")

# The links keys of a dto_type, and the reference type that each key takes.
KEYS = {
    "invocation": "skill entrypoint validation_result trace_events".split(),
    "validation_result": "skill entrypoint tool_profile invocation artifacts trace_events".split(),
}
LISTS = {"artifacts": "artifact", "trace_events": "trace_event"}
# Cardinality, sources and targets of a relationship.
RELATIONSHIPS = {
    "declares": ("one", {"invocation", "validation_result"}, {"skill", "entrypoint", "tool_profile"}),
    "derives_from": ("many", {"validation_result"}, {"artifact"}),
    "validates": ("one", {"validation_result"}, {"invocation"}),
    "produces": ("many", {"invocation", "validation_result"}, {"trace_event"}),
    "causes": ("many", {"invocation", "validation_result"}, {"trace_event", "artifact"}),
}
RAW_IDS = (
    "skill_id entrypoint_id validation_result_id invocation_id artifact_id trace_event_id tool_profile_id "
    "workspace_id pending_gate_request_id"
).split()

SURFACES = "turn_digests stage_outcomes issue_codes event_codes contract_version schema_version".split()


# The five stages


def pipeline(stem, body, links, manifest):
    """Every issue of the five stages, in order."""
    found = [*base_shape(body, links, manifest)]
    body, links, manifest = (part if isinstance(part, dict) else {} for part in (body, links, manifest))
    dto_type = dto_type_of(stem, body, manifest)
    found += dto_links(dto_type, links)
    found += relationships(dto_type, links)
    found += policy(body, links, manifest)
    found += determinism(links, manifest)
    return sorted(found, key=issue_key)


def base_shape(body, links, manifest):
    if not isinstance(body, dict):
        yield fail("base_shape", "E_BASE_SHAPE_INVALID_BODY_VALUE", "/body")
    if not isinstance(links, dict):
        yield fail("base_shape", "E_BASE_SHAPE_INVALID_LINKS_VALUE", "/links")
        return
    if not isinstance(manifest, dict):
        yield fail("base_shape", "E_BASE_SHAPE_INVALID_MANIFEST_VALUE", "/manifest")
    for place, value in values(links):
        if not isinstance(value, dict):
            yield fail("base_shape", "E_BASE_SHAPE_INVALID_LINKS_VALUE", place)
            continue
        for member in ("type", "id"):
            if not isinstance(value.get(member), str) or not value[member]:
                yield fail("base_shape", "E_BASE_SHAPE_INVALID_REFERENCE", f"{place}/{member}")


def values(links):
    """Every links value that is or should be a reference, with its place."""
    for key, value in links.items():
        place = f"/links/{escape(key)}"
        if isinstance(value, list):
            yield from ((f"{place}/{index}", item) for index, item in enumerate(value))
        else:
            yield place, value


def dto_type_of(stem, body, manifest):
    named = [part.get(name) for part in (body, manifest) for name in ("dto_type", "type")]
    for name in named:
        if isinstance(name, str) and name.strip().lower() in KEYS:
            return name.strip().lower()
    last = stem.replace("\\", "/").strip("/").rpartition("/")[2]
    # A stem that holds both names is not settled: the cases have none.
    return next((name for name in KEYS if name in last), None)


def dto_links(dto_type, links):
    if dto_type is None:
        yield fail("dto_links", "E_DTO_LINKS_UNKNOWN_KEY", "/body/dto_type")
        return
    for key, value in links.items():
        place = f"/links/{escape(key)}"
        if key not in KEYS[dto_type]:
            yield fail("dto_links", "E_DTO_LINKS_UNKNOWN_KEY", place)
            continue
        if not isinstance(value, list if key in LISTS else dict):
            yield fail("dto_links", "E_DTO_LINKS_WRONG_CONTAINER_SHAPE", place)
        for place, item in values({key: value}):
            # What has no type is not of the one that the key takes.
            if isinstance(item, dict) and item.get("type") != LISTS.get(key, key):
                yield fail("dto_links", "E_TYPED_REF_MISMATCH", f"{place}/type")


def relationships(dto_type, links):
    uses = {}
    for place, item in values(links):
        name = item.get("relationship") if isinstance(item, dict) else None
        if name is None:
            continue
        if not isinstance(name, str) or name not in RELATIONSHIPS:
            yield fail("relationship_vocabulary", "E_RELATIONSHIP_INCOMPATIBLE", f"{place}/relationship")
            continue
        cardinality, sources, targets = RELATIONSHIPS[name]
        target = item.get("type")
        if dto_type not in sources or not isinstance(target, str) or target not in targets:
            yield fail("relationship_vocabulary", "E_RELATIONSHIP_INCOMPATIBLE", place)
        if cardinality == "one":
            uses[name] = uses.get(name, 0) + 1
    for name, count in uses.items():
        if count > 1:
            yield fail("relationship_vocabulary", "E_RELATIONSHIP_CARDINALITY_VIOLATION", "/links")


def policy(body, links, manifest):
    rules = manifest.get("policy")
    allowed = rules.get("allowed_local_ids") if isinstance(rules, dict) else None
    for place, name in [*names(body, "/body"), *names(links, "/links")]:
        raw = any(name == token or name.endswith("_" + token) for token in RAW_IDS)
        if raw and not (isinstance(allowed, list) and name in allowed):
            yield fail("policy", "E_POLICY_RAW_ID_FORBIDDEN", place)


def names(value, place):
    """Every member name, with the member's place."""
    if isinstance(value, dict):
        for name, member in value.items():
            yield f"{place}/{escape(name)}", name
            yield from names(member, f"{place}/{escape(name)}")
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from names(item, f"{place}/{index}")


def determinism(links, manifest):
    place, owner = "/manifest/order_insensitive", manifest
    if "order_insensitive" not in owner and isinstance(manifest.get("determinism"), dict):
        # Whether the issue then stands at the member's own place is not settled.
        place, owner = OPEN, manifest["determinism"]
    keys = owner.get("order_insensitive", [])
    if not isinstance(keys, list):
        yield fail("determinism", "E_DETERMINISM_VIOLATION", place)
        return
    for index, key in enumerate(keys):
        if not isinstance(key, str) or not isinstance(links.get(key), list):
            yield fail("determinism", "E_DETERMINISM_VIOLATION", place if place is OPEN else f"{place}/{index}")


# Tool calls


def texts(listed):
    return [one for one in listed if isinstance(one, str)] if isinstance(listed, list) else []


def text(owner, name, default):
    return owner[name] if isinstance(owner.get(name), str) else default


def decide(context, request, run_id, turn_id):
    """The decision record on a tool call."""
    permissions, action = sorted(texts(context.get("permissions"))), request.get("action", "tool.call")
    listed = isinstance(action, str) and action in permissions
    action = action if isinstance(action, str) else "tool.call"
    outcome, deny_code, info_code, reason, provenance = "allowed", None, None, None, None
    requested, declared = request.get("requested_permissions", []), texts(request.get("declared_permissions"))
    if context.get("capability_enforcement", True) is False:
        # Which of the four reasons it is, no ruling says.
        outcome, info_code, reason = "skipped", "I_CAPABILITY_SKIPPED", OPEN
    # Deny by default: what is neither left out nor true is not a declaration.
    elif context.get("capability_resolved", True) is not True:
        outcome, deny_code = "unresolved", "E_CAPABILITY_NOT_RESOLVED"
    elif request.get("side_effects_declared", True) is not True:
        outcome, deny_code = "denied", "E_SIDE_EFFECT_UNDECLARED"
    elif context.get("allow_tool_call") is not True and not listed:
        outcome, deny_code = "denied", "E_CAPABILITY_DENIED"
    elif not isinstance(requested, list) or not all(isinstance(one, str) and one in declared for one in requested):
        outcome, deny_code = "denied", "E_PERMISSION_DENIED"
    else:
        source = text(context, "policy_source", "context")
        provenance = {"policy_source": source, "policy_digest": digest(permissions), "rule_id": action}
    record = {
        "contract_version": VERSION,
        "run_id": run_id,
        "turn_id": turn_id,
        "tool_name": text(request, "resource", "unknown"),
        "action": action,
        "ordinal": 0,
        "stage": "capability",
        "outcome": outcome,
        "deny_code": deny_code,
        "info_code": info_code,
        "reason": reason,
        "provenance": provenance,
    }
    return {**record, "decision_id": OPEN if reason is OPEN else digest(record)}


def denial(decision):
    """The issue that a denied or unresolved tool call owes, or None."""
    if decision["deny_code"] is None:
        return None
    return fail("capability", decision["deny_code"], "/capabilities/decisions/0")


def authorize(request):
    if not all(isinstance(request.get(name), dict) for name in ("context", "tool_request")):
        raise Rejected("A_INPUT")
    ids = [text(request, name, "unknown") for name in ("run_id", "turn_id")]
    decision = decide(request["context"], request["tool_request"], *ids)
    refusal = denial(decision)
    return {
        "outcome": "FAIL" if refusal else "PASS",
        "issues": [refusal] if refusal else OPEN,
        "decision": decision,
    }


# The start of a run

# Members of the request, with what they may be.
ENVELOPE = {
    "contract_version": lambda text: text == VERSION,
    "workflow_id": lambda text: text != "",
    "run_id": lambda text: text != "",
    "policy_profile_ref": lambda text: True,
    "model_profile_ref": lambda text: True,
    "visibility_mode": lambda text: text in ("local_only", "local_offline"),
    "snapshot_semantics": lambda text: text in ("none", "turn_scoped", "run_scoped"),
}


def start_run(home, request):
    """The envelope of a run (KE-52)."""
    wrong = [f"/{name}" for name in ("contract_version", "workflow_id") if name not in request]
    for name, text in request.items():
        if name not in ENVELOPE or not is_text(text) or not ENVELOPE[name](text):
            wrong.append(f"/{escape(name)}")
    run_id = request.get("run_id")
    if not wrong and run_id is not None:
        try:
            promoted = home.runs()
        except Failed:
            # What a start says of a ledger that cannot be read, no ruling tells.
            raise Unsettled from None
        if run_id in home.started or run_id in promoted or home.is_folder(f"index/staging/{token(run_id)}"):
            wrong.append("/run_id")
    if wrong:
        issues = [fail("base_shape", "E_BASE_SHAPE_INVALID_MANIFEST_VALUE", place) for place in sorted(wrong)]
        return {"outcome": "FAIL", "issues": issues, "run_envelope": None}
    # A name that the kernel makes up is not compared.
    home.started.add(run_id)
    envelope = {
        "contract_version": VERSION,
        "run_id": OPEN if run_id is None else run_id,
        "workflow_id": request["workflow_id"],
        "policy_profile_ref": request.get("policy_profile_ref"),
        "model_profile_ref": request.get("model_profile_ref"),
        "visibility_mode": request.get("visibility_mode", "local_only"),
    }
    return {"outcome": "PASS", "issues": [], "run_envelope": envelope}


def is_text(value):
    return isinstance(value, str) and not isinstance(value, Banned)


# One turn


def execute_turn(home, request):
    """One turn: request shape, capability, the five stages, staging, links. A failure leaves nothing of it staged."""
    handle = request.get("run_handle")
    run_id = handle.get("run_id") if isinstance(handle, dict) else None
    turn_id, turn_input = request.get("turn_id"), request.get("turn_input")
    before, decisions = Home(home), []
    try:
        check_request(request)
        scope = scope_of(run_id, turn_id)
        check_turn(home, run_id, turn_id)
        stage, issues = turn(home, run_id, turn_id, turn_input, decisions)
        home.executed.setdefault(run_id, set()).add(turn_id)
        failed = False
    except Failed as failure:
        home.clear()
        home.update(before)
        # Beside a target that resolves it is not settled what else is said.
        issues, failed = failure.issues or OPEN, True
        stage = failure.stage if hasattr(failure, "stage") else issues[0]["stage"]
        if any(decision["outcome"] == "skipped" for decision in decisions):
            # Nor is it whether the information about a call that nobody looked at stands among them.
            issues = OPEN
    result = {
        "contract_version": VERSION,
        "run_id": run_id if isinstance(run_id, str) and run_id else "unknown",
        "turn_id": turn_id if isinstance(turn_id, str) and TURN_ID.match(turn_id) else OPEN,
        "outcome": "FAIL" if failed else "PASS",
        "stage": stage,
        # Its issues have two more members than those of the step, and more than its transition is beside these.
        "issues": [{**item, "message": OPEN} for item in issues] if issues is not OPEN else OPEN,
        "capabilities": {"decisions": decisions, "mode": "disabled" if is_off(turn_input) else "enabled"},
        "transition": OPEN,
        "events": OPEN,
    }
    if stage != "base_shape" and not any(without_form(turn_input, "")):
        committed, staged = (dict(readable(home, home.triplets(at), is_triplet)) for at in (COMMITTED, scope))
        deleted = set(dict(home.tombstones(scope))) - set(staged)
        prior = [record for _, record in sorted(committed.items())]
        overlaid = [record for stem, record in sorted((committed | staged).items()) if stem not in deleted]
        result["transition"] = {
            "prior_state_digest": digest(prior) if prior else None,
            # The contract lets the prior state alone be null: of no records it is the digest of no records.
            "proposed_state_digest": digest(overlaid),
            "inputs_digest": digest(turn_input),
            "diff_summary": {"kind": "host_supplied", "changed_count": OPEN},
        }
    return {"outcome": result["outcome"], "issues": issues, "turn_result": result}


def is_off(turn_input):
    """Whether a turn's context switches the capability module off."""
    context = turn_input.get("context") if isinstance(turn_input, dict) else None
    return isinstance(context, dict) and context.get("capability_enforcement") is False


def check_request(request):
    """What a request owes, in the order in which it is looked at."""
    if request.get("contract_version") != VERSION:
        raise Failed(fail("base_shape", "E_BASE_SHAPE_INVALID_MANIFEST_VALUE", "/contract_version"))
    handle = request.get("run_handle")
    if not isinstance(handle, dict):
        raise Failed(fail("base_shape", OPEN, "/run_handle"))
    if not isinstance(handle.get("run_id"), str) or not handle["run_id"]:
        raise Failed(fail("base_shape", "E_BASE_SHAPE_MISSING_RUN_ID", "/run_handle/run_id"))
    if not isinstance(request.get("turn_id"), str) or not TURN_ID.match(request["turn_id"]):
        raise Failed(fail("base_shape", "E_BASE_SHAPE_INVALID_MANIFEST_VALUE", "/turn_id"))
    turn_input = request.get("turn_input")
    if not isinstance(turn_input, dict):
        raise Failed(fail("base_shape", OPEN, "/turn_input"))
    if isinstance(turn_input.get("stage_triplet"), dict):
        # A stem that is refused is an error of the request, whatever else the turn asks for (KE-33, KE-45).
        stem = turn_input["stage_triplet"].get("stem")
        stem_of(stem if isinstance(stem, str) else "")


def check_turn(home, run_id, turn_id):
    """The last thing that a request owes: a turn above all that its run has executed or promoted (KE-51)."""
    try:
        promoted = home.runs().get(run_id, "turn-0000")
    except Failed:
        # What a turn says of a ledger that cannot be read, no ruling tells.
        raise Unsettled from None
    executed = home.executed.get(run_id, set())
    if turn_id > max(executed | {promoted}):
        return
    used = turn_id in executed or "turn-0000" < turn_id <= promoted
    details = {"reason": "turn_id_not_unique" if used else "turn_out_of_order"}
    raise Failed(fail("base_shape", "E_BASE_SHAPE_INVALID_MANIFEST_VALUE", "/turn_id", details))


def turn(home, run_id, turn_id, turn_input, decisions):
    """The stage that was reached and the issues of a turn that passes."""
    stage, issues = OPEN, []
    if "tool_call" in turn_input:
        decisions.append(decide(turn_input.get("context", {}), turn_input["tool_call"], run_id, turn_id))
        refusal = denial(decisions[0])
        if refusal:
            raise Failed(refusal)
        # What is said of a call that may go on, and which stage counts as furthest after it, is not settled.
        stage, issues = OPEN, OPEN
    triplet = turn_input.get("stage_triplet")
    if triplet is None:
        return stage, issues
    parts = {"body": triplet.get("body"), "links": triplet.get("links"), "manifest": triplet.get("manifest", {})}
    breaches = pipeline(triplet["stem"], **parts)
    if breaches:
        failure = Failed(*breaches)
        failure.stage = OPEN
        raise failure
    digests = stage_triplet(home, run_id, turn_id, triplet["stem"], parts)
    paths = [object_path(scope_of(run_id, turn_id), name) for name in digests.values()]
    if any(sha256(home[path]) != path.rpartition("/")[2] for path in paths):
        # An object was there, and is not what its name says: whether its links are those that came or those that lie there.
        raise Unsettled
    missing, said = validate_links(home, run_id, turn_id, triplet["stem"])
    if missing:
        failure = Failed() if said is OPEN else Failed(*said)
        failure.stage = "lsi"
        raise failure
    return (OPEN if decisions else "lsi"), OPEN if issues is OPEN else said


# Two runs


def compare_runs(request):
    sides = [request.get(name) for name in ("run_a", "run_b")]
    if not all(isinstance(side, dict) for side in sides):
        raise Rejected("A_INPUT")
    one, other = map(surfaces, sides)
    differ = sorted(name for name in SURFACES if canonical(one[name]) != canonical(other[name]))
    if not differ:
        return {"outcome": "PASS", "issues": [], "report": OPEN}
    details = {"mismatch_fields": differ}
    breach = fail("replay", "E_REPLAY_EQUIVALENCE_FAILED", "/run_a/turn_digests", details)
    return {"outcome": "FAIL", "issues": [breach], "report": OPEN}


def surfaces(run):
    issues = [[item.get(name) for name in ("stage", "location", "code")] for item in run.get("issues", [])]
    # An event is its code, and what has none is itself.
    codes = [(CODE.search(event) if isinstance(event, str) else None, event) for event in run.get("events", [])]
    events = [match[1] if match else event for match, event in codes]
    return {
        "turn_digests": run.get("turn_digests", []),
        "stage_outcomes": run.get("stage_outcomes", []),
        "issue_codes": sorted(issues),
        "event_codes": sorted(events, key=canonical),
        "contract_version": run.get("contract_version", ""),
        "schema_version": run.get("schema_version", ""),
    }
