"""The identity of a report: a digest that neither the id it carries nor any diagnostic can change."""

from __future__ import annotations

from kernel.canonical import SOVEREIGN_PROFILE, digest
from kernel.errors import BadInput
from kernel.reader import LAW, read
from kernel.tree import Object, Value


def report_id(report: bytes) -> str:
    """The id of a report that somebody wrote."""
    return report_id_of(read(report, LAW))


def report_id_of(report: Value) -> str:
    """The id of a report: the digest of it with its id and every diagnostic null, added where they are absent."""
    if not isinstance(report, Object):
        raise BadInput("a report is an object")
    return digest(Object([_without_diagnostics(pair) for pair in nulled(report, "report_id").pairs]), SOVEREIGN_PROFILE)


def _without_diagnostics(pair: tuple[str, Value]) -> tuple[str, Value]:
    name, value = pair
    if name != "mismatches":
        return pair
    if not isinstance(value, list):
        raise BadInput("mismatches are an array", "/mismatches")
    mismatches: list[Value] = []
    for index, mismatch in enumerate(value):
        if not isinstance(mismatch, Object):
            raise BadInput("a mismatch is an object", f"/mismatches/{index}")
        mismatches.append(nulled(mismatch, "diagnostic"))
    return name, mismatches


def nulled(value: Object, name: str) -> Object:
    """An object with one member null."""
    return Object([pair for pair in value.pairs if pair[0] != name] + [(name, None)])
