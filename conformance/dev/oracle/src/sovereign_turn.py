"""A second source for the sovereign system, continued: a turn file as a comparison takes it. See `sovereign_law.py`.

What breaks a law is a row without digests; what breaks none is compared, and each difference is a row with them.
"""

from collections import Counter

import sovereign
from sovereign import Object, halves, is_digest
from sovereign_audit import (
    DECISIONS,
    FORMLESS,
    STAGES,
    TRANSITION,
    breaches,
    is_integer,
    registered,
    repeated,
    step,
    text,
    without_form,
)
from sovereign_text import NoJson, Text, digest, pointer, shown

MISSING, VERSION = "E_REPLAY_INPUT_MISSING", "E_REPLAY_VERSION_MISMATCH"
FAILED, LOCKED = "E_REPLAY_EQUIVALENCE_FAILED", "E_REGISTRY_DIGEST_MISMATCH"
NOBODY = [{"_missing": True}]


def row(turn_id, surface, path, code, stage="replay", ordinal=0, digests=(None, None)):
    return turn_id, stage, ordinal, surface, path, *digests, code


def breach(turn_id, surface, path, code=None):
    return row(turn_id, surface, shown(path), code, "determinism" if code == FORMLESS else "replay")


def read(octets, surface):
    """A document as it is compared; nothing where it is no JSON, as with a constant off every canonical surface."""
    try:
        read_text = Text(octets)
    except NoJson:
        return None
    return read_text if read_text.deep or all(map(surface, read_text.constants)) else None


def turn_surface(place):
    """Whether a place of a turn file lies on a canonical surface."""
    if place[:1] == ("transition",):
        return len(place) > 1 and str(place[1]).endswith("_digest")
    if place[:2] == ("capabilities", "decisions"):
        return len(place) > 2
    return place[:1] == ("issues",) and len(place) > 1 and place[2:3] != ("message",)


class Turn:
    """A turn file that was read: its breaches, and what of it can be compared."""

    def __init__(self, read_text, turn_id, registry):
        self.rows, self.turn_id, self.registry = [], turn_id, registry
        # None where a breach leaves nothing to compare.
        self.transition = self.decisions = self.issues = None
        if read_text.deep is not None:
            self.at(surface_in_turn(read_text.deep), pointer(read_text.deep))
            return
        value = read_text.value
        if not isinstance(value, Object):
            self.at("schema", "")
            return
        several = repeated(value)
        self.read_transition(value, several)
        self.read_capabilities(value, several)
        self.read_issues(value, several)

    def at(self, surface, place, code=None):
        self.rows.append(breach(self.turn_id, surface, place, code))

    def read_transition(self, value, several):
        transition = value.get("transition")
        if "transition" in several:
            self.at("transition", "/transition", FORMLESS)
        if not isinstance(transition, Object):
            self.at("transition", "/transition")
            return
        self.transition, names = {}, repeated(transition)
        self.unsound = {name for name in TRANSITION if name not in transition}
        for name in self.unsound:
            self.at("transition", step("/transition", name))
        for name, member in transition.written:
            if not name.endswith("_digest"):
                continue
            place = step("/transition", name)
            if halves(name):
                self.at("transition", place, FORMLESS)
                continue
            bans = dict(without_form(member, place))
            fits = member is None or is_digest(member)
            if not fits and place not in bans:
                self.at("transition", place)
            if name in names:
                bans[place] = None
            for banned in bans:
                self.at("transition", banned, FORMLESS)
            if bans or not fits:
                self.unsound.add(name)
            else:
                self.transition[name] = member
        if "transition" in several:
            self.transition = None

    def read_capabilities(self, value, several):
        capabilities = value.get("capabilities")
        if "capabilities" in several:
            self.at("schema", "/capabilities", FORMLESS)
        if not isinstance(capabilities, Object):
            self.at("schema", "/capabilities")
            return
        twice = "decisions" in repeated(capabilities)
        if twice:
            self.at("decision_record", DECISIONS, FORMLESS)
        decisions = capabilities.get("decisions")
        if not isinstance(decisions, list):
            self.at("decision_record", DECISIONS)
            return
        records, unsound, seen = {}, set(), set()
        for index, value in enumerate(decisions):
            place = step(DECISIONS, index)
            bans = {banned for banned, _ in without_form(value, place)}
            found = breaches(value, place)
            code = text(value, "deny_code")
            if text(value, "outcome") == "denied" and code and not registered(self.registry, code):
                found.add(step(place, "deny_code"))
            found -= bans
            ordinal = value.get("ordinal") if isinstance(value, Object) else None
            told = is_integer(ordinal) and ordinal >= 0
            if told and ordinal in seen:
                found.add(step(place, "ordinal"))
            for banned in bans:
                self.at("decision_record", banned, FORMLESS)
            for broken in found:
                self.at("decision_record", broken)
            if not told:
                continue
            seen.add(ordinal)
            if bans or found:
                unsound.add(ordinal)
            else:
                records[ordinal] = value
        if "capabilities" in several or twice:
            return
        self.decisions, self.unsound_ordinals = records, unsound

    def read_issues(self, value, several):
        issues = value.get("issues")
        if "issues" in several:
            self.at("issue", "/issues", FORMLESS)
        if not isinstance(issues, list):
            self.at("issue", "/issues")
            return
        sound = []
        for index, issue in enumerate(issues):
            place = step("/issues", index)
            bans = {
                banned
                for banned, _ in without_form(issue, place)
                if banned != f"{place}/message" and not banned.startswith(f"{place}/message/")
            }
            found = set()
            if not isinstance(issue, Object):
                found.add(place)
            else:
                fits = {
                    "stage": isinstance(issue.get("stage"), str) and issue["stage"] in STAGES,
                    "location": isinstance(issue.get("location"), str),
                    "code": isinstance(issue.get("code"), str),
                    "details": isinstance(issue.get("details"), Object),
                }
                found |= {step(place, name) for name in fits if not fits[name]}
            for banned in bans:
                self.at("issue", banned, FORMLESS)
            for broken in found:
                self.at("issue", broken)
            if not bans and not found:
                sound.append(issue)
        if "issues" not in several:
            self.issues = sound


