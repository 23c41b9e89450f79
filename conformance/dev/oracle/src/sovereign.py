"""A second source for the sovereign system's recorder, written from contract and rulings alone.

Canonical bytes are those of Python's own `json.dumps` once nothing is left that has none, digests those of `hashlib`. A document is read
into Python values; what they would lose (the spelling of a number that is not an integer, the first of two members of one name) is kept
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


# Bundles

DIGESTS = ("policy_digest", "runtime_profile_digest", "contract_registry_snapshot_digest")


class Folder:
    """What lies below the root: bytes by path, a path for a link (text), nothing for a folder."""

    def __init__(self, entries):
        self.entries = entries

    def kind(self, steps):
        """The entry at a walked path; a folder where others lie below it."""
        path = "/".join(steps)
        if path in self.entries:
            return self.entries[path]
        return None if not steps or any(other.startswith(path + "/") for other in self.entries) else False

    def walk(self, path, inside=(), links=16):
        """Where a path leads from a folder, as names from the root, or nothing where it leaves or ends."""
        steps = list(inside)
        if path.startswith("/"):
            return None
        for name in path.split("/"):
            if self.kind(steps) is not None:
                return None
            if name == "..":
                if not steps:
                    return None
                steps.pop()
            elif name not in ("", "."):
                found = self.kind([*steps, name])
                if isinstance(found, str):
                    steps = self.walk(found, steps, links - 1) if links else None
                    if steps is None:
                        return None
                else:
                    steps.append(name)
        return steps

    def read(self, path):
        """The bytes of a file, or nothing."""
        if not path or "\0" in path or halves(path):
            return None
        steps = self.walk(path)
        found = False if steps is None else self.kind(steps)
        # Dots or a solidus at the end ask for a folder.
        asks_folder = path.split("/")[-1] in ("", ".", "..")
        return found if isinstance(found, bytes) and not asks_folder else None


def surfaces(turn):
    """The parts of a turn on which a constant is a banned number; anywhere else the file is not JSON."""
    for name, member in turn.written if isinstance(turn, Object) else ():
        if name == "transition" and isinstance(member, Object):
            yield from (value for below, value in member.written if below.endswith("_digest"))
        elif name == "capabilities" and isinstance(member, Object):
            for below, decisions in member.written:
                if below == "decisions" and isinstance(decisions, (list, Object)):
                    yield from parts(decisions)
        elif name == "issues" and isinstance(member, (list, Object)):
            for issue in parts(member):
                if isinstance(issue, list):
                    yield from issue
                elif isinstance(issue, Object):
                    yield from (value for below, value in issue.written if below != "message")
                else:
                    yield issue


def parts(value):
    return [member for _, member in value.written] if isinstance(value, Object) else value


def constants(value):
    """How many constants stand in a value."""
    if isinstance(value, (list, Object)):
        return sum(map(constants, parts(value)))
    return isinstance(value, Banned) and value.constant


def load(octets):
    """A turn file as it is compared."""
    try:
        turn = read_with_constants(octets)
    except Rejected as why:
        raise why if why.args == ("A_LIMIT",) else Rejected("E_REPLAY_INPUT_MISSING") from None
    if constants(turn) > sum(map(constants, surfaces(turn))):
        raise Rejected("E_REPLAY_INPUT_MISSING")
    return turn


def without(value, names):
    return Object([(name, member) for name, member in value.written if name not in names])


def nullified(issue):
    if not isinstance(issue, Object) or "message" not in issue:
        return issue
    return Object([*without(issue, {"message"}).written, ("message", None)])


def turn_digest(turn):
    """The published projection: events and the declared digest removed, the message of each issue null."""
    kept = without(turn, {"events", "turn_result_digest"})
    members = [
        (name, list(map(nullified, member)) if name == "issues" and isinstance(member, list) else member)
        for name, member in kept.written
    ]
    return sha256(canonical(Object(members)))


def entry(turn, folder):
    """A turn's entry in the bundle."""
    paths = sorted(set(turn["paths"]))
    found = next((octets for octets in map(folder.read, paths) if octets is not None), None)
    if found is None:
        raise Rejected("E_REPLAY_INPUT_MISSING")
    value = load(found)
    claim(isinstance(value, Object))
    return {"turn_id": turn["turn_id"], "turn_result_digest": turn_digest(value), "paths": paths}


def registry_digest(registry):
    value = read_with_constants(registry)
    claim(isinstance(value, Object))
    return sha256(canonical(value))


@answering
def bundle(run_id, workflow_id, digests, turns, registry, files):
    """`sovereign.bundle`; the last four are JSON texts and what lies below the root."""
    digests, turns = read(digests), read(turns)
    claim(isinstance(digests, dict) and set(digests) == set(DIGESTS) and all(map(is_digest, digests.values())))
    claim(isinstance(turns, list))
    for turn in turns:
        claim(isinstance(turn, dict) and isinstance(turn.get("turn_id"), str))
        claim(isinstance(turn.get("paths"), list) and turn["paths"] and all(isinstance(p, str) for p in turn["paths"]))
    claim(len({turn["turn_id"] for turn in turns}) == len(turns))
    locked, folder = registry_digest(registry), Folder(files)
    return {
        "bundle": {
            "contract_version": "replay_bundle/v1",
            "run_envelope": {"run_id": run_id, "workflow_id": workflow_id},
            "registry_digest": locked,
            "digests": digests,
            "turn_results": [entry(turn, folder) for turn in turns],
        }
    }


@answering
def select_path(document, files):
    """`sovereign.select_path`."""
    given = read(document)
    paths = given.get("paths") if isinstance(given, dict) else None
    claim(isinstance(paths, list) and all(isinstance(path, str) for path in paths))
    folder = Folder(files)
    for path in sorted(paths):
        if folder.read(path) is not None:
            return {"path": path}
    raise Rejected("E_REPLAY_INPUT_MISSING")
