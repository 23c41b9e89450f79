"""Calls of the kernel's second source that answer from their own members: events, triplets by themselves, plans."""

import re

from kernel_turn import pipeline
from kernel_values import (
    OPEN,
    REGISTRY,
    Banned,
    Failed,
    canonical,
    escape,
    fail,
    issue,
    issue_key,
    lone,
    refused,
    stem_of,
    without_form,
)
from stages import STAGES

POINTER = re.compile(r"(?:/(?:[^~/]|~[01])*)*\Z")
KEY = re.compile(r"[A-Za-z0-9_.-]+\Z")
LINE_ENDS = "\r\n\u0085\u2028\u2029"
# Where canonical JSON would leave them as they are: JSON escapes the first two line ends itself.
UNSAFE = {ord(letter): f"\\u{ord(letter):04x}" for letter in "\u0085\u2028\u2029|"}
ESCAPES = {**UNSAFE, ord("\\"): "\\\\", ord("\r"): "\\r", ord("\n"): "\\n"}
# The members of an event with what they may be.
MEMBERS = {
    "level": lambda level: level in ("INFO", "FAIL"),
    "stage": lambda stage: stage in STAGES,
    "code": lambda code: code in REGISTRY,
    "location": lambda place: POINTER.match(place) and "] " not in place and not set(place) & set(LINE_ENDS),
    "text": lambda text: not lone(text),
}


def emit_event(operation):
    """One line (KE-54)."""
    wrong = [f"/{name}" for name, fits in MEMBERS.items() if lone(operation[name]) or not fits(operation[name])]
    pairs = operation["pairs"]
    wrong += [
        f"/pairs/{escape(key)}"
        for key, value in pairs.items()
        if not KEY.match(key) or any(True for _ in without_form(value, ""))
    ]
    if wrong:
        issues = [found for place in wrong for found in refused(place).issues]
        return {"outcome": "FAIL", "issues": sorted(issues, key=issue_key), "line": None}
    level, stage, code, location, text = (operation[name] for name in MEMBERS)
    written = " ".join(f"{key}={spelt(pairs[key])}" for key in sorted(pairs))
    line = f"[{level}] [STAGE:{stage}] [CODE:{code}] [LOC:{location}] {text.translate(ESCAPES)} | {written}"
    return {"outcome": "PASS", "issues": [], "line": line}


def spelt(value):
    """A value of a pair."""
    return value.translate(ESCAPES) if isinstance(value, str) else canonical(value).translate(UNSAFE)


def validate_triplet(operation):
    """The five stages, and then what has no canonical form (KE-55)."""
    try:
        stem = stem_of(operation["stem"]) if "stem" in operation else ""
    except Failed as failure:
        return {"outcome": "FAIL", "issues": failure.issues}
    parts = {name: operation[name] for name in ("body", "links", "manifest") if name in operation}
    formless = [place for name, part in parts.items() for place in without_form(part, f"/{name}")]
    asked = [plain(part) for part in (parts.get("body"), parts.get("links"), parts.get("manifest", {}))]
    issues = pipeline(stem, *asked)
    open_places = any(found["location"] is OPEN for found in issues)
    issues += [fail("determinism", "E_CANONICALIZATION_ERROR", place) for place in formless]
    outcome = "FAIL" if issues else "PASS"
    if formless and open_places or OPEN in formless:
        # What has no settled place has no settled place among the others either.
        return {"outcome": outcome, "issues": OPEN}
    return {"outcome": outcome, "issues": sorted(issues, key=issue_key)}


# Members of a plan's context, with what they may be.
CONTEXT = {
    "capability_enforcement": lambda value: isinstance(value, bool),
    "permissions": lambda value: isinstance(value, list) and all(map(is_text, value)),
    "policy_source": lambda value: is_text(value),
    "policy_version": lambda value: is_text(value),
}


def is_text(value):
    return isinstance(value, str) and not isinstance(value, Banned)


def resolve_capability(operation):
    """The plan of a role for a task (KE-56)."""
    context = operation.get("context", {})
    wrong = [f"/{name}" for name in ("role", "task") if not is_text(operation.get(name))]
    wrong += [f"/context/{name}" for name, fits in CONTEXT.items() if name in context and not fits(context[name])]
    if wrong:
        issues = [found for place in wrong for found in refused(place).issues]
        return {"outcome": "FAIL", "issues": sorted(issues, key=issue_key), "capability_plan": None}
    enabled = context.get("capability_enforcement", True)
    skipped = issue("INFO", "capability", "I_CAPABILITY_SKIPPED", "/capability_plan", {})
    plan = {
        "mode": "enabled" if enabled else "disabled",
        "role": operation["role"],
        "task": operation["task"],
        "permissions": sorted(set(context.get("permissions", []))) if enabled else [],
        "policy_source": context.get("policy_source", "context"),
        "policy_version": context.get("policy_version"),
    }
    return {"outcome": "PASS", "issues": [] if enabled else [skipped], "capability_plan": plan}


def plain(value):
    """A value whose banned numbers are numbers, which no stage asks more of."""
    if isinstance(value, Banned):
        return 0.5
    if isinstance(value, dict):
        return {name: plain(member) for name, member in value.items()}
    return [plain(item) for item in value] if isinstance(value, list) else value
