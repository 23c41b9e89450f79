"""The stage order, and the one order of mismatches in a report."""

from __future__ import annotations

from typing import Any

from kernel.canonical import SOVEREIGN_PROFILE, canonical
from kernel.errors import BadInput, NoForm
from kernel.reader import STRICT, read
from kernel.tree import MISSING, Number, Value, integer_order, is_text, member, pointer

SEALED_STAGES = (
    "base_shape",
    "dto_links",
    "relationship_vocabulary",
    "policy",
    "determinism",
    "ci",
    "lsi",
    "promotion",
    "capability",
    "replay",
)

DIGESTS = ("expected_digest", "actual_digest")


def stage_order(document: bytes | None) -> dict[str, int]:
    """The index of each stage, by a given stage order or the sealed one."""
    if document is None:
        return {stage: index for index, stage in enumerate(SEALED_STAGES)}
    stages = member(read(document, STRICT), "stage_order")
    if not isinstance(stages, list):
        raise BadInput("a stage order has an array `stage_order`", "/stage_order")
    order: dict[str, int] = {}
    for index, stage in enumerate(stages):
        if not isinstance(stage, str) or not is_text(stage) or stage in order:
            raise BadInput("a stage is a string and listed once", f"/stage_order/{index}")
        order[stage] = index
    return order


def mismatch_order(
    turn_id: str, stage: int, ordinal: str, surface: str, path: str, expected: str | None, actual: str | None
) -> tuple[Any, ...]:
    """The sort key of a mismatch: five members, and the digests for what still ties, null first."""
    digests = ((digest is not None, digest or "") for digest in (expected, actual))
    return turn_id, stage, integer_order(ordinal), surface, path, *digests


def order(mismatches: bytes, stage_document: bytes | None) -> str:
    """The canonical text of mismatches in the order of a report."""
    stages = stage_order(stage_document)
    listed = read(mismatches, STRICT)
    if not isinstance(listed, list):
        raise BadInput("mismatches are an array")
    keyed = [(_key(mismatch, stages, f"/{index}"), mismatch) for index, mismatch in enumerate(listed)]
    in_order = [mismatch for _, mismatch in sorted(keyed, key=lambda pair: pair[0])]
    try:
        return canonical(in_order, SOVEREIGN_PROFILE).decode("utf-8")
    except NoForm as error:
        raise BadInput(str(error)) from error


def _key(mismatch: Value, stages: dict[str, int], place: str) -> tuple[Any, ...]:
    def text(name: str) -> str:
        value = member(mismatch, name)
        if not isinstance(value, str) or not is_text(value):
            raise BadInput(f"`{name}` is a string", pointer(place, name))
        return value

    ordinal = member(mismatch, "ordinal")
    if not isinstance(ordinal, Number) or ordinal.is_banned:
        raise BadInput("`ordinal` is an integer", pointer(place, "ordinal"))
    stage = stages.get(text("stage_name"))
    if stage is None:
        raise BadInput("`stage_name` is one of the stage order", pointer(place, "stage_name"))
    expected, actual = (None if member(mismatch, name) in (None, MISSING) else text(name) for name in DIGESTS)
    return mismatch_order(text("turn_id"), stage, ordinal.token, text("surface"), text("path"), expected, actual)
