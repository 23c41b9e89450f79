"""A second source for the sovereign system, continued: the audit of one turn. See `sovereign.py`.

What no ruling settles is told beside the findings, as places at which a law may be named or not (`open`).
"""

import re

import sovereign
from sovereign import (
    DENIALS,
    SURROGATE,
    UNRESOLVED,
    Banned,
    Object,
    Rejected,
    answering,
    canonicalize,
    claim,
    constants,
    denial,
    formless,
    halves,
    is_digest,
    read,
    read_with_constants,
    registry_digest,
    sha256,
    surfaces,
    turn_digest,
)
from stages import STAGES

record, bundle, select_path = sovereign.record, sovereign.bundle, sovereign.select_path

NULLABLE = ("deny_code", "info_code", "reason", "provenance")
HASHED = ("contract_version", "run_id", "turn_id", "tool_name", "action", "ordinal", "stage", "outcome", *NULLABLE)
MEMBERS = (*HASHED, "decision_id")
TRANSITION = ("prior_state_digest", "proposed_state_digest", "inputs_digest")
FORMLESS = "E_CANONICALIZATION_ERROR"
DECISIONS = "/capabilities/decisions"


def step(place, name):
    return f"{place}/{str(name).replace('~', '~0').replace('/', '~1')}"


def is_text(value):
    return isinstance(value, str) and not halves(value)


def text(value, name):
    """A member that is a text with bytes, or nothing."""
    found = value.get(name) if isinstance(value, Object) else None
    return found if is_text(found) else None


def is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool)


def repeated(value):
    """The names that several members of an object have."""
    names = [name for name, _ in value.written]
    return {name for name in names if names.count(name) > 1}


def without_form(value, place):
    """Every place at or below one at which something has no canonical form, with the law that says so."""
    if isinstance(value, Banned):
        yield place, "float-ban"
    elif halves(value) and isinstance(value, str):
        yield place, "canonical-parity"
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from without_form(item, step(place, index))
    elif isinstance(value, Object):
        for name in repeated(value):
            yield step(place, name), "canonical-parity"
        for name, member in value.written:
            if halves(name):
                yield step(place, name), "canonical-parity"
            yield from without_form(member, step(place, name))


# Contract 3


def code_like(letter, value):
    return isinstance(value, str) and bool(re.fullmatch(f"{letter}_[A-Z0-9_]+", value))


def is_plain_integer(value):
    return is_integer(value) and value >= 0


PROVENANCE = {
    "policy_source": lambda value: isinstance(value, str),
    "policy_digest": is_digest,
    "rule_id": lambda value: isinstance(value, str),
}
FORMS = {
    "contract_version": lambda value: value == "kernel_api/v1",
    "decision_id": is_digest,
    **{name: lambda value: isinstance(value, str) for name in ("run_id", "turn_id", "tool_name", "action")},
    "ordinal": is_plain_integer,
    "stage": lambda value: value == "capability",
    "outcome": lambda value: isinstance(value, str) and value in ("allowed", "denied", "skipped", "unresolved"),
    "deny_code": lambda value: value is None or code_like("E", value),
    "info_code": lambda value: value is None or code_like("I", value),
    "reason": lambda value: value is None or (isinstance(value, str) and value in sovereign.REASONS),
    "provenance": lambda value: value is None or isinstance(value, Object),
}


def is_null(value):
    return value is None


# What an outcome asks of the four members beside their forms.
OUTCOMES = {
    "allowed": {"deny_code": is_null, "info_code": is_null, "reason": is_null, "provenance": lambda v: v is not None},
    "denied": {"deny_code": lambda v: v is not None, "info_code": is_null, "reason": is_null, "provenance": is_null},
    "skipped": {"deny_code": is_null, "info_code": lambda v: v == "I_CAPABILITY_SKIPPED", "provenance": is_null},
    "unresolved": {
        "deny_code": lambda v: v == UNRESOLVED,
        "info_code": is_null,
        "reason": is_null,
        "provenance": is_null,
    },
}


def breaches(value, place):
    """The places at which a record breaks its contract."""
    if not isinstance(value, Object):
        return {place}
    found = {step(place, name) for name in MEMBERS if name not in value}
    found |= {step(place, name) for name in value if name not in MEMBERS}
    found |= {step(place, name) for name, fits in FORMS.items() if name in value and not fits(value[name])}
    outcome = value.get("outcome")
    asked = OUTCOMES.get(outcome, {}) if isinstance(outcome, str) else {}
    found |= {step(place, name) for name, fits in asked.items() if name in value and not fits(value[name])}
    # Each of several, where the name is repeated.
    sources = [member for name, member in value.written if name == "provenance" and isinstance(member, Object)]
    for source in sources:
        below = step(place, "provenance")
        found |= {step(below, name) for name in source if name not in PROVENANCE}
        unfit = {name for name, fits in PROVENANCE.items() if name not in source or not fits(source[name])}
        found |= {step(below, name) for name in unfit}
    return found


