"""The register of the bank: each testee with what is planted in it and what has to catch it."""

from dataclasses import dataclass
from typing import Any, Callable, Dict

BANK: Dict[str, "Testee"] = {}


@dataclass(frozen=True)
class Testee:
    """One testee of the bank.

    `kind` is `honest` or `harmless` for what has to pass, otherwise the fault's theme: `canonical`, `comparison`, `conduct`,
    `kernel`.
    `caught_by` names `laws` (their cases fail), an `outcome` of cases, or a `finding` about the session; it is empty for
    what has to pass. Where one outcome or finding has several causes, `says` is what the harness says about this one.
    """

    name: str
    kind: str
    plants: str
    caught_by: Dict[str, Any]
    run: Callable[[], None]

    def listed(self):
        """The testee as `bank.py --list` prints it."""
        return {"name": self.name, "kind": self.kind, "plants": self.plants, "caught_by": self.caught_by}


def enter(function, kind, caught_by, run):
    """Puts a testee into the bank: named like its function, described by the function's docstring."""
    name = function.__name__.replace("_", "-")
    if name in BANK:
        raise ValueError(f"{name} comes twice")
    plants = " ".join(function.__doc__.split())
    BANK[name] = Testee(name, kind, plants, caught_by, run)
    return function
