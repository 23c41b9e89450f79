"""With what right an expectation binds, and which failures a run counts."""

from __future__ import annotations

import os
from dataclasses import dataclass
from enum import IntEnum

from .declaration import SetupError

FAIL_ON = "ASSIZE_FAIL_ON"


class Weight(IntEnum):
    """How much a failing check weighs: it is against a convention, against a ruling, or against a specification."""

    INTERFACE = 0
    RULING = 1
    SPEC = 2


@dataclass(frozen=True)
class Force:
    """The force of one check; a ruling decides where a specification is silent, and has an id."""

    weight: Weight
    ruling: str = ""

    def __str__(self) -> str:
        return f"ruling {self.ruling}" if self.weight is Weight.RULING else self.weight.name.lower()


SPEC = Force(Weight.SPEC)

_COUNTED = {"spec": Weight.SPEC, "ruling": Weight.RULING, "remark": Weight.INTERFACE}


def parsed(text: str) -> Force:
    """The force that a check states: `spec`, `interface`, or `ruling` with its id."""
    kind, _, ruling = text.partition(" ")
    force = Force(Weight[kind.upper()], ruling)
    if str(force) != text or bool(ruling) != (force.weight is Weight.RULING):
        raise ValueError(f"an unknown force: {text}")
    return force


def counted() -> Weight:
    """The least weight that fails a test, as ASSIZE_FAIL_ON says."""
    said = os.environ.get(FAIL_ON) or "spec"
    if said not in _COUNTED:
        raise SetupError(f"{FAIL_ON} is {said!r}: write one of {', '.join(_COUNTED)}")
    return _COUNTED[said]
