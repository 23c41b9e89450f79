"""A run once more, for the kernel's second source: its turns in a copy of the home, held to what was recorded (KE-57)."""

from kernel_index import Home
from kernel_turn import VERSION, execute_turn, is_text
from kernel_values import OPEN, Failed, Unsettled, canonical, digest, fail, settled, token


def replay_run(home, operation):
    """A run from its requests (KE-57)."""
    place, descriptor = "/run_descriptor", operation["run_descriptor"]
    try:
        run_id, requests, recorded = check_descriptor(descriptor, place)
        if home.runs().get(run_id, "turn-0000") != "turn-0000":
            raise missing(f"{place}/run_id")
    except Failed as failure:
        if failure.issues[0]["stage"] != "replay":
            # What a replay says of a ledger that cannot be read, no ruling tells.
            raise Unsettled from None
        return {"outcome": "FAIL", "issues": failure.issues, "report": None}
    copy = Home(home)
    copy.remove(f"index/staging/{token(run_id)}")
    results = [execute_turn(copy, request) for request in requests]
    digests = [turn_digest(result) for result in results]
    issues = [OPEN if result["issues"] is OPEN else [*map(structure, result["issues"])] for result in results]
    if OPEN in digests or any(told is OPEN or OPEN in told for told in issues):
        # What is not settled of a turn is not settled of its replay.
        return {"outcome": OPEN, "issues": OPEN, "report": OPEN}
    issues = [one for told in issues for one in told]
    differ = []
    if canonical([*map(structure, recorded["issues"])]) != canonical(issues):
        differ.append("issues")
    if canonical(recorded["turn_digests"]) != canonical(digests):
        differ.append("turn_digests")
    details = {"mismatch_fields": differ}
    breach = fail("replay", "E_REPLAY_EQUIVALENCE_FAILED", f"{place}/recorded", details)
    report = {"turn_digests": digests, "issues": issues}
    return {"outcome": "FAIL" if differ else "PASS", "issues": [breach] if differ else [], "report": report}


def missing(place):
    return Failed(fail("replay", "E_REPLAY_INPUT_MISSING", place))


def check_descriptor(descriptor, place):
    """What a descriptor owes, in the order in which it is looked at."""
    if not is_text(descriptor.get("contract_version")):
        raise missing(f"{place}/contract_version")
    if descriptor["contract_version"] != VERSION:
        raise Failed(fail("replay", "E_REPLAY_VERSION_MISMATCH", f"{place}/contract_version"))
    run_id, recorded = descriptor.get("run_id"), descriptor.get("recorded")
    if not is_text(run_id) or not run_id:
        raise missing(f"{place}/run_id")
    if not isinstance(descriptor.get("requests"), list):
        raise missing(f"{place}/requests")
    for index, request in enumerate(descriptor["requests"]):
        if not isinstance(request, dict):
            raise missing(f"{place}/requests/{index}")
        handle = request.get("run_handle")
        if not isinstance(handle, dict) or handle.get("run_id") != run_id:
            raise missing(f"{place}/requests/{index}/run_handle/run_id")
    if not isinstance(recorded, dict):
        raise missing(f"{place}/recorded")
    for name in ("turn_digests", "issues"):
        if not isinstance(recorded.get(name), list):
            raise missing(f"{place}/recorded/{name}")
    return run_id, descriptor["requests"], recorded


def structure(told):
    """The five members of an issue that are compared; OPEN where one of them is not settled."""
    if not isinstance(told, dict):
        return told
    kept = {name: told.get(name) for name in ("level", "stage", "code", "location")}
    details = told.get("details", {})
    if details is OPEN and told["code"] in BARE:
        details = {}
    parts = [*kept.values(), details]
    return {**kept, "details": details} if all(part is not OPEN and settled(part)[1] for part in parts) else OPEN


# Codes of which no ruling says that their issues have details.
BARE = {"E_CAPABILITY_DENIED", "E_PERMISSION_DENIED", "E_SIDE_EFFECT_UNDECLARED", "E_CAPABILITY_NOT_RESOLVED"}


def turn_digest(result):
    """The digest of what a turn is structurally; OPEN where a part of it is not settled."""
    turn, issues = result["turn_result"], result["issues"]
    if issues is OPEN or turn["transition"] is OPEN:
        return OPEN
    decisions = [
        [decision[name] for name in ("tool_name", "action", "ordinal", "outcome", "deny_code", "info_code")]
        for decision in turn["capabilities"]["decisions"]
    ]
    names = ("prior_state_digest", "proposed_state_digest", "inputs_digest")
    value = {
        **{name: turn[name] for name in ("run_id", "turn_id", "outcome", "stage")},
        "issues": [structure(one) for one in issues],
        "transition": {name: turn["transition"][name] for name in names},
        "decisions": decisions,
    }
    parts = [value["stage"], value["turn_id"], *value["issues"]]
    return OPEN if any(part is OPEN for part in parts) or not settled(value)[1] else digest(value)
