"""A second source for the sovereign system's recorder, written from contract and rulings alone.

Canonical bytes are those of Python's own `json.dumps` once nothing is left that has none, digests those of `hashlib`. A document is read
into Python values; what they would lose (the spelling of a number that is no integer, the first of two members of one name) is kept
beside them.

Every operation gives an answer of the operations table, `{"is": "accept", "out": {...}}` or `{"is": "reject", "codes": [...]}`, with
documents in `out` as Python values. The interpreter's own limits stay in force; what is over them is A_LIMIT.
"""

import functools
import hashlib
import json
import re

DENIALS = ("E_SIDE_EFFECT_UNDECLARED", "E_CAPABILITY_DENIED", "E_PERMISSION_DENIED")
UNRESOLVED = "E_CAPABILITY_NOT_RESOLVED"
REASONS = (None, "policy_disabled", "module_missing", "enforcement_off")
DIGEST = re.compile("[0-9a-f]{64}")
SURROGATE = re.compile("[\ud800-\udfff]")


class Rejected(Exception):
    """A rejection with its one code."""


# Values


class Banned:
    """A number that no canonical surface may hold: a float, `-0`, or a constant."""

    def __init__(self, token, constant=False):
        self.token, self.constant = token, constant


class Object(dict):
    """An object with its members as they were written."""

    def __init__(self, members):
        super().__init__(members)
        self.written = members

    def repeats(self, besides=()):
        names = [name for name, _ in self.written if name not in besides]
        return len(names) != len(set(names))


def integer(token):
    return Banned(token) if token == "-0" else int(token)


def no_json(_token):
    raise Rejected("A_JSON")


def read(document, constant=no_json):
    """The value of a JSON text; NaN and the infinities are what `constant` makes of them."""
    try:
        text = document.decode("utf-8") if isinstance(document, bytes) else document
        return json.loads(
            text, object_pairs_hook=Object, parse_int=integer, parse_float=Banned, parse_constant=constant
        )
    except (json.JSONDecodeError, UnicodeDecodeError):
        raise Rejected("A_JSON") from None
    except (ValueError, RecursionError):
        raise Rejected("A_LIMIT") from None


def read_with_constants(document):
    return read(document, lambda token: Banned(token, constant=True))


def halves(value):
    """Whether half of a surrogate pair stands anywhere."""
    if isinstance(value, str):
        return bool(SURROGATE.search(value))
    if isinstance(value, Object):
        return any(halves(name) or halves(member) for name, member in value.written)
    return isinstance(value, list) and any(map(halves, value))


def formless(value):
    """Whether a value, names included, has no canonical form."""
    if isinstance(value, Object):
        return value.repeats() or any(halves(name) or formless(member) for name, member in value.written)
    if isinstance(value, list):
        return any(map(formless, value))
    return isinstance(value, Banned) or halves(value)


def canonicalize(value):
    """The canonical bytes of a value that has some."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def canonical(value):
    if formless(value):
        raise Rejected("E_CANONICALIZATION_ERROR")
    return canonicalize(value)


def sha256(octets):
    return hashlib.sha256(octets).hexdigest()


def is_digest(value):
    return isinstance(value, str) and bool(DIGEST.fullmatch(value))


def claim(holds):
    """Whatever does not hold of an input puts it outside of the domain."""
    if not holds:
        raise Rejected("A_INPUT")


def answering(operation):
    """An operation that raises its refusals and returns its outputs."""

    @functools.wraps(operation)
    def answered(*arguments):
        try:
            return {"is": "accept", "out": operation(*arguments)}
        except Rejected as why:
            return {"is": "reject", "codes": list(why.args)}

    return answered


# Deny precedence


def denial(conditions):
    claim(isinstance(conditions, list) and all(isinstance(code, str) and code in DENIALS for code in conditions))
    return next((code for code in DENIALS if code in conditions), None)


# Records


def attempt(given):
    """An attempt with everything that it leaves to a default."""
    claim(isinstance(given, dict))
    told = {"resolved": True, "skipped": False, "reason": None, "provenance": None} | given
    claim(isinstance(told.get("tool_name"), str) and isinstance(told.get("action"), str))
    claim(isinstance(told["resolved"], bool) and isinstance(told["skipped"], bool))
    claim(told["reason"] is None or isinstance(told["reason"], str))
    claim(told["reason"] in REASONS)
    source = told["provenance"]
    if source is not None:
        claim(isinstance(source, Object) and not source.repeats())
        claim(set(source) == {"policy_source", "policy_digest", "rule_id"})
        claim(isinstance(source["policy_source"], str) and isinstance(source["rule_id"], str))
        claim(is_digest(source["policy_digest"]))
    return told | {"deny_code": denial(told.get("conditions"))}


def outcome(told):
    """What the record says beside whose it is: outcome, deny_code, info_code, reason, provenance."""
    if told["skipped"]:
        return "skipped", None, "I_CAPABILITY_SKIPPED", told["reason"], None
    if not told["resolved"]:
        return "unresolved", UNRESOLVED, None, None, None
    if told["deny_code"]:
        return "denied", told["deny_code"], None, None, None
    claim(told["provenance"] is not None)
    return "allowed", None, None, None, told["provenance"]


@answering
def record(run_id, turn_id, attempts):
    """`sovereign.record`."""
    given = read(attempts)
    if halves(given):
        raise Rejected("E_CANONICALIZATION_ERROR")
    claim(isinstance(given, list))
    decisions, issues = [], []
    for told in [attempt(one) for one in given]:
        whose = {"contract_version": "kernel_api/v1", "run_id": run_id, "turn_id": turn_id, "stage": "capability"}
        what = dict(zip(("outcome", "deny_code", "info_code", "reason", "provenance"), outcome(told)))
        made = whose | {name: told[name] for name in ("tool_name", "action")} | {"ordinal": len(decisions)} | what
        if made["deny_code"]:
            location = f"/capabilities/decisions/{made['ordinal']}"
            issue = {"level": "FAIL", "stage": "capability", "code": made["deny_code"], "location": location}
            issues.append(issue | {"details": {}})
        decisions.append(made | {"decision_id": sha256(canonicalize(made))})
    turn = {"run_id": run_id, "turn_id": turn_id, "capabilities": {"decisions": decisions}, "issues": issues}
    return {"turn": turn}