def derived_id(value):
    """The published id of a record, or nothing where it has none."""
    owed = [name for name in HASHED if name not in NULLABLE]
    if not isinstance(value, Object) or value.repeats() or any(name not in value for name in owed):
        return None
    hashed = {name: value.get(name) for name in HASHED}
    return None if any(map(formless, hashed.values())) else sha256(canonicalize(hashed))


def registered(registry, code):
    """Whether a code is registered for stage capability; a form without stages has it registered for all."""
    codes = registry.get("codes")
    if isinstance(codes, list):
        return code in codes
    entries = codes.written if isinstance(codes, Object) else ()
    stages = [entry.get("stage") if isinstance(entry, Object) else None for name, entry in entries if name == code]
    return any(not isinstance(stage, str) or stage == "capability" for stage in stages)


# Audit


class Findings:
    def __init__(self):
        self.found, self.open = {}, set()

    def add(self, place, law, code=None, severity="error"):
        # Half a surrogate pair in a name is shown by a mark.
        place = SURROGATE.sub("\ufffd", place)
        self.found.setdefault((place, f"sovereign/{law}", code or ""), severity)

    def listed(self):
        findings = [
            {"law": law, "code": code or None, "pointer": place, "severity": severity}
            for (place, law, code), severity in sorted(self.found.items())
        ]
        return findings, [list(pair) for pair in sorted(self.open)]


def audit_structure(turn, findings):
    for name in ("transition", "capabilities", "issues"):
        if name in repeated(turn):
            findings.add(step("", name), "canonical-parity", FORMLESS)
    capabilities = turn.get("capabilities")
    if isinstance(capabilities, Object) and "decisions" in repeated(capabilities):
        findings.add(DECISIONS, "canonical-parity", FORMLESS)


def audit_transition(transition, findings):
    if not isinstance(transition, Object):
        findings.add("/transition", "contract-turn-result")
        return
    several = repeated(transition)
    for name, value in transition.written:
        place = step("/transition", name)
        if not name.endswith("_digest"):
            continue
        if name in several or halves(name):
            findings.add(place, "canonical-parity", FORMLESS)
        if halves(name):
            continue
        bans = dict(without_form(value, place))
        for banned_at, law in without_form(value, place):
            findings.add(banned_at, law, FORMLESS)
        if place not in bans and value is not None and not is_digest(value):
            findings.add(place, "surface-list")
    for name in TRANSITION:
        if name not in transition:
            findings.add(step("/transition", name), "contract-turn-result")


def audit_record(value, place, registry, findings):
    bans = dict(without_form(value, place))
    for banned_at, law in without_form(value, place):
        findings.add(banned_at, law, FORMLESS)
    for breach in breaches(value, place) - set(bans):
        findings.add(breach, "contract-decision-record")
    code = text(value, "deny_code")
    if text(value, "outcome") == "denied" and code and code.startswith("E_") and not registered(registry, code):
        findings.add(step(place, "deny_code"), "contract-decision-record")


def audit_issue(issue, place, findings):
    for banned_at, law in without_form(issue, place):
        if banned_at != f"{place}/message" and not banned_at.startswith(f"{place}/message/"):
            findings.add(banned_at, law, FORMLESS)
    if not isinstance(issue, Object):
        findings.add(place, "contract-turn-result")
        return
    fits = {
        "stage": isinstance(issue.get("stage"), str) and issue["stage"] in STAGES,
        "location": isinstance(issue.get("location"), str),
        "code": isinstance(issue.get("code"), str),
        "details": isinstance(issue.get("details"), Object),
    }
    for name in fits:
        if not fits[name]:
            findings.add(step(place, name), "contract-turn-result")


class Decision:
    """A record as the laws between records look at it."""

    def __init__(self, value, index):
        self.value, self.place = value, step(DECISIONS, index)
        ordinal = value.get("ordinal") if isinstance(value, Object) else None
        self.ordinal = ordinal if is_integer(ordinal) else None
        self.location = None if self.ordinal is None else f"{DECISIONS}/{self.ordinal}"

    def text(self, name):
        return text(self.value, name)

    def at(self, name):
        return step(self.place, name)


def audit_emission(records, findings):
    for name in ("ordinal", "decision_id"):
        seen = set()
        for one in records:
            value = one.ordinal if name == "ordinal" else one.text(name)
            if value is not None and value in seen:
                findings.add(one.at(name), "single-emission")
            seen.add(value)
    ordinals = {one.ordinal for one in records if one.ordinal is not None}
    if ordinals != set(range(len(ordinals))):
        findings.add(DECISIONS, "single-emission")


