"""What an operation takes and gives, as data: the table itself is `operations.py`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Argument:
    """A small plain value in a question; one of `type` any is handed over as its JSON text."""

    name: str
    field: str
    type: str
    required: bool
    values: Sequence[str] | None

    @property
    def is_declared(self) -> bool:
        """Whether a declaration lists the values that are supported: required, from a closed list."""
        return self.required and self.values is not None


@dataclass(frozen=True)
class Input:
    """A document in a question: exact bytes."""

    name: str
    field: str


@dataclass(frozen=True)
class Output:
    """A member of an answer: a `doc` is JSON text, `bytes` are bytes, a `value` is plain JSON."""

    name: str
    field: str
    kind: str


@dataclass(frozen=True)
class Operation:
    """One operation: how to ask an implementation, and how to read what it says."""

    name: str
    method: str
    request: type
    accepted: type
    root: bool
    arguments: Sequence[Argument] = ()
    inputs: Sequence[Input] = ()
    outputs: Sequence[Output] = ()
    rejected: Sequence[Output] = ()
