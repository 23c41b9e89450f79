"""Judges an answer by a case's checks: alternatives, of which one has to hold in full, and what weighs least counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from . import jsontext
from .answers import Answer, Doc, Misfit
from .force import SPEC, Force, Weight

PASS, WRONG_VERDICT, WRONG_CODE, WRONG_OUTPUT = "PASS", "WRONG-VERDICT", "WRONG-CODE", "WRONG-OUTPUT"
BROKEN_PROMISE, FAULT = "BROKEN-PROMISE", "FAULT"

# From the closest miss to the farthest.
_DISTANCE = (WRONG_OUTPUT, WRONG_CODE, WRONG_VERDICT)

_LONGEST = 600


@dataclass(frozen=True)
class Check:
    """One place in the answer, and what has to stand there; `kind` says how the two are compared."""

    pointer: str
    kind: str
    expected: Any
    force: Force = SPEC


@dataclass(frozen=True)
class Miss:
    """A check that does not hold."""

    pointer: str
    expected: str
    actual: str
    force: Force = SPEC

    def __str__(self) -> str:
        shown = f"expected: {_shortened(self.expected)}\n  actual:   {_shortened(self.actual)}"
        return f"at {self.pointer} ({self.force})\n  {shown}"


@dataclass(frozen=True)
class Judgement:
    """The outcome of a case, and the misses of the alternative that weighs least, or why there was no answer.

    What is not a judgement, such as a fault, is against the specification.
    """

    outcome: str
    misses: tuple[Miss, ...] = ()
    note: str = ""

    @property
    def weight(self) -> Weight | None:
        """The weight of the strongest failing check; None for a pass."""
        if self.outcome == PASS:
            return None
        return max((miss.force.weight for miss in self.misses), default=Weight.SPEC)

    @property
    def rulings(self) -> list[str]:
        """The rulings that failing checks rest on."""
        return sorted({miss.force.ruling for miss in self.misses if miss.force.ruling})


def judge(alternatives: list[list[Check]], answer: Answer) -> Judgement:
    """Compares an answer with each alternative and keeps the lightest, and of several the closest."""
    judgements = [_judge_one(checks, answer) for checks in alternatives]
    for judgement in judgements:
        if judgement.outcome == PASS:
            return judgement
    return min(judgements, key=_rank)


def _rank(judgement: Judgement) -> tuple[Any, ...]:
    return judgement.weight, _DISTANCE.index(judgement.outcome), len(judgement.misses)


def _judge_one(checks: list[Check], answer: Answer) -> Judgement:
    misses = []
    for check in checks:
        miss = _miss(check, answer)
        if miss and check.pointer == "/is":
            # What stands beside a wrong verdict says nothing more.
            return Judgement(WRONG_VERDICT, (miss,))
        if miss:
            misses.append(miss)
    if not misses:
        return Judgement(PASS)
    wrong_code = any(miss.pointer == "/codes" for miss in misses)
    return Judgement(WRONG_CODE if wrong_code else WRONG_OUTPUT, tuple(misses))


class _Absent(Exception):
    """Nothing that could be compared stands at the pointer; the message says why."""


def _miss(check: Check, answer: Answer) -> Miss | None:
    """The miss of one check, or None where it holds."""
    expected = _EXPECTED[check.kind](check.expected)
    try:
        actual = _at(check.pointer, answer)
        holds, shown = _COMPARED[check.kind](check.expected, actual)
    except _Absent as absent:
        holds, shown = check.kind in _NOTHING_WILL_DO, str(absent)
    return None if holds else Miss(check.pointer, expected, shown, check.force)


def _at(pointer: str, answer: Answer) -> Any:
    """What stands at a pointer (RFC 6901) into the answer; below a document the pointer goes on inside it."""
    value: Any = {"is": answer.verdict, "codes": sorted(answer.codes), "out": answer.out}
    for step in pointer.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        inside = _parsed(value)
        if isinstance(inside, dict) and name in inside:
            value = inside[name]
        elif isinstance(inside, list) and _is_index(name) and int(name) < len(inside):
            value = inside[int(name)]
        else:
            raise _Absent("nothing stands there")
    return value


def _is_index(name: str) -> bool:
    return name.isascii() and name.isdigit() and (name == "0" or name[0] != "0")


def _parsed(value: Any) -> Any:
    """A document as the value of its text; anything else as it is."""
    if isinstance(value, Misfit):
        raise _Absent(f"an output of another kind: {_shown(value)}")
    return _document(value.text) if isinstance(value, Doc) else value


@lru_cache(maxsize=4)
def _document(text: str) -> Any:
    try:
        return jsontext.loads(text)
    except ValueError as error:
        raise _Absent(f"a document that cannot be read: {error}: {text}") from error


def _same_value(expected: Any, actual: Any) -> tuple[bool, str]:
    actual = _parsed(actual)
    return not isinstance(actual, bytes) and actual == jsontext.loads(expected), _shown(actual)


def _same_codes(expected: Any, actual: Any) -> tuple[bool, str]:
    return isinstance(actual, list) and set(actual) == set(expected), _shown(actual)


def _same_bytes(expected: Any, actual: Any) -> tuple[bool, str]:
    return actual == expected, _shown(actual)


def _same_text(expected: Any, actual: Any) -> tuple[bool, str]:
    return isinstance(actual, Doc) and actual.text == expected, _shown(actual)


def _registered(expected: Any, actual: Any) -> tuple[bool, str]:
    registered = {code for code in actual if not code.startswith("A_") and "/" not in code and code != "ABORT"}
    return registered == set(expected), _shown(actual)


def _is_spelled(_: Any, actual: Any) -> tuple[bool, str]:
    return isinstance(actual, Doc) and jsontext.canonical(_parsed(actual)) == actual.text, _shown(actual)


def _is_object(_: Any, actual: Any) -> tuple[bool, str]:
    actual = _parsed(actual)
    return isinstance(actual, dict), _shown(actual)


def _is_array(_: Any, actual: Any) -> tuple[bool, str]:
    actual = _parsed(actual)
    return isinstance(actual, list), _shown(actual)


def _is_within(expected: Any, actual: Any) -> tuple[bool, str]:
    actual = _parsed(actual)
    if not isinstance(actual, dict):
        # That an object has to stand there is another check's business, as it is with arrays.
        return True, ""
    return actual.keys() <= set(expected), _shown(sorted(actual))


def _is_filled_within(expected: Any, actual: Any) -> tuple[bool, str]:
    actual = _parsed(actual)
    if not isinstance(actual, dict):
        return True, ""
    filled = {name for name, member in actual.items() if not _is_empty(None, member)[0]}
    return filled <= set(expected), _shown(sorted(filled))


def _has_at_most(expected: Any, actual: Any) -> tuple[bool, str]:
    actual = _parsed(actual)
    if not isinstance(actual, list):
        return True, ""
    return len(actual) <= expected, f"{len(actual)} items: {_shown(actual)}"


def _is_empty(_: Any, actual: Any) -> tuple[bool, str]:
    return _parsed(actual) in ([], {}), _shown(actual)


def _is_absent(_: Any, actual: Any) -> tuple[bool, str]:
    return False, _shown(actual)


_COMPARED: dict[str, Callable[[Any, Any], tuple[bool, str]]] = {
    "canonical": _same_value,
    "codes": _same_codes,
    "registered": _registered,
    "base64": _same_bytes,
    "text": _same_text,
    "spelled": _is_spelled,
    "object": _is_object,
    "within": _is_within,
    "filled": _is_filled_within,
    "array": _is_array,
    "most": _has_at_most,
    "absent": _is_absent,
    "empty": _is_empty,
}

# These hold where nothing stands.
_NOTHING_WILL_DO = ("within", "filled", "most", "absent", "empty")

_EXPECTED: dict[str, Callable[[Any], str]] = {
    "canonical": str,
    "codes": lambda codes: jsontext.dumps(sorted(codes)),
    "registered": lambda codes: f"of registered codes {jsontext.dumps(sorted(codes))}",
    "base64": lambda octets: _shown(octets),
    "text": str,
    "spelled": lambda _: "the canonical text of its own value",
    "object": lambda _: "an object",
    "within": lambda names: f"no names but {jsontext.dumps(sorted(names))}",
    "filled": lambda names: f"nothing but {jsontext.dumps(sorted(names))} that holds something",
    "array": lambda _: "an array",
    "most": lambda most: f"no more than {most} items",
    "absent": lambda _: "nothing",
    "empty": lambda _: "nothing that holds something",
}


def _shown(value: Any) -> str:
    """A value for people."""
    if isinstance(value, Doc):
        return value.text
    if isinstance(value, bytes):
        return repr(value)
    if isinstance(value, Misfit):
        value = value.value
    return jsontext.dumps(value) if not isinstance(value, dict) else _shown_object(value)


def _shown_object(members: dict[str, Any]) -> str:
    # The outputs of an answer, among which bytes and documents may be.
    return "{" + ", ".join(f"{jsontext.dumps(name)}: {_shown(value)}" for name, value in members.items()) + "}"


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}... ({len(text)} characters)"
