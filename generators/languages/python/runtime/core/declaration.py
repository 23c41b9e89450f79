"""The one declaration of what is implemented, read by the suite and by the shim."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .operations import OPERATIONS

Declaration = Mapping[str, Mapping[str, Sequence[str]]]

NOTHING = "nothing is declared: list what is implemented in DECLARED of implementation.py"


class SetupError(Exception):
    """What the implementer has set up cannot be used; the message says what to mend."""


def checked(declared: Declaration) -> Declaration:
    """The declaration, once every name and value in it is one of the interface's."""
    for op, choices in declared.items():
        operation = OPERATIONS.get(op)
        if operation is None:
            raise SetupError(f"DECLARED: there is no operation {op!r}; there are {', '.join(OPERATIONS)}")
        closed = {argument.name: argument.values or () for argument in operation.arguments if argument.is_declared}
        if set(choices) != set(closed):
            wanted = ", ".join(closed) or "no arguments"
            raise SetupError(f"DECLARED: {op} lists values for {wanted}, not for {', '.join(choices) or 'none'}")
        for name, values in choices.items():
            unknown = sorted(set(values) - set(closed[name]))
            if isinstance(values, str) or unknown or not values:
                raise SetupError(f"DECLARED: {op}/{name} is a list out of {', '.join(closed[name])}")
    return declared


def undeclared(declared: Declaration, op: str, args: Mapping[str, Any]) -> str | None:
    """The feature that a question needs and the declaration lacks: `op` or `op/value`."""
    choices = declared.get(op)
    if choices is None:
        return op
    for name, values in choices.items():
        if args.get(name) not in values:
            return f"{op}/{args.get(name)}"
    return None
