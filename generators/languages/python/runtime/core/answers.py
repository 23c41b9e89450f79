"""What an implementation says: a typed acceptance, a `Reject`, or that it has no such operation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

# A value that `json` can write: None, bool, int, float, str, and lists and dictionaries of those.
Json = Any


class Reject:
    """The implementation refuses: a judgement with its codes, and with outputs where the operation has some.

    An exception is not a judgement. One that leaves the implementation counts as a fault, never as a rejection.
    """

    def __init__(self, *codes: str, **out: Json) -> None:
        self.codes = frozenset(codes)
        self.out = out

    def __repr__(self) -> str:
        return f"Reject({', '.join(map(repr, sorted(self.codes)))})"


class Unsupported(NotImplementedError):
    """The implementation has no such operation. Right for what is not declared, a broken promise for what is."""


@dataclass(frozen=True)
class Doc:
    """A document in an answer: JSON text, which keeps the spelling of its numbers."""

    text: str


@dataclass(frozen=True)
class Misfit:
    """What travelled as a document or as bytes and is neither: no check holds there."""

    value: Json


Content = Doc | bytes | Misfit | Json


@dataclass(frozen=True)
class Answer:
    """An answer as it is judged and as it travels: values are JSON as `jsontext.loads` reads it."""

    verdict: str
    codes: frozenset[str]
    out: dict[str, Content]