def audit_attempts(attempts, records, findings):
    ordered = sorted(records, key=lambda one: (one.ordinal is None, one.ordinal or 0))
    if len(attempts) != len(ordered):
        findings.add(DECISIONS, "single-emission")
    for attempt, one in zip(attempts, ordered):
        for name in ("tool_name", "action"):
            if one.text(name) is not None and one.text(name) != attempt[name]:
                findings.add(one.at(name), "single-emission")
        code, outcome = denial(attempt["conditions"]), one.text("outcome")
        if code and outcome == "denied":
            if one.text("deny_code") != code:
                findings.add(one.at("deny_code"), "deny-precedence")
        elif code and outcome == "allowed" or not code and outcome == "denied":
            findings.add(one.at("outcome"), "deny-precedence")
        elif code:
            # A skip or what is unresolved, in spite of conditions: no ruling says whether that is found.
            findings.open.add((one.at("outcome"), "sovereign/deny-precedence"))


def audit_issues_of(records, issues, findings):
    for one in records:
        codes = {code for stage, location, code in issues if stage == "capability" and location == one.location}
        known = [code for code in DENIALS if code in codes]
        if one.location and len(known) > 1 and one.text("deny_code") != known[0]:
            findings.add(one.at("deny_code"), "deny-precedence")


def audit_correspondence(turn, records, issues, findings):
    for one in records:
        if one.text("outcome") not in ("denied", "unresolved"):
            continue
        for name in ("run_id", "turn_id"):
            if one.text(name) is not None and one.text(name) != text(turn, name):
                findings.add(one.at(name), "correspondence")
        code = one.text("deny_code")
        if one.location and code is not None and ("capability", one.location, code) not in issues:
            findings.add(one.place, "correspondence")


def audit_profiles(turn, records, profiles, findings):
    for one in records:
        value = one.value
        if one.text("outcome") == "skipped" and "reason" in value and value["reason"] is None:
            findings.add(one.at("reason"), "contract-decision-record", severity="warning")
        declared, derived = one.text("decision_id"), derived_id(value)
        if declared is not None and derived is not None and declared != derived:
            severity = "error" if "decision-id/published" in profiles else "warning"
            findings.add(one.at("decision_id"), "contract-decision-record", severity=severity)
    if "turn-digest/published" in profiles and isinstance(turn, Object) and "turn_result_digest" in turn:
        try:
            computed = turn_digest(turn)
        except Rejected:
            computed = None
        if computed is None or turn["turn_result_digest"] != computed:
            findings.add("/turn_result_digest", "surface-list")


def attempts_of(document):
    given = read(document)
    claim(isinstance(given, list))
    for one in given:
        claim(isinstance(one, Object) and is_text(one.get("tool_name")) and is_text(one.get("action")))
        denial(one.get("conditions"))
    return given


@answering
def audit(document, attempts, registry, profiles):
    """`sovereign.audit`; attempts may be None."""
    registry_digest(registry)
    codes = read_with_constants(registry)
    told = None if attempts is None else attempts_of(attempts)
    turn = read_with_constants(document)
    if constants(turn) > sum(map(constants, surfaces(turn))):
        raise Rejected("A_JSON")
    findings = Findings()
    if not isinstance(turn, Object):
        findings.add("", "contract-turn-result")
        turn = Object([])
    else:
        audit_structure(turn, findings)
        audit_transition(turn.get("transition"), findings)
    whole = bool(turn) or "" not in {place for place, _, _ in findings.found}
    capabilities, decisions, issues = turn.get("capabilities"), [], []
    if whole:
        if not isinstance(capabilities, Object):
            findings.add("/capabilities", "contract-turn-result")
        elif not isinstance(capabilities.get("decisions"), list):
            findings.add(DECISIONS, "contract-turn-result")
        else:
            decisions = capabilities["decisions"]
        if isinstance(turn.get("issues"), list):
            issues = turn["issues"]
        else:
            findings.add("/issues", "contract-turn-result")
    for index, value in enumerate(decisions):
        audit_record(value, step(DECISIONS, index), codes, findings)
    for index, issue in enumerate(issues):
        audit_issue(issue, step("/issues", index), findings)
    records = [Decision(value, index) for index, value in enumerate(decisions)]
    said = [tuple(text(issue, name) for name in ("stage", "location", "code")) for issue in issues]
    said = [of for of in said if None not in of]
    audit_emission(records, findings)
    if told is None:
        audit_issues_of(records, said, findings)
    else:
        audit_attempts(told, records, findings)
    audit_correspondence(turn, records, said, findings)
    audit_profiles(turn, records, profiles, findings)
    listed, undecided = findings.listed()
    return {"findings": listed, "open": undecided}
