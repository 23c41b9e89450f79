"""Compares two recorded runs under the law. It always reports: input trouble is a row, never an exception."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from kernel.breach import INPUT_MISSING, Breach
from kernel.bundle import Bundle, Entry, absent_members, declared_registry, read_bundle, run_id, take_bundle
from kernel.errors import NotJson, Refusal, TooDeep
from kernel.files import first_readable
from kernel.issues import compare_issues
from kernel.reader import LAW, read
from kernel.registry import Registry, registry
from kernel.report import REGISTRY_MISMATCH, VERSION_MISMATCH, Row, report
from kernel.stages import stage_order
from kernel.surfaces import (
    BUNDLE_DIGEST,
    DECISION,
    SCHEMA,
    SURROGATE,
    TRANSITION,
    Banned,
    constant_outside,
    in_turn,
    is_canonical,
)
from kernel.tree import Value, integer_order, is_text, pointer, text_of
from kernel.turn import CONTRACT, Turn, take_turn

SIDES = ("a", "b")


@dataclass
class Found:
    """What a comparison has found so far."""

    rows: list[Row] = field(default_factory=list)
    breaches: list[Breach] = field(default_factory=list)


def compare(
    bundle_a: bytes,
    bundle_b: bytes,
    registry_document: bytes | None = None,
    stage_document: bytes | None = None,
    root: Path | None = None,
) -> str:
    """The canonical text of the report on two bundles, whose turn files lie below `root`."""
    read_a, read_b = read_bundle(bundle_a, "a"), read_bundle(bundle_b, "b")
    run = "" if isinstance(read_a, Breach) else run_id(read_a)
    stages, local = _stages(stage_document), _registry(registry_document)
    if isinstance(stages, Breach) or isinstance(local, Breach):
        unusable = [each for each in (stages, local) if isinstance(each, Breach)]
        return report(run, unusable, [], stage_order(None))
    if isinstance(read_a, Breach) or isinstance(read_b, Breach):
        unreadable = [each for each in (read_a, read_b) if isinstance(each, Breach)]
        return report(run, unreadable, [], stages)
    absent = absent_members(read_a, "a") + absent_members(read_b, "b")
    if absent:
        return report(run, absent, [], stages)
    for declared in map(declared_registry, (read_a, read_b)):
        if declared is not None and declared != local.digest:
            # Recorded under another registry: nothing else means anything.
            row = Row(BUNDLE_DIGEST, "/registry_digest", local.digest, declared, REGISTRY_MISMATCH)
            return report(run, [], [row], stages)

    a, b = take_bundle(read_a, "a"), take_bundle(read_b, "b")
    found = Found(list(_compare_digests(a, b)), a.breaches + b.breaches)
    comparison = Comparison(root, stages, local)
    # A turn is absent from a list alone.
    entries_a, entries_b = ({}, {}) if a.entries is None or b.entries is None else (a.entries, b.entries)
    for turn_id in sorted(entries_a.keys() | entries_b.keys()):
        turn = comparison.compare_turn(turn_id, entries_a.get(turn_id), entries_b.get(turn_id))
        found.rows += turn.rows
        found.breaches += turn.breaches
    return report(run, found.breaches, found.rows, stages)


def _stages(document: bytes | None) -> dict[str, int] | Breach:
    try:
        return stage_order(document)
    except Refusal as refusal:
        return Breach.unreadable(refusal, "stage_order", "sovereign/contract-stage-order")


def _registry(document: bytes | None) -> Registry | Breach:
    try:
        return registry(document)
    except Refusal as refusal:
        return Breach.unreadable(refusal, "registry", "sovereign/registry-lock")


def _compare_digests(a: Bundle, b: Bundle) -> Iterator[Row]:
    for name in a.digests.keys() & b.digests.keys():
        if a.digests[name] != b.digests[name]:
            path = pointer("/digests", name)
            yield Row(BUNDLE_DIGEST, path, a.digests[name], b.digests[name], VERSION_MISMATCH)


@dataclass(frozen=True)
class Comparison:
    """What every turn of a comparison is judged by."""

    root: Path | None
    stages: dict[str, int]
    registry: Registry

    def compare_turn(self, turn_id: str, a: Entry | None, b: Entry | None) -> Found:
        """Compares one turn of either bundle."""
        found = self._compare_entries(text_of(turn_id), a, b)
        if is_text(turn_id) or not (found.rows or found.breaches):
            return found
        # No report can name this turn, so its id itself is what is wrong.
        breaches = []
        for side, entry in zip(SIDES, (a, b), strict=True):
            if entry is not None:
                place = pointer("/turn_results", entry.index, "turn_id")
                breaches.append(Breach.banned(Banned(SURROGATE, place), side, SCHEMA))
        return Found([], breaches)

    def _compare_entries(self, turn_id: str, a: Entry | None, b: Entry | None) -> Found:
        found = Found()
        if a is None or b is None:
            found.rows.append(Row(SCHEMA, "/turn_results", None, None, turn_id=turn_id))
            return found
        if a.digest is not None and b.digest is not None and a.digest != b.digest:
            path = pointer("/turn_results", turn_id, "turn_result_digest")
            found.rows.append(Row(BUNDLE_DIGEST, path, a.digest, b.digest, turn_id=turn_id))
        if a.paths is None or b.paths is None:
            return found
        # Both are loaded before either is looked at.
        loaded = [self._load(paths, turn_id, side) for paths, side in zip((a.paths, b.paths), SIDES, strict=True)]
        found.breaches += [each for each in loaded if isinstance(each, Breach)]
        if found.breaches:
            return found
        turns = [
            take_turn(value, turn_id, side, self.stages, self.registry)
            for value, side in zip(loaded, SIDES, strict=True)
            if not isinstance(value, Breach)
        ]
        found.rows += _compare_turns(turn_id, *turns)
        for turn in turns:
            found.breaches += turn.breaches
        return found

    def _load(self, paths: list[str], turn_id: str, side: str) -> Value | Breach:
        """The value of a turn file, or why there is none."""

        def missing(message: str) -> Breach:
            place = pointer("/turn_results", turn_id, "paths")
            return Breach(side, SCHEMA, place, "sovereign/path-selection", message, INPUT_MISSING, turn_id)

        selected = first_readable(paths, self.root)
        if selected is None:
            return missing("none of the paths can be read below the root")
        try:
            value = read(selected[1], LAW)
        except NotJson as error:
            return missing(str(error))
        except TooDeep as error:
            return Breach(side, in_turn(error.pointer), error.pointer, CONTRACT, str(error), turn_id=turn_id)
        constant = constant_outside(value, is_canonical)
        return value if constant is None else missing(f"no JSON: NaN or an infinity at {constant}")


def _compare_turns(turn_id: str, a: Turn, b: Turn) -> Iterator[Row]:
    yield from _compare_transitions(turn_id, a, b)
    yield from _compare_decisions(turn_id, a, b)
    if a.issues is not None and b.issues is not None:
        yield from compare_issues(turn_id, a.issues, b.issues)


def _compare_transitions(turn_id: str, a: Turn, b: Turn) -> Iterator[Row]:
    """Every digest of the transition; one that is absent counts as null."""
    if a.transition is None or b.transition is None:
        return
    names = a.transition.keys() | b.transition.keys()
    for name in names - a.unusable_transition - b.unusable_transition:
        expected, actual = a.transition.get(name), b.transition.get(name)
        if expected != actual:
            yield Row(TRANSITION, pointer("/transition", name), expected, actual, turn_id=turn_id)


def _compare_decisions(turn_id: str, a: Turn, b: Turn) -> Iterator[Row]:
    """Records in pairs of one ordinal; those with a breach, and their partners, are left out."""
    if a.records is None or b.records is None:
        return
    ordinals = (a.records.keys() | b.records.keys()) - a.unusable_ordinals - b.unusable_ordinals
    for ordinal in sorted(ordinals, key=integer_order):
        records = (a.records.get(ordinal), b.records.get(ordinal))
        if records[0] != records[1]:
            expected, actual = (None if record is None else hashlib.sha256(record).hexdigest() for record in records)
            path = pointer("/capabilities/decisions", ordinal)
            yield Row(DECISION, path, expected, actual, turn_id=turn_id, stage="capability", ordinal=ordinal)
