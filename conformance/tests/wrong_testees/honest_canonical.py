"""An honest canonicalizer for the four profiles: what the wrong ones are measured against, and made from.

A profile is a line of settings and small functions (`Rules`), so that a wrong variant differs from it in one of them.
"""

import hashlib
import sys
from dataclasses import dataclass
from typing import Any, Callable, Tuple

from strict_json import Members, NotJson, Number, TooDeep, read

from atp import accept, base64_text, reject, serve

SAFE_INTEGER = 2**53 - 1
SHORT_ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}
ESCAPES = {**{chr(code): f"\\u{code:04x}" for code in range(32)}, **SHORT_ESCAPES}
TABLE = str.maketrans(ESCAPES)

# Room for the deepest profile; the reader and the writer take a few frames for a level.
FRAMES = 20_000


class NoForm(Exception):
    """The value has no canonical form in its profile."""


def quote(text):
    """A string or name: only what must be is escaped, and nothing is normalised."""
    return f'"{text.translate(TABLE)}"'


def by_code_point(name):
    """Sort key: Unicode code points."""
    return name


def by_utf16(name):
    """Sort key: UTF-16 units, big-endian so that bytes compare as units do."""
    return name.encode("utf-16-be", "surrogatepass")


def refuse_repeats(pairs):
    """Members without repeated names."""
    if len({name for name, _ in pairs}) < len(pairs):
        raise NoForm("a repeated name")
    return pairs


def last_wins(pairs):
    """Members as a Python dictionary keeps them: what an earlier value was is forgotten."""
    return list(dict(pairs).items())


def shortest_digits(value):
    """Sign, shortest digits that read back to a double, and the decimal exponent of the first of them."""
    mantissa, _, exponent = repr(abs(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    significant = (whole + fraction).lstrip("0")
    zeros = len(whole + fraction) - len(significant)
    point = len(whole) - zeros + int(exponent or 0)
    return "-" if value < 0 else "", significant.rstrip("0"), point - 1


def ecmascript(value):
    """A finite double as ECMAScript prints it (RFC 8785, section 3.2.2.3)."""
    if value == 0:
        return "0"
    sign, digits, power = shortest_digits(value)
    if 0 <= power < 21:
        whole, fraction = digits[: power + 1].ljust(power + 1, "0"), digits[power + 1 :]
        return sign + whole + ("." + fraction if fraction else "")
    if -7 < power < 0:
        return sign + "0." + "0" * (-power - 1) + digits
    return sign + digits[0] + ("." + digits[1:] if digits[1:] else "") + f"e{'-' if power < 0 else '+'}{abs(power)}"


def finite(number):
    """The double that a token stands for."""
    value = float(number.token)
    if value - value != 0:
        raise NoForm("beyond the range of doubles")
    return value


def sovereign_number(number):
    """Integers alone, of any size, and no negative zero."""
    if number.is_float or number.token == "-0":
        raise NoForm(f"{number.token} is not an integer")
    return number.token


def rfc8785_number(number):
    """Every number is a double."""
    return ecmascript(finite(number))


def episode_number(number):
    """The same, but an integer that a double cannot be trusted with is refused."""
    if not number.is_float and (len(number.token) > 17 or abs(int(number.token)) > SAFE_INTEGER):
        raise NoForm("an unsafe integer")
    return rfc8785_number(number)


def authority_number(number):
    """Exact integers, and floats as Python prints them."""
    if not number.is_float:
        return "0" if number.token == "-0" else number.token
    return repr(finite(number))


@dataclass(frozen=True)
class Rules:
    """Everything in which profiles, and wrong variants of them, differ."""

    profile: str
    refusal: str
    depth: int
    constants: bool
    number: Callable[[Number], str]
    order: Callable[[str], Any] = by_code_point
    members: Callable[[list], list] = refuse_repeats
    quote: Callable[[str], str] = quote
    before: Callable[[bytes], bytes] = bytes
    after: Callable[[bytes], bytes] = bytes
    errors: str = "strict"
    separators: Tuple[str, str] = (",", ":")

    def canonical(self, octets):
        """The canonical bytes of a document."""
        value = read(self.before(octets), self.depth, self.constants)
        try:
            return self.after(self.text(value).encode("utf-8", self.errors))
        except UnicodeEncodeError as error:
            raise NoForm("a lone surrogate") from error

    def text(self, value):
        """The canonical text of a value."""
        comma, colon = self.separators
        if isinstance(value, Number):
            return self.number(value)
        if isinstance(value, str):
            return self.quote(value)
        if isinstance(value, Members):
            pairs = sorted(self.members(value.pairs), key=lambda pair: self.order(pair[0]))
            return "{" + comma.join(self.quote(name) + colon + self.text(member) for name, member in pairs) + "}"
        if isinstance(value, list):
            return "[" + comma.join(map(self.text, value)) + "]"
        return {True: "true", False: "false", None: "null"}[value]

    def answer(self, request):
        """Answers `canon.bytes`."""
        try:
            octets = self.canonical(request.docs["doc"])
        except NotJson:
            return reject("A_JSON")
        except TooDeep:
            return reject("A_LIMIT")
        except NoForm:
            return reject(self.refusal)
        return accept(bytes=base64_text(octets), sha256=hashlib.sha256(octets).hexdigest())


SOVEREIGN = Rules("sovereign", "E_CANONICALIZATION_ERROR", 256, True, sovereign_number)
RFC8785 = Rules("rfc8785", "A_VALUE", 1000, False, rfc8785_number, order=by_utf16)
EPISODE = Rules("episode", "A_VALUE", 256, False, episode_number, order=by_utf16)
AUTHORITY = Rules("authority", "A_VALUE", 994, True, authority_number, members=last_wins)
PROFILES = {rules.profile: rules for rules in (RFC8785, EPISODE, SOVEREIGN, AUTHORITY)}


def answer_any(request):
    """Answers `canon.bytes` in whatever profile is asked."""
    return PROFILES[request.args["profile"]].answer(request)


def serve_canonical(name, profiles, answer):
    """Serves `canon.bytes`. The recursion limit is raised here: other testees of the bank need the interpreter's own limit."""
    sys.setrecursionlimit(FRAMES)
    serve(name, "1", {"canon.bytes": {"profile": profiles}}, answer)
