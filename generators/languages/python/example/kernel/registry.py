"""The local registry of codes: a bundle is only replayed under the one that it was recorded under."""

from __future__ import annotations

from dataclasses import dataclass

from kernel.canonical import SOVEREIGN_PROFILE, digest
from kernel.errors import BadInput
from kernel.reader import LAW, read
from kernel.tree import MISSING, Object, Value, member

CAPABILITY = "capability"

SEALED = b"""{"contract_version": "kernel_api/v1", "codes": {
    "E_SIDE_EFFECT_UNDECLARED": {"stage": "capability"},
    "E_CAPABILITY_DENIED": {"stage": "capability"},
    "E_PERMISSION_DENIED": {"stage": "capability"},
    "E_CAPABILITY_NOT_RESOLVED": {"stage": "capability"},
    "I_CAPABILITY_SKIPPED": {"stage": "capability"},
    "E_CANONICALIZATION_ERROR": {"stage": "determinism"},
    "E_REPLAY_INPUT_MISSING": {"stage": "replay"},
    "E_REPLAY_VERSION_MISMATCH": {"stage": "replay"},
    "E_REPLAY_EQUIVALENCE_FAILED": {"stage": "replay"},
    "E_REGISTRY_DIGEST_MISMATCH": {"stage": "replay"}}}"""


@dataclass(frozen=True)
class Registry:
    """A registry by its digest, with the codes that a denial may carry."""

    digest: str
    denials: frozenset[str]


def registry(document: bytes | None) -> Registry:
    """The given registry, or the sealed one."""
    value = read(SEALED if document is None else document, LAW)
    if not isinstance(value, Object):
        raise BadInput("a registry is an object with `contract_version` and `codes`")
    return Registry(digest(value, SOVEREIGN_PROFILE), frozenset(_denials(member(value, "codes"))))


def _denials(codes: object) -> list[str]:
    """The codes of stage capability. An older form lists bare codes, which say nothing of stages."""
    if isinstance(codes, list):
        return [code for code in codes if isinstance(code, str)]
    pairs = codes.pairs if isinstance(codes, Object) else []
    return [code for code, entry in pairs if _is_denial(entry)]


def _is_denial(entry: Value) -> bool:
    stage = member(entry, "stage")
    return stage is MISSING or not isinstance(stage, str) or stage == CAPABILITY
