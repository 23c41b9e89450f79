"""A second source for the episode system, continued: what a contract is, the order of its steps, and draft-07. See `episode_values.py`."""

import re

from episode_values import H, Rejected, is_hash, read

TEXT = str
NUMBER = (int, float)


def is_text(value):
    return isinstance(value, str)


def text_or_null(value):
    return value is None or is_text(value)


def objects(value):
    return isinstance(value, dict)


def closed(value, required, optional=None):
    """Whether an object has all required members, no unknown ones, and each of its own kind."""
    kinds = {**required, **(optional or {})}
    return (
        objects(value)
        and set(required) <= set(value) <= set(kinds)
        and all(kinds[name](member) for name, member in value.items())
    )


def some(check):
    return lambda value: isinstance(value, list) and len(value) > 0 and all(map(check, value))


def texts_by_name(value):
    return objects(value) and all(map(is_text, value.values()))


def unique_texts(value):
    return isinstance(value, list) and all(map(is_text, value)) and len(set(value)) == len(value)


PARAMS = {
    "LOAD_INPUT": ({"ref": is_text}, {}),
    "ASSERT_HASH": ({"target": is_text, "expected_hash": is_hash}, {}),
    "APPLY_TRANSFORM": (
        {"transform": is_text},
        {"provider": is_text, "model_id": is_text, "config_hash": is_hash, "system_fingerprint": text_or_null},
    ),
    "EMIT_OUTPUT": ({"claim_type": is_text, "output_ref": is_text}, {}),
}


def is_step(value):
    shape = {
        "step_id": is_text,
        "opcode": lambda opcode: is_text(opcode) and opcode in PARAMS,
        "params": objects,
        "depends_on": unique_texts,
    }
    return closed(value, shape, {"output_schema": objects}) and closed(value["params"], *PARAMS[value["opcode"]])


def const(wanted):
    return lambda value: value == wanted and is_text(value)


def has_shape(contract):
    inputs = some(lambda item: closed(item, {"ref": is_text, "hash": is_hash}, {"media_type": is_text}))
    script = {"schema_version": const("replay_script/0.1"), "steps": some(is_step)}
    policy = {"replay_basis": const("recorded_trace"), "comparator_tier": const("A")}
    tiers = {"comparator_tiers_by_step": lambda value: objects(value) and all(map(const("A"), value.values()))}
    environment = {
        "env_fingerprint_hash": is_hash,
        "provider": is_text,
        "model_id": is_text,
        "tool_versions": texts_by_name,
        "container_digest": text_or_null,
    }
    hints = {"model_version_hint": text_or_null, "system_fingerprint": text_or_null}
    shape = {
        "schema_version": const("rce/0.1"),
        "episode_id": lambda value: is_text(value) and re.fullmatch("ep_[0-9a-f]{24}", value) is not None,
        "inputs": inputs,
        "replay_script": lambda value: closed(value, script),
        "replay_policy": lambda value: closed(value, policy, tiers),
        "environment": lambda value: closed(value, environment, hints),
    }
    return closed(contract, shape, {"objective": is_text})


def hashes(contract):
    names = ("provider", "model_id", "tool_versions", "container_digest")
    environment = {name: contract["environment"][name] for name in names}
    view = {name: contract[name] for name in ("inputs", "replay_script", "replay_policy")}
    return {
        "episode_spec_hash": H({**view, "environment": environment}),
        "env_fingerprint_hash": H(environment),
        "inputs_hash": H(contract["inputs"]),
        "script_hash": H(contract["replay_script"]),
    }


def phase_1(octets):
    """The contract of a text, if phase 1 passes it."""
    contract = read(octets)
    if not has_shape(contract):
        raise Rejected("A_SCHEMA")
    codes = [] if lawful_graph(contract["replay_script"]["steps"]) else ["episode/script-graph"]
    if contract["environment"]["env_fingerprint_hash"] != hashes(contract)["env_fingerprint_hash"]:
        codes.append("episode/environment-fingerprint")
    if codes:
        raise Rejected(*codes)
    return contract


def lawful_graph(steps):
    names = [step["step_id"] for step in steps]
    if "" in names or len(set(names)) < len(names):
        return False
    needed = {name for step in steps for name in step["depends_on"]}
    emits = any(step["opcode"] == "EMIT_OUTPUT" and step["step_id"] not in needed for step in steps)
    return needed <= set(names) and emits and len(order(steps)) == len(steps)


def order(steps):
    """The steps as a replay comes to them: roots by name, then each step's children by name, when their last dependency is done."""
    steps = sorted(steps, key=lambda step: step["step_id"])
    queue, done = [step for step in steps if not step["depends_on"]], []
    seen = {step["step_id"] for step in queue}
    while queue:
        step = queue.pop(0)
        done.append(step)
        over = {other["step_id"] for other in done}
        for child in steps:
            if step["step_id"] in child["depends_on"] and child["step_id"] not in seen and over >= set(child["depends_on"]):
                seen.add(child["step_id"])
                queue.append(child)
    return done


# Draft-07, as far as anything here is asked of it

TYPES = {
    "null": lambda value: value is None,
    "boolean": lambda value: isinstance(value, bool),
    "string": is_text,
    "array": lambda value: isinstance(value, list),
    "object": objects,
    "number": lambda value: isinstance(value, NUMBER) and not isinstance(value, bool),
    "integer": lambda value: isinstance(value, NUMBER) and not isinstance(value, bool) and float(value).is_integer(),
}
KNOWN = {"type", "required", "properties", "additionalProperties", "items", "maximum", "exclusiveMaximum", "pattern"} | {"if", "then"}
# Words of other drafts, which say nothing in this one.
OTHERS = {"dependentRequired", "prefixItems"}


def keeps(value, schema):
    """Whether a value keeps a schema; one with a word that is not known here is nobody's answer."""
    if schema is True or schema is False:
        return schema
    unknown = set(schema) - KNOWN - OTHERS
    if unknown:
        raise NotImplementedError(f"the words {sorted(unknown)}")
    checks = [
        keeps_type(value, schema),
        keeps_members(value, schema) if objects(value) else True,
        keeps_items(value, schema.get("items", True)) if isinstance(value, list) else True,
        keeps_bounds(value, schema) if TYPES["number"](value) else True,
        re.search(schema.get("pattern", ""), value) is not None if is_text(value) else True,
        keeps(value, schema.get("then", True)) if "if" in schema and keeps(value, schema["if"]) else True,
    ]
    return all(checks)


def keeps_type(value, schema):
    kinds = schema.get("type", list(TYPES))
    return any(TYPES[kind](value) for kind in ([kinds] if is_text(kinds) else kinds))


def keeps_members(value, schema):
    known = schema.get("properties", {})
    rest = schema.get("additionalProperties", True)
    own = all(keeps(member, known.get(name, rest)) for name, member in value.items())
    return own and all(name in value for name in schema.get("required", []))


def keeps_items(value, items):
    if isinstance(items, list):
        return all(keeps(item, schema) for item, schema in zip(value, items))
    return all(keeps(item, items) for item in value)


def keeps_bounds(value, schema):
    below = "exclusiveMaximum" not in schema or value < schema["exclusiveMaximum"]
    return below and ("maximum" not in schema or value <= schema["maximum"])
