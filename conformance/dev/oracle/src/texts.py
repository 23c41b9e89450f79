"""Canonical forms of very many short texts, and the spellings of very many doubles, each in one call.

A text is read once, with every number by its token and every object by its pairs; the rules of the profiles stand on that: what each
refuses, and how it writes what is left. `sovereign` is the sealed module's own function, `authority` Python's own `json.dumps`; the two
forms of RFC 8785 have a writer here, whose digits are those of Python's `repr`.
"""

import json
import struct

ABSENT = "unreadable"
SAFE = 2**53 - 1


class Integer(str):
    """An integer by its token."""


class Real(str):
    """A number with a fraction or an exponent, by its token."""


class Constant(str):
    """NaN or an infinity."""


class Members(list):
    """An object as the pairs that stand in the text."""


SPACE = " \t\n\r"
# What `json.loads` asks for a value, without the exception that it makes of each refusal: most of very many texts are refused.
SCAN = json.JSONDecoder(
    object_pairs_hook=Members, parse_int=Integer, parse_float=Real, parse_constant=Constant
).scan_once


def is_overflow(token):
    return float(token) in (float("inf"), float("-inf"))


def faults(value):
    """What a profile may refuse, in the order of the text."""
    if isinstance(value, Constant):
        yield "constant"
    elif isinstance(value, Real):
        yield "overflow" if is_overflow(value) else "float"
    elif isinstance(value, Integer):
        if value == "-0":
            yield "negative zero"
        if len(value) > 15 and abs(int(value)) > SAFE:
            yield "unsafe integer"
            if is_overflow(value):
                yield "huge integer"
    elif isinstance(value, str):
        if any("\ud800" <= letter <= "\udfff" for letter in value):
            yield "lone surrogate"
    elif isinstance(value, Members):
        seen = set()
        for name, member in value:
            if name in seen:
                yield "repeated name"
            seen.add(name)
            yield from faults(name)
            yield from faults(member)
    elif isinstance(value, list):
        for member in value:
            yield from faults(member)


# What each profile calls what it refuses; what is not listed it takes.
RFC8785 = {
    "overflow": "non-finite",
    "huge integer": "non-finite",
    "lone surrogate": "lone surrogate",
    "repeated name": "repeated name",
}
EPISODE = {
    "overflow": "non-finite",
    "unsafe integer": "unsafe integer",
    "lone surrogate": "lone surrogate",
    "repeated name": "repeated name",
}
SOVEREIGN = {
    "constant": "non-finite",
    "float": "float",
    "overflow": "float",
    "negative zero": "negative zero",
    "lone surrogate": "lone surrogate",
    "repeated name": "repeated name",
}


def refusal(found, refused):
    """The first reason in the text; a lone surrogate only where there is no other."""
    reasons = [refused[fault] for fault in found if fault in refused]
    others = [reason for reason in reasons if reason != "lone surrogate"]
    return next(iter(others or reasons), None)


# The writer of RFC 8785


def digits_of(number):
    """The shortest digits of a positive double, and the place of the decimal point after the first of them."""
    mantissa, _, exponent = repr(number).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits, point = whole + fraction, len(whole) + int(exponent or 0)
    kept = digits.lstrip("0")
    return kept.rstrip("0"), point - (len(digits) - len(kept))


def ecmascript(number):
    """Number::toString of ECMA-262, by its steps."""
    if number == 0:
        return "0"
    if number < 0:
        return "-" + ecmascript(-number)
    s, n = digits_of(number)
    k = len(s)
    if k <= n <= 21:
        return s + "0" * (n - k)
    if 0 < n <= 21:
        return s[:n] + "." + s[n:]
    if -6 < n <= 0:
        return "0." + "0" * -n + s
    exponent = f"e{n - 1:+d}"
    return s + exponent if k == 1 else s[0] + "." + s[1:] + exponent


ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def quoted(text):
    letters = (ESCAPES.get(letter) or (f"\\u{ord(letter):04x}" if letter < " " else letter) for letter in text)
    return '"' + "".join(letters) + '"'


def written(value):
    if isinstance(value, (Integer, Real)):
        return ecmascript(float(value))
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, Members):
        members = sorted(value, key=lambda member: member[0].encode("utf-16-be"))
        return "{" + ",".join(f"{quoted(name)}:{written(member)}" for name, member in members) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(written, value)) + "]"
    return {None: "null", True: "true", False: "false"}[value]


def form(value, found, refused):
    reason = refusal(found, refused)
    return (reason, None) if reason else (None, written(value).encode("utf-8"))


# Python's own writers


ABORTS = {"ValueError": "non-finite", "UnicodeEncodeError": "lone surrogate"}


def by_python(asked):
    """An answer of the glue: what it raised, or bytes."""
    abort, _, octets = asked
    return (ABORTS[abort], None) if abort else (None, octets)


def forms_of(oracle, text, value):
    """(reason of a refusal, bytes) of rfc8785, episode, sovereign and authority."""
    found = list(faults(value))
    if "constant" in found:
        rfc8785 = episode = (ABSENT, None)
    else:
        rfc8785, episode = form(value, found, RFC8785), form(value, found, EPISODE)
    reason = refusal(found, SOVEREIGN)
    sovereign = (reason, None) if reason else by_python(oracle.canonical_sovereign(text, False))
    return rfc8785, episode, sovereign, by_python(oracle.canonical_authority(text, False))


def forms(oracle, texts):
    """Of each text that Python's reader takes, its place and its forms; of all others nothing."""
    found = []
    for place, text in enumerate(texts):
        try:
            letters = text.decode("utf-8")
            value, end = SCAN(letters, len(letters) - len(letters.lstrip(SPACE)))
        except (StopIteration, ValueError):
            continue
        if not letters[end:].strip(SPACE):
            found.append((place, forms_of(oracle, text, value)))
    return found


def spellings(octets):
    """Python's `repr` of doubles that stand one after the other in their bits, big-endian."""
    return list(map(repr, struct.unpack(f">{len(octets) // 8}d", octets)))
