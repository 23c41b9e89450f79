"""A second source for the episode system: JSON texts, canonical forms, hashes, times and Ed25519.

Written from RFC 8259, RFC 8785, RFC 8032, RFC 3339 and the rulings; digests are those of `hashlib`. The signatures are for test keys
alone: nothing here takes the same time for every key.
"""

import base64
import binascii
import datetime
import hashlib
import json
import re

SAFE = 2**53 - 1


class Rejected(Exception):
    """A rejection with its codes."""

    def __init__(self, *codes):
        super().__init__(*codes)
        self.codes = sorted(set(codes))


# JSON


def read(octets):
    """The value of a text, or a rejection: A_JSON for what is not text of RFC 8259, A_VALUE for what has no canonical form."""
    unformed = []

    def integer(token):
        # Longer ones are beyond it, and the longest are more than this language reads.
        if len(token) > 17 or abs(int(token)) > SAFE:
            unformed.append(token)
            return 0
        return int(token)

    def constant(token):
        raise ValueError(token)

    def unique(pairs):
        if len({name for name, _ in pairs}) < len(pairs):
            unformed.append("a name comes twice")
        return dict(pairs)

    try:
        text = octets.decode("utf-8")
        if text.startswith("\ufeff"):
            raise ValueError("a byte order mark")
        value = json.loads(text, parse_int=integer, parse_constant=constant, object_pairs_hook=unique)
    except RecursionError:
        raise Rejected("A_LIMIT") from None
    except (ValueError, UnicodeDecodeError):
        raise Rejected("A_JSON") from None
    if unformed or not well_formed(value):
        raise Rejected("A_VALUE")
    return value


def well_formed(value):
    """Whether no number is infinite and no text has half a surrogate pair."""
    if isinstance(value, float):
        return value - value == 0
    if isinstance(value, str):
        return not any("\ud800" <= letter <= "\udfff" for letter in value)
    if isinstance(value, list):
        return all(map(well_formed, value))
    if isinstance(value, dict):
        return all(well_formed(name) and well_formed(member) for name, member in value.items())
    return True


def canonical(value):
    """The bytes of RFC 8785."""
    return form(value).encode("utf-8")


def form(value):
    if value is None:
        return "null"
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, (int, float)):
        return number(float(value))
    if isinstance(value, list):
        return "[" + ",".join(map(form, value)) + "]"
    names = sorted(value, key=lambda name: name.encode("utf-16-be"))
    return "{" + ",".join(f"{form(name)}:{form(value[name])}" for name in names) + "}"


def number(value):
    """As ECMAScript writes a double: the digits are Python's, which are the shortest too."""
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    mantissa, exponent = f"{abs(value)!r}e0".split("e")[:2]
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent) - (len(whole + fraction) - len((whole + fraction).lstrip("0")))
    digits = digits.rstrip("0")
    count = len(digits)
    if count <= point <= 21:
        return sign + digits + "0" * (point - count)
    if 0 < point <= 21:
        return sign + digits[:point] + "." + digits[point:]
    if -6 < point <= 0:
        return sign + "0." + "0" * -point + digits
    power = f"e{point - 1:+d}"
    return sign + digits[0] + ("." + digits[1:] if count > 1 else "") + power


def sha256(octets):
    return hashlib.sha256(octets).hexdigest()


def H(value):
    """The profile's hash of a value."""
    return "sha256:" + sha256(canonical(value))


def is_hash(text):
    return isinstance(text, str) and re.fullmatch("sha256:[0-9a-f]{64}", text) is not None


# Times


def is_rfc_3339(text):
    found = re.fullmatch(
        r"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})(\.[0-9]+)?(Z|[+-]([0-9]{2}):([0-9]{2}))", text, re.ASCII
    )
    if not found:
        return False
    try:
        # Python knows no year 0, which is a leap year as 2000 is.
        datetime.datetime.strptime(re.sub("^0000", "2000", found[1]), "%Y-%m-%dT%H:%M:%S")
    except ValueError:
        return False
    return found[3] == "Z" or (int(found[4]) < 24 and int(found[5]) < 60)


# Base64


def octets_of(text, length):
    """The bytes that a text of strict base64 stands for, or nothing."""
    try:
        octets = base64.b64decode(text, validate=True)
    except (ValueError, binascii.Error):
        return None
    # A text with stray bits is not the one that stands for its bytes.
    return octets if len(octets) == length and base64.b64encode(octets).decode() == text else None


# Ed25519 (RFC 8032, 5.1), on extended coordinates

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)


def add(one, other):
    a = (one[1] - one[0]) * (other[1] - other[0]) % P
    b = (one[1] + one[0]) * (other[1] + other[0]) % P
    c = 2 * one[3] * other[3] * D % P
    d = 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(factor, point):
    product = (0, 1, 1, 0)
    while factor:
        if factor & 1:
            product = add(product, point)
        point = add(point, point)
        factor >>= 1
    return product


def abscissa(y, odd):
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT % P
    if (x * x - square) % P or y >= P or (x == 0 and odd):
        return None
    return P - x if x & 1 != odd else x


BASE_Y = 4 * pow(5, P - 2, P) % P
BASE_X = abscissa(BASE_Y, 0)
BASE = (BASE_X, BASE_Y, 1, BASE_X * BASE_Y % P)


def packed(point):
    inverse = pow(point[2], P - 2, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def unpacked(octets):
    y = int.from_bytes(octets, "little")
    odd, y = y >> 255, y & (1 << 255) - 1
    x = abscissa(y, odd)
    return None if x is None else (x, y, 1, x * y % P)


def scalar(*parts):
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little") % ORDER


def expanded(seed):
    digest = hashlib.sha512(seed).digest()
    secret = int.from_bytes(digest[:32], "little") & (1 << 254) - 8 | 1 << 254
    return secret, digest[32:]


def public_key(seed):
    return packed(times(expanded(seed)[0], BASE))


def sign(seed, message):
    secret, prefix = expanded(seed)
    public = packed(times(secret, BASE))
    r = scalar(prefix, message)
    start = packed(times(r, BASE))
    return start + ((r + scalar(start, public, message) * secret) % ORDER).to_bytes(32, "little")


def of_small_order(point):
    """Whether it is one of the eight points that a strict reader takes for no key and no beginning of a signature."""
    return packed(times(8, point)) == packed((0, 1, 1, 0))


def verifies(public, message, signature):
    """Whether 64 bytes are a key's signature of a message, read strictly."""
    key, start = unpacked(public), unpacked(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if key is None or start is None or s >= ORDER or of_small_order(key) or of_small_order(start):
        return False
    right = add(start, times(scalar(signature[:32], public, message), key))
    return packed(times(s, BASE)) == packed(right)
