"""Values and answers of the authority system's second source: canonical bytes, digests, reading, and what a rejection is."""

import functools
import hashlib
import json


class Rejected(Exception):
    """A rejection with its one code."""


def canonicalize(value):
    """The canonical bytes. Raises ValueError for NaN, an infinity or a lone surrogate."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8")


def H(value):
    """The SHA-256 of a value's canonical bytes, in hex."""
    return hashlib.sha256(canonicalize(value)).hexdigest()


def has_canonical_form(value):
    try:
        canonicalize(value)
    except ValueError:
        return False
    return True


def same(one, other):
    """Equality of values by their canonical bytes: for Python itself 1, 1.0 and True are equal."""
    return canonicalize(one) == canonicalize(other)


def read(document):
    """The value of a JSON text in Python's dialect."""
    try:
        text = document.decode("utf-8") if isinstance(document, bytes) else document
        return json.loads(text)
    except (json.JSONDecodeError, UnicodeDecodeError):
        raise Rejected("A_JSON") from None
    except (ValueError, RecursionError):
        raise Rejected("A_LIMIT") from None


def closed(value, members):
    """Whether a value is an object with exactly these members."""
    return isinstance(value, dict) and set(value) == set(members)


def is_integer(value):
    """True and false are integers to Python, but not here."""
    return type(value) is int


def answering(decide):
    """Makes a function answer with the values it returns, or with the code it was rejected with."""

    @functools.wraps(decide)
    def answer(*arguments):
        try:
            return {"is": "accept", "out": decide(*arguments)}
        except Rejected as rejected:
            return {"is": "reject", "codes": [str(rejected)]}

    return answer
