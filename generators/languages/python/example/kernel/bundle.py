"""A bundle: what in it can be compared, and every breach."""

from __future__ import annotations

from dataclasses import dataclass, field

from kernel.breach import INPUT_MISSING, Breach, cut
from kernel.contracts import BUNDLE
from kernel.errors import NotJson, Refusal
from kernel.reader import LAW, read
from kernel.report import VERSION_MISMATCH
from kernel.shape import faults, is_digest
from kernel.surfaces import BUNDLE_DIGEST, REPEATED, SCHEMA, SURROGATE, Banned, banned, constant_outside, in_bundle
from kernel.tree import Missing, Object, Value, is_within, member, pointer, repeated, text_of

CONTRACT = "sovereign/contract-replay-bundle"
MEMBERS = ("contract_version", "run_envelope", "registry_digest", "digests", "turn_results")


@dataclass(frozen=True)
class Entry:
    """A turn of a bundle: where it stands, its declared digest, and its paths, as far as they are lawful."""

    index: int
    digest: str | None
    paths: list[str] | None


@dataclass
class Bundle:
    """A bundle with its five members. Of entries with one id the last is used."""

    digests: dict[str, str] = field(default_factory=dict)
    # None where nothing can be compared turn by turn: no list, or several.
    entries: dict[str, Entry] | None = field(default_factory=dict)
    breaches: list[Breach] = field(default_factory=list)


def read_bundle(document: bytes, side: str) -> Value | Breach:
    """The bundle's value, or why nothing in it can be used."""
    try:
        value = read(document, LAW)
        constant = constant_outside(value, lambda place: in_bundle(place) == BUNDLE_DIGEST)
        if constant is not None:
            raise NotJson(f"NaN or an infinity at {constant}")
    except Refusal as refusal:
        return Breach.unreadable(refusal, side, CONTRACT, in_bundle)
    return value


def absent_members(value: Value, side: str) -> list[Breach]:
    """What is missing so badly that nothing is compared."""
    if not isinstance(value, Object):
        return [Breach(side, SCHEMA, "", CONTRACT, "a bundle is an object")]
    return [
        Breach(side, SCHEMA, pointer("", name), CONTRACT, f"the bundle has no `{name}`", INPUT_MISSING)
        for name in MEMBERS
        if name not in value.names()
    ]


def run_id(value: Value) -> str:
    """The run id, or "" where it is not a string that a report can hold."""
    return text_of(member(member(value, "run_envelope"), "run_id"))


def declared_registry(value: Value) -> str | None:
    """The registry digest, where it is spelled as one. Of two, none is declared."""
    return None if "registry_digest" in repeated(value) else _digest(member(value, "registry_digest"))


def take_bundle(value: Value, side: str) -> Bundle:
    """Takes apart a bundle that has its five members."""
    listed = member(value, "turn_results")
    entries = listed if isinstance(listed, list) else []
    bundle = Bundle()
    _collect_banned(bundle, value, entries, side)
    _collect_shape(bundle, value, entries, side)
    several = repeated(value)
    digests = member(value, "digests")
    if isinstance(digests, Object) and "digests" not in several:
        twice = repeated(digests)
        bundle.digests = {name: str(found) for name, found in digests.pairs if name not in twice and is_digest(found)}
    taken: dict[str, Entry] = {}
    for index, entry in enumerate(entries):
        _take_entry(bundle, taken, index, entry, side)
    bundle.entries = taken if isinstance(listed, list) and "turn_results" not in several else None
    bundle.breaches = cut(bundle.breaches)
    return bundle


def _collect_banned(bundle: Bundle, value: Value, entries: list[Value], side: str) -> None:
    """Repeated names anywhere, and what has no canonical form in digests and in the run id."""

    def matters(found: Banned) -> bool:
        is_run_id = found.kind == SURROGATE and is_within(found.pointer, "/run_envelope/run_id")
        return found.kind == REPEATED or is_run_id or in_bundle(found.pointer) == BUNDLE_DIGEST

    for found in banned(value, "", matters):
        turn_id = _turn_id(found.pointer, entries)
        bundle.breaches.append(Breach.banned(found, side, in_bundle(found.pointer), turn_id))


def _collect_shape(bundle: Bundle, value: Value, entries: list[Value], side: str) -> None:
    """The bundle's contract. What has no canonical form is not also of the wrong shape."""
    named = {breach.path for breach in bundle.breaches}
    for place, message in faults(BUNDLE, value):
        if place not in named:
            reason = VERSION_MISMATCH if place == "/contract_version" else None
            turn_id = _turn_id(place, entries)
            bundle.breaches.append(Breach(side, in_bundle(place), place, CONTRACT, message, reason, turn_id))


def _take_entry(bundle: Bundle, taken: dict[str, Entry], index: int, entry: Value, side: str) -> None:
    turn_id = member(entry, "turn_id")

    def report(name: str, law: str, message: str) -> None:
        place = pointer("/turn_results", index, name)
        bundle.breaches.append(Breach(side, SCHEMA, place, law, message, turn_id=text_of(turn_id)))

    paths = _strings(member(entry, "paths"))
    if paths is not None and paths != sorted(paths):
        report("paths", "sovereign/path-selection", "the paths are not in code point order")
    if not isinstance(turn_id, str):
        return
    if turn_id in taken:
        report("turn_id", CONTRACT, "the turn is listed twice: the last entry is used")
    twice = "turn_result_digest" in repeated(entry)
    taken[turn_id] = Entry(index, None if twice else _digest(member(entry, "turn_result_digest")), paths)


def _turn_id(place: str, entries: list[Value]) -> str:
    """The id of the turn that a place in the bundle belongs to, as far as a report can hold it."""
    steps = place.split("/")[1:]
    if len(steps) < 2 or steps[0] != "turn_results" or not steps[1].isdigit():
        return ""
    return text_of(member(entries[int(steps[1])], "turn_id")) if int(steps[1]) < len(entries) else ""


def _strings(value: Value | Missing) -> list[str] | None:
    """An array of strings that is not empty."""
    strings = [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
    return strings if strings and strings == value else None


def _digest(value: Value | Missing) -> str | None:
    return value if isinstance(value, str) and is_digest(value) else None
