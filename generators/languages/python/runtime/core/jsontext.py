"""JSON with number tokens kept; repeated names, constants and lone surrogates are refused, which `json` lets pass."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, NoReturn

MAX_DEPTH = 128

_STRINGS_AND_BRACKETS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{}]', re.DOTALL)
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


@dataclass(frozen=True, slots=True)
class Number:
    """A number by its spelling: equal tokens, equal numbers; `1.0` is not `1`, and neither is `True`."""

    token: str


def loads(text: str) -> Any:
    """A JSON text as dictionaries, lists, strings, `Number`s, booleans and None; ValueError if it is none."""
    if _depth(text) > MAX_DEPTH:
        raise ValueError(f"it nests deeper than {MAX_DEPTH} levels")
    value = json.loads(
        text, parse_int=Number, parse_float=Number, parse_constant=_refuse_constant, object_pairs_hook=_members
    )
    if _SURROGATE.search(text):
        # One without its other half is still there, and cannot be written.
        dumps(value)
    return value


def dumps(value: Any) -> str:
    """The JSON text of a value, tokens as they stand. TypeError or ValueError if there is none.

    `json.dumps` would write `True` as the name `"true"`, and NaN as NaN.
    """
    if isinstance(value, Number):
        return value.token
    if isinstance(value, dict):
        if not all(isinstance(name, str) for name in value):
            raise TypeError("a name in an object is not a string")
        return "{" + ",".join(f"{dumps(name)}:{dumps(below)}" for name, below in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(dumps, value)) + "]"
    if isinstance(value, str):
        # A lone surrogate has no UTF-8 form, so nobody could be sent it.
        value.encode("utf-8")
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def canonical(value: Any) -> str:
    """The one text of a value read by `loads`: names in order of their code points, tokens as they stand."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{dumps(name)}:{canonical(value[name])}" for name in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    return dumps(value)


def plain(value: Any) -> Any:
    """A value read by `loads` with Python's own numbers in place of tokens."""
    if isinstance(value, Number):
        return json.loads(value.token)
    if isinstance(value, dict):
        return {name: plain(below) for name, below in value.items()}
    if isinstance(value, list):
        return [plain(below) for below in value]
    return value


def _depth(text: str) -> int:
    """The most containers that are open at once: `json` recurses, so this is known before it starts."""
    deepest = level = 0
    for found in _STRINGS_AND_BRACKETS.finditer(text):
        letter = found.group()
        if letter in "[{":
            level += 1
            deepest = max(deepest, level)
        elif letter in "]}":
            level -= 1
    return deepest


def _refuse_constant(token: str) -> NoReturn:
    raise ValueError(f"{token} is not JSON")


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("a name is repeated in one object")
    return members
