"""What makes a comparison say ERROR: a place where input is unreadable, unlawful or over a limit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from kernel.errors import NoForm, NotJson, Refusal
from kernel.surfaces import HELP, MOST, SCHEMA, Banned

CANONICALIZATION = "E_CANONICALIZATION_ERROR"
INPUT_MISSING = "E_REPLAY_INPUT_MISSING"


@dataclass(frozen=True)
class Breach:
    """One place at fault, in one of the inputs. Shape and limits have no registered reason."""

    side: str
    surface: str
    path: str
    law: str
    message: str
    reason: str | None = None
    turn_id: str = ""

    @classmethod
    def banned(cls, found: Banned, side: str, surface: str, turn_id: str = "") -> Breach:
        """A place without canonical form."""
        return cls(side, surface, found.pointer, found.law, HELP[found.kind], CANONICALIZATION, turn_id)

    @classmethod
    def unreadable(
        cls, refusal: Refusal, side: str, law: str, surface: Callable[[str], str] = lambda place: SCHEMA
    ) -> Breach:
        """An input that cannot be used as a whole."""
        reason = None
        if isinstance(refusal, NotJson):
            reason = INPUT_MISSING
        elif isinstance(refusal, NoForm):
            reason = CANONICALIZATION
        return cls(side, SCHEMA if reason else surface(refusal.pointer), refusal.pointer, law, str(refusal), reason)


def cut(breaches: list[Breach]) -> list[Breach]:
    """The first breaches of one document, with a last one that says how many more there are."""
    left_out = len(breaches) - MOST
    if left_out <= 0:
        return breaches
    message = f"{left_out} more breaches than the limit of {MOST} are not listed"
    return [*breaches[:MOST], replace(breaches[0], surface=SCHEMA, path="", reason=None, message=message)]


def merged(breaches: list[Breach]) -> list[Breach]:
    """The same breach on both sides as one: its rows could only differ in the diagnostic, which never matters."""
    found: dict[tuple[object, ...], Breach] = {}
    for breach in breaches:
        key = breach.turn_id, breach.surface, breach.path, breach.reason
        earlier = found.setdefault(key, breach)
        if earlier.side != breach.side:
            found[key] = replace(earlier, side="both")
    return list(found.values())
