"""Canonical bytes: one writer, and a table of what the three profiles do differently.

All of them write UTF-8 without white space, escape only what JSON obliges them to, and normalise nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kernel.errors import NoForm
from kernel.reader import AUTHORITY, EPISODE, LAW, STRICT, Dialect, read
from kernel.tree import Number, Object, Value

SAFE_INTEGER = 2**53 - 1

SHORT_ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}
ESCAPES = str.maketrans({**{chr(code): f"\\u{code:04x}" for code in range(0x20)}, **SHORT_ESCAPES})


def by_code_point(name: str) -> str:
    """Python compares strings by code point, which is also the order of their UTF-8 bytes."""
    return name


def by_utf16_unit(name: str) -> bytes:
    """RFC 8785 compares UTF-16 units; big-endian bytes compare as those do."""
    return name.encode("utf-16-be", "surrogatepass")


def sovereign_number(number: Number) -> str | None:
    """Integers of any size, and nothing else."""
    return None if number.is_banned else number.token


def rfc8785_number(number: Number) -> str | None:
    """Every number is a double, as ECMAScript prints it."""
    return ecmascript(float(number.token))


def episode_number(number: Number) -> str | None:
    """The same, but an integer beyond 2^53-1 has no form."""
    safe = not number.is_integer or (len(number.token) <= 17 and abs(int(number.token)) <= SAFE_INTEGER)
    return rfc8785_number(number) if safe else None


def authority_number(number: Number) -> str | None:
    """Exact integers, and doubles as Python itself prints them."""
    if number.is_integer:
        return integer(number)
    value = float(number.token)
    return repr(value) if is_finite(value) else None


def integer(number: Number) -> str:
    """An integer token; the sign of zero is not part of the value."""
    return "0" if number.token == "-0" else number.token


def is_finite(value: float) -> bool:
    """Whether a double is a number at all: NaN and the infinities are not."""
    return value - value == 0


def ecmascript(value: float) -> str | None:
    """A double in ECMAScript's layout. `repr` finds the same shortest digits but lays them out in another way."""
    if not is_finite(value):
        return None
    if value == 0:
        return "0"
    mantissa, _, exponent = repr(abs(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    # The power of ten of the first digit.
    power = len(whole) - 1 - (len(whole + fraction) - len(digits)) + int(exponent or 0)
    digits = digits.rstrip("0")
    sign = "-" if value < 0 else ""
    if 0 <= power < 21:
        whole, fraction = digits[: power + 1].ljust(power + 1, "0"), digits[power + 1 :]
        return f"{sign}{whole}.{fraction}" if fraction else f"{sign}{whole}"
    if -7 < power < 0:
        return f"{sign}0.{'0' * (-power - 1)}{digits}"
    mantissa = f"{digits[0]}.{digits[1:]}" if digits[1:] else digits
    return f"{sign}{mantissa}e{power:+d}"


def once(pairs: list[tuple[str, Value]]) -> list[tuple[str, Value]] | None:
    """Members whose names are all different."""
    return pairs if len({name for name, _ in pairs}) == len(pairs) else None


def last_wins(pairs: list[tuple[str, Value]]) -> list[tuple[str, Value]] | None:
    """Members as a Python dictionary keeps them: what an earlier value was is forgotten."""
    return list(dict(pairs).items())


@dataclass(frozen=True)
class Profile:
    """What a profile reads, and where its canonical form differs. A `None` stands for a value without one."""

    dialect: Dialect
    refusal: str
    number: Callable[[Number], str | None]
    order: Callable[[str], Any]
    members: Callable[[list[tuple[str, Value]]], list[tuple[str, Value]] | None]


SOVEREIGN_PROFILE = Profile(LAW, "E_CANONICALIZATION_ERROR", sovereign_number, by_code_point, once)
RFC8785_PROFILE = Profile(STRICT, "A_VALUE", rfc8785_number, by_utf16_unit, once)
EPISODE_PROFILE = Profile(STRICT, "A_VALUE", episode_number, by_utf16_unit, once)
# The same over the documents of packs, which may be deeper.
PACK_PROFILE = Profile(EPISODE, "A_VALUE", episode_number, by_utf16_unit, once)
AUTHORITY_PROFILE = Profile(AUTHORITY, "A_VALUE", authority_number, by_code_point, last_wins)

PROFILES = {
    "rfc8785": RFC8785_PROFILE,
    "episode": EPISODE_PROFILE,
    "sovereign": SOVEREIGN_PROFILE,
    "authority": AUTHORITY_PROFILE,
}


def canonical_document(octets: bytes, profile: Profile) -> bytes:
    """The canonical bytes of a document."""
    return canonical(read(octets, profile.dialect), profile)


def canonical(value: Value, profile: Profile) -> bytes:
    """The canonical bytes of a value."""
    try:
        return "".join(_pieces(value, profile)).encode("utf-8")
    except UnicodeEncodeError as error:
        raise NoForm(profile.refusal, "a lone surrogate") from error


def digest(value: Value, profile: Profile) -> str:
    """The SHA-256 of a value's canonical bytes, in lower-case hexadecimal digits."""
    return hashlib.sha256(canonical(value, profile)).hexdigest()


class _Nothing:
    """The type of _NOTHING."""


_NOTHING = _Nothing()


def _pieces(value: Value, profile: Profile) -> list[str]:
    """The parts of the canonical text, in order. A stack stands in for recursion, which 994 levels would exhaust."""
    pieces: list[str] = []
    # What is still to be written: a text, and the value after it.
    waiting: list[tuple[str, Value | _Nothing]] = [("", value)]
    while waiting:
        before, item = waiting.pop()
        pieces.append(before)
        if isinstance(item, Object):
            pairs = profile.members(item.pairs)
            if pairs is None:
                raise NoForm(profile.refusal, "a repeated name")
            pairs = sorted(pairs, key=lambda pair: profile.order(pair[0]))
            pieces.append("{")
            waiting.append(("}", _NOTHING))
            waiting.extend(reversed([(f"{_comma(i)}{_quoted(name)}:", below) for i, (name, below) in enumerate(pairs)]))
        elif isinstance(item, list):
            pieces.append("[")
            waiting.append(("]", _NOTHING))
            waiting.extend(reversed([(_comma(i), below) for i, below in enumerate(item)]))
        elif not isinstance(item, _Nothing):
            pieces.append(_scalar(item, profile))
    return pieces


def _scalar(value: bool | str | Number | None, profile: Profile) -> str:
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, Number):
        text = profile.number(value)
        if text is None:
            raise NoForm(profile.refusal, f"the number {value.token[:40]}")
        return text
    return "null" if value is None else "true" if value else "false"


def _quoted(text: str) -> str:
    return f'"{text.translate(ESCAPES)}"'


def _comma(index: int) -> str:
    return "," if index else ""
