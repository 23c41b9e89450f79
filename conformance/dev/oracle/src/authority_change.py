"""The authority system's second source, change control: what two releases say about each other. See `authority.py`."""

import re

from authority_values import Rejected, answering, closed, has_canonical_form, read, same

RELEASE = ("version", "goldens", "artifact_fields")
GOLDEN = (
    "summary_hash", "ledger_last_hash", "dag_root_hash", "artifact_hashes", "chosen", "node_count", "edge_count", "node_kinds",
)


def numbers(version):
    """The three numbers of a version. The interpreter takes integers of 4,300 digits."""
    if not isinstance(version, str) or not re.fullmatch(r"(0|[1-9][0-9]*)(\.(0|[1-9][0-9]*)){2}", version, re.ASCII):
        raise Rejected("A_INPUT")
    return [int(part) for part in version.split(".")]


def check_release(release):
    if not closed(release, RELEASE) or not isinstance(release["goldens"], dict) or not isinstance(release["artifact_fields"], dict):
        raise Rejected("A_INPUT")
    numbers(release["version"])
    for golden in release["goldens"].values():
        if not isinstance(golden, dict) or not set(golden) <= set(GOLDEN):
            raise Rejected("A_INPUT")
        if not all(has_canonical_form(value) for value in golden.values()):
            raise Rejected("A_INPUT")
    for fields in release["artifact_fields"].values():
        if not closed(fields, ("hashed", "excluded")):
            raise Rejected("A_INPUT")
        for names in fields.values():
            if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
                raise Rejected("A_INPUT")


def step(name):
    """A name as a step of a JSON Pointer; half a surrogate pair is shown as U+FFFD."""
    whole = name.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return "/" + whole.replace("~", "~0").replace("/", "~1")


@answering
def version(document):
    """`authority.version`."""
    change = read(document)
    if not closed(change, ("earlier", "later", "documented")) or not isinstance(change["documented"], bool):
        raise Rejected("A_INPUT")
    earlier, later = change["earlier"], change["later"]
    check_release(earlier)
    check_release(later)
    old, new = numbers(earlier["version"]), numbers(later["version"])
    breaking, extending = new[0] > old[0], new[:2] > old[:2]
    found = set()
    if new < old:
        found.add(("/later/version", "authority/change-control"))
    if breaking and not change["documented"]:
        found.add(("/documented", "authority/change-control"))
    for name, golden in later["goldens"].items():
        found |= {(f"/later/goldens{step(name)}/{member}", "authority/goldens") for member in GOLDEN if member not in golden}
    for name, golden in earlier["goldens"].items() if not breaking else ():
        place = f"/later/goldens{step(name)}"
        now = later["goldens"].get(name)
        if now is None:
            found.add((place, "authority/change-control"))
            continue
        for member, value in now.items():
            if member not in golden or not same(golden[member], value):
                found.add((f"{place}/{member}", "authority/change-control"))
    nothing = {"hashed": [], "excluded": []}
    for artifact in {**earlier["artifact_fields"], **later["artifact_fields"]}:
        before, after = (side["artifact_fields"].get(artifact, nothing) for side in (earlier, later))
        changed = set(before["hashed"]) ^ set(after["hashed"]) if not breaking else set()
        added = set(after["excluded"]) - set(before["excluded"]) if not extending else set()
        found |= {(f"/later/artifact_fields{step(artifact)}{step(field)}", "authority/change-control") for field in changed | added}
    findings = [{"law": law, "code": None, "pointer": place, "severity": "error"} for place, law in sorted(found)]
    return {"findings": findings}
