"""Shapes of documents: small checks that combine, each naming the places that break it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from kernel.tree import MISSING, Missing, Number, Object, Value, pointer

# A place that breaks a shape, and what is wrong there.
Fault = tuple[str, str]
Shape = Callable[[Value, str], Iterator[Fault]]

DIGEST = re.compile("[a-f0-9]{64}")


def faults(shape: Shape, value: Value) -> list[Fault]:
    """The places that break a shape, each named once, in the order of their pointers."""
    found: dict[str, str] = {}
    for place, message in shape(value, ""):
        found.setdefault(place, message)
    return sorted(found.items())


def text(pattern: str = "", *, nullable: bool = False) -> Shape:
    """A string; with a pattern, one that is matched whole. `$` would also match before a final line feed."""
    compiled = re.compile(pattern or ".*", re.DOTALL)

    def check(value: Value, place: str) -> Iterator[Fault]:
        if isinstance(value, str):
            if not compiled.fullmatch(value):
                yield place, f"a string of the form {pattern}"
        elif value is not None or not nullable:
            yield place, "a string"

    return check


def one_of(*allowed: str | None) -> Shape:
    """One of some strings, or null."""

    def check(value: Value, place: str) -> Iterator[Fault]:
        # A value of another type equals none of them.
        if value not in allowed:
            yield place, f"one of {', '.join(map(str, allowed))}"

    return check


def natural(value: Value, place: str) -> Iterator[Fault]:
    """An integer that is not negative."""
    if not isinstance(value, Number) or not value.is_integer or value.token.startswith("-"):
        yield place, "an integer, at least 0"


def array(item: Shape, *, least: int = 0, unique: bool = False) -> Shape:
    """An array of items of one shape; `unique` is for strings."""

    def check(value: Value, place: str) -> Iterator[Fault]:
        if not isinstance(value, list):
            yield place, "an array"
            return
        if len(value) < least:
            yield place, f"an array of at least {least}"
        strings = [each for each in value if isinstance(each, str)]
        if unique and len(set(strings)) < len(strings):
            yield place, "an array without repeats"
        for index, each in enumerate(value):
            yield from item(each, pointer(place, index))

    return check


def anything(value: Value, place: str) -> Iterator[Fault]:
    """An object, whatever it holds."""
    if not isinstance(value, Object):
        yield place, "an object"


def values(shape: Shape) -> Shape:
    """An object with any names, whose values are of one shape."""

    def check(value: Value, place: str) -> Iterator[Fault]:
        yield from anything(value, place)
        if isinstance(value, Object):
            for name, below in dict(value.pairs).items():
                yield from shape(below, pointer(place, name))

    return check


def closed(
    required: Mapping[str, Shape], optional: Mapping[str, Shape] | None = None, *, nullable: bool = False
) -> Shape:
    """An object with these members and no others."""
    known = {**required, **(optional or {})}

    def check(value: Value, place: str) -> Iterator[Fault]:
        if value is None and nullable:
            return
        yield from anything(value, place)
        if isinstance(value, Object):
            names = value.names()
            yield from ((pointer(place, name), "this member is absent") for name in required if name not in names)
            yield from ((pointer(place, name), "an unknown member") for name in names if name not in known)
            yield from members(known)(value, place)

    return check


def members(shapes: Mapping[str, Shape]) -> Shape:
    """The shapes of some members, where they are there."""

    def check(value: Value, place: str) -> Iterator[Fault]:
        for name, shape in shapes.items():
            below = value.get(name) if isinstance(value, Object) else MISSING
            if not isinstance(below, Missing):
                yield from shape(below, pointer(place, name))

    return check


def cases(name: str, shapes: Mapping[str, Mapping[str, Shape]]) -> Shape:
    """Shapes of members that depend on the value of one member."""

    def check(value: Value, place: str) -> Iterator[Fault]:
        case = value.get(name) if isinstance(value, Object) else MISSING
        if isinstance(case, str) and case in shapes:
            yield from members(shapes[case])(value, place)

    return check


def both(*shapes: Shape) -> Shape:
    """All of some shapes."""

    def check(value: Value, place: str) -> Iterator[Fault]:
        for shape in shapes:
            yield from shape(value, place)

    return check


def is_digest(value: object) -> bool:
    """Whether a value is spelled as a digest: 64 lower-case hexadecimal digits."""
    return isinstance(value, str) and DIGEST.fullmatch(value) is not None
