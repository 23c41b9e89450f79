"""JSON values as they stand in a text: number tokens, repeated names and lone surrogates are all kept."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

SURROGATES = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Number:
    """A number by its spelling: `1.0` is not `1`, and 2**70 loses nothing."""

    token: str

    @property
    def is_integer(self) -> bool:
        """Whether the spelling has neither fraction nor exponent, and is not a constant."""
        return self.token.lstrip("-").isdigit()

    @property
    def is_constant(self) -> bool:
        """Whether it is NaN or an infinity, which Python's own reader would take."""
        return self.token[-1] in "Ny"

    @property
    def is_banned(self) -> bool:
        """Whether the float ban forbids it: everything but integers, and negative zero."""
        return not self.is_integer or self.token == "-0"


@dataclass(slots=True, eq=False)
class Object:
    """An object's members in their order, repeated names and all."""

    pairs: list[tuple[str, Value]]

    def get(self, name: str) -> Value | Missing:
        """The value of a name, the last one where it is repeated; MISSING is not null."""
        return next((value for known, value in reversed(self.pairs) if known == name), MISSING)

    def names(self) -> set[str]:
        """The names, each once."""
        return {name for name, _ in self.pairs}


class Missing:
    """The type of MISSING."""


MISSING = Missing()

Value = None | bool | str | Number | list["Value"] | Object


def member(value: Value | Missing, name: str) -> Value | Missing:
    """A member of an object; MISSING where there is none, or no object."""
    return value.get(name) if isinstance(value, Object) else MISSING


def repeated(value: Value) -> set[str]:
    """The names that an object has more than once."""
    counts = Counter(name for name, _ in value.pairs) if isinstance(value, Object) else Counter()
    return {name for name, count in counts.items() if count > 1}


def is_text(value: object) -> bool:
    """Whether a value is a string that has a UTF-8 form."""
    return isinstance(value, str) and not SURROGATES.search(value)


def text_of(value: object) -> str:
    """A string that has a UTF-8 form, or the empty one in place of anything else."""
    return value if isinstance(value, str) and is_text(value) else ""


def pointer(place: str, *steps: str | int) -> str:
    """A JSON Pointer (RFC 6901) some steps below another one."""
    return place + "".join(f"/{escaped(step)}" for step in steps)


def escaped(step: str | int) -> str:
    """One step of a pointer. What has no UTF-8 form shows as the replacement character."""
    return SURROGATES.sub("\ufffd", str(step).replace("~", "~0").replace("/", "~1"))


def is_within(place: str, prefix: str) -> bool:
    """Whether a pointer names what another names, or something inside it."""
    return place == prefix or place.startswith(f"{prefix}/")


def walk(value: Value, place: str = "") -> Iterator[tuple[str, Value]]:
    """Every value at or below a place with its pointer, containers before what they hold.

    A stack of its own takes the place of recursion: depth is the document's, not the interpreter's.
    """
    waiting: list[tuple[str, Value]] = [(place, value)]
    while waiting:
        place, value = waiting.pop()
        yield place, value
        if isinstance(value, Object):
            waiting.extend((pointer(place, name), below) for name, below in reversed(value.pairs))
        elif isinstance(value, list):
            waiting.extend((pointer(place, index), value[index]) for index in reversed(range(len(value))))


def integer_order(token: str) -> tuple[bool, int, str | tuple[int, ...]]:
    """A sort key for integer tokens of any length: `int` refuses more than 4300 digits."""
    digits = token.removeprefix("-").lstrip("0")
    if token.startswith("-") and digits:
        return False, -len(digits), tuple(-int(digit) for digit in digits)
    return True, len(digits), digits
