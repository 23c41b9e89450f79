"""A turn file: what in it can be compared, and every breach."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from kernel.breach import Breach, cut
from kernel.canonical import SOVEREIGN_PROFILE, canonical
from kernel.contracts import DECISION_RECORD
from kernel.issues import Issue
from kernel.registry import Registry
from kernel.shape import faults, is_digest
from kernel.surfaces import MESSAGE, MOST, SURROGATE, Banned, banned, in_turn, is_canonical, repeated_names
from kernel.tree import Number, Object, Value, is_text, member, pointer, text_of

CONTRACT = "sovereign/contract-turn-result"
RECORD_CONTRACT = "sovereign/contract-decision-record"

# The transition members that every turn owes; any other whose name ends alike is compared too.
TRANSITION = ("prior_state_digest", "proposed_state_digest", "inputs_digest")
SURFACES = {"/transition", "/capabilities", "/capabilities/decisions", "/issues"}


@dataclass
class Turn:
    """A turn's surfaces. None stands for a container that cannot be compared at all."""

    breaches: list[Breach] = field(default_factory=list)
    transition: dict[str, str | None] | None = None
    unusable_transition: set[str] = field(default_factory=set)
    # Canonical records by the token of their ordinal.
    records: dict[str, bytes] | None = None
    unusable_ordinals: set[str] = field(default_factory=set)
    issues: list[Issue] | None = None


def take_turn(root: Value, turn_id: str, side: str, stages: dict[str, int], registry: Registry) -> Turn:
    """Takes a turn file apart."""
    taking = _Taking(turn_id, side, stages, registry)
    taking.take(root)
    return taking.turn