def surface_in_turn(place):
    if place[:1] == ("transition",):
        return "transition"
    if place[:2] == ("capabilities", "decisions"):
        return "decision_record"
    return "issue" if place[:1] == ("issues",) else "schema"


def differ(turn_id, path, expected, actual, surface, ordinal=0, stage="replay"):
    return row(turn_id, surface, path, FAILED, stage, ordinal, (expected, actual))


def compare_transitions(turn_id, a, b):
    names = set(a.transition) | set(b.transition)
    for name in names - a.unsound - b.unsound:
        expected, actual = a.transition.get(name), b.transition.get(name)
        if expected != actual:
            yield differ(turn_id, pointer(("transition", name)), expected, actual, "transition")


def compare_decisions(turn_id, a, b):
    for ordinal in (set(a.decisions) | set(b.decisions)) - a.unsound_ordinals - b.unsound_ordinals:
        records = [side.decisions.get(ordinal) for side in (a, b)]
        expected, actual = (None if one is None else digest(one) for one in records)
        if expected != actual:
            digits = next(one for one in records if one is not None)["ordinal"].token
            path = f"{DECISIONS}/{digits}"
            yield differ(turn_id, path, expected, actual, "decision_record", ordinal, "capability")


def keyed(issues):
    """Issues without messages, as their digests, by key."""
    groups = {}
    for issue in issues:
        key = STAGES.index(issue["stage"]), issue["location"], issue["code"], digest(issue["details"])
        bare = sovereign.without(issue, {"message"})
        groups.setdefault(key, []).append((digest(bare), bare))
    return groups


def listed(group):
    return digest([issue for _, issue in sorted(group, key=lambda pair: pair[0])] or NOBODY)


def compare_issues(turn_id, a, b):
    sides = keyed(a.issues), keyed(b.issues)
    for key in set(sides[0]) | set(sides[1]):
        stage, location, _, _ = key
        left, right = (side.get(key, []) for side in sides)
        if len(left) != len(right):
            yield differ(turn_id, location, listed(left), listed(right), "issue")
            continue
        counts = [Counter(found for found, _ in group) for group in (left, right)]
        over = [sorted((counts[one] - counts[1 - one]).elements()) for one in (0, 1)]
        for expected, actual in zip(*over):
            yield differ(turn_id, location, expected, actual, "issue", 0, STAGES[stage])


COMPARED = {"transition": compare_transitions, "decisions": compare_decisions, "issues": compare_issues}