class _Taking:
    """One turn file on its way to becoming a `Turn`."""

    def __init__(self, turn_id: str, side: str, stages: dict[str, int], registry: Registry) -> None:
        self.turn = Turn()
        self.turn_id = turn_id
        self.side = side
        self.stages = stages
        self.registry = registry

    def take(self, root: Value) -> None:
        if not isinstance(root, Object):
            self.shape("", CONTRACT, "a turn result is an object")
            return
        several: set[str] = set()
        for holder, place in ((root, ""), (member(root, "capabilities"), "/capabilities")):
            if isinstance(holder, Object):
                found = [each for each in repeated_names(holder, place) if each.pointer in SURFACES]
                self.ban(found)
                several |= {each.pointer for each in found}
        self.take_transition(member(root, "transition"))
        self.take_decisions(member(root, "capabilities"))
        self.take_issues(member(root, "issues"))
        # Of two surfaces of one name neither is compared.
        if "/transition" in several:
            self.turn.transition = None
        if several & {"/capabilities", "/capabilities/decisions"}:
            self.turn.records = None
        if "/issues" in several:
            self.turn.issues = None
        self.turn.breaches = cut(self.turn.breaches)

    def shape(self, place: str, law: str, message: str) -> None:
        self.turn.breaches.append(Breach(self.side, in_turn(place), place, law, message, turn_id=self.turn_id))

    def ban(self, found: Iterator[Banned] | list[Banned]) -> None:
        for each in found:
            self.turn.breaches.append(Breach.banned(each, self.side, in_turn(each.pointer), self.turn_id))

    def scan(self, value: Value, place: str) -> list[Banned]:
        """Reports and returns what has no canonical form at or below a place."""
        found = banned(value, place, lambda each: is_canonical(each.pointer))
        self.ban(found)
        return found

    def take_transition(self, transition: object) -> None:
        place = "/transition"
        if not isinstance(transition, Object):
            self.shape(place, CONTRACT, "a turn result has an object `transition`")
            return
        digests: dict[str, str | None] = {}
        unusable = self.turn.unusable_transition
        repeated = [each for each in repeated_names(transition, place) if is_canonical(each.pointer)]
        self.ban(repeated)
        for name, value in transition.pairs:
            if not name.endswith("_digest"):
                continue
            at = pointer(place, name)
            if not is_text(name):
                self.ban([Banned(SURROGATE, at)])
                continue
            banned_places = {each.pointer for each in self.scan(value, at)}
            is_lawful = value is None or is_digest(value)
            if not is_lawful and at not in banned_places:
                self.shape(at, "sovereign/surface-list", "a transition digest is a digest, or null")
            if is_lawful and not banned_places and all(each.pointer != at for each in repeated):
                digests[name] = None if value is None else str(value)
            else:
                unusable.add(name)
        for name in TRANSITION:
            if name not in transition.names():
                self.shape(pointer(place, name), CONTRACT, "the transition lacks this digest")
                unusable.add(name)
        self.turn.transition = digests

    def take_decisions(self, capabilities: object) -> None:
        place = "/capabilities"
        if not isinstance(capabilities, Object):
            self.shape(place, CONTRACT, "a turn result has an object `capabilities`")
            return
        place = pointer(place, "decisions")
        decisions = capabilities.get("decisions")
        if not isinstance(decisions, list):
            self.shape(place, CONTRACT, "capabilities have an array `decisions`")
            return
        records: dict[str, bytes] = {}
        seen: set[str] = set()
        for index, record in enumerate(decisions):
            if len(self.turn.breaches) > MOST:
                # The rest is not looked at, so nothing here can be compared.
                return
            self.take_record(record, pointer(place, index), records, seen)
        self.turn.records = records

    def take_record(self, record: Value, place: str, records: dict[str, bytes], seen: set[str]) -> None:
        number = member(record, "ordinal")
        ordinal = number.token if isinstance(number, Number) and not number.is_banned else None
        repeated = ordinal in seen
        if repeated:
            message = "another record of this turn has the same ordinal"
            self.shape(pointer(place, "ordinal"), "sovereign/single-emission", message)
        lawful = self.judge_record(record, place)
        if ordinal is None:
            return
        seen.add(ordinal)
        if lawful and not repeated:
            records[ordinal] = canonical(record, SOVEREIGN_PROFILE)
        else:
            self.turn.unusable_ordinals.add(ordinal)

    def judge_record(self, record: Value, place: str) -> bool:
        """Holds a record to the float ban, to its contract and to the registry."""
        before = len(self.turn.breaches)
        uncanonical = {each.pointer for each in self.scan(record, place)}
        for below, message in faults(DECISION_RECORD, record):
            # What has no canonical form is not also of the wrong shape.
            if place + below not in uncanonical:
                self.shape(place + below, RECORD_CONTRACT, message)
        code = text_of(member(record, "deny_code"))
        denied = member(record, "outcome") == "denied" and code.startswith("E_")
        if denied and code not in self.registry.denials:
            message = f"`{code}` is not registered for stage capability"
            self.shape(pointer(place, "deny_code"), RECORD_CONTRACT, message)
        return len(self.turn.breaches) == before

    def take_issues(self, issues: object) -> None:
        place = "/issues"
        if not isinstance(issues, list):
            self.shape(place, CONTRACT, "a turn result has an array `issues`")
            return
        taken: list[Issue] = []
        for index, issue in enumerate(issues):
            if len(self.turn.breaches) > MOST:
                return
            self.take_issue(issue, pointer(place, index), taken)
        self.turn.issues = taken

    def take_issue(self, issue: Value, place: str, taken: list[Issue]) -> None:
        before = len(self.turn.breaches)
        self.scan(issue, place)
        if not isinstance(issue, Object):
            self.shape(place, CONTRACT, "an issue is an object")
            return
        stage, location, code, details = (issue.get(name) for name in ("stage", "location", "code", "details"))
        if not isinstance(stage, str) or stage not in self.stages:
            self.shape(pointer(place, "stage"), CONTRACT, "the stage is one of the stage order")
        if not isinstance(location, str):
            self.shape(pointer(place, "location"), CONTRACT, "the location is a string")
        if not isinstance(code, str):
            self.shape(pointer(place, "code"), CONTRACT, "the code is a string")
        if not isinstance(details, Object):
            self.shape(pointer(place, "details"), CONTRACT, "details are an object")
        elif len(self.turn.breaches) == before:
            normal = Object([pair for pair in issue.pairs if pair[0] != MESSAGE])
            canonical_details, canonical_issue = (canonical(each, SOVEREIGN_PROFILE) for each in (details, normal))
            taken.append(Issue(str(stage), str(location), str(code), canonical_details, canonical_issue))
