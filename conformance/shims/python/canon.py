"""Libraries that write canonical JSON in Python as testees: `python3 canon.py LIBRARY VERSION`, beside a copy of `atp.py`.

One that writes a value gets what `json` has read, so that its input is value: what is JSON, and what becomes of a repeated
name, is the parser's matter. A lone surrogate and an overflow (as infinity) come through it. One that reads and writes JSON is asked for
the authority form, with what its own options can say of it: compact, sorted, in UTF-8.
"""

import hashlib
import importlib
import json
import platform
import sys
from typing import Any, Callable, Dict, NamedTuple, Tuple

from atp import accept, base64_text, reject, serve


class Library(NamedTuple):
    """How a library is called: its module, what it makes of a value (of the document's bytes, if it reads), and its domain."""

    module: str
    write: Callable[[Any, Any], Any]
    more: Dict[str, Any] = {}
    reads: bool = False
    refuses: Tuple[str, ...] = ()  # what it raises on purpose beside ValueError and OverflowError
    profiles: Tuple[str, ...] = ("rfc8785",)


COMPACT = {"sort_keys": True, "separators": (",", ":"), "ensure_ascii": False, "allow_nan": False}


def unique(pairs):
    """What json makes of an object, where no name comes twice."""
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a name comes twice")
    return members


def without_floats(token):
    """What json makes of a number that the sovereign form does not have."""
    raise ValueError(f"{token} is a float")


def without_minus_zero(token):
    """What json makes of an integer of the sovereign form."""
    return int(token) if token != "-0" else without_floats(token)


def both(module, write, *refuses, profile="authority"):
    """One that reads and writes JSON; it is handed text, since with bytes some guess an encoding."""
    return Library(module, lambda it, octets: write(it, octets.decode("utf-8")), {}, True, refuses, (profile,))


HOOKS = {
    "parse_float": without_floats,
    "parse_int": without_minus_zero,
    "parse_constant": without_floats,
    "object_pairs_hook": unique,
}
LIBRARIES = {
    "rfc8785": Library("rfc8785", lambda it, value: it.dumps(value), {"max_integer": "9007199254740991"}),
    "jcs": Library("jcs", lambda it, value: it.canonicalize(value)),
    "json-canonical": Library("json_canonical", lambda it, value: it.canonicalize(value)),
    "jsoncanon": Library("jsoncanon", lambda it, value: it.canonicalize(value)),
    "tallipoika": Library("tallipoika.api", lambda it, value: it.canonicalize(value)),
    "jcs-admit": Library("jcs_admit", lambda it, octets: it.admit(octets), {"max_depth": 128}, reads=True),
    "canonicaljson": Library("canonicaljson", lambda it, value: it.encode_canonical_json(value), profiles=("rfc8785", "authority")),
    "canonicaljson-rs": Library("canonicaljson", lambda it, value: it.dumps(value), refuses=("builtins.TypeError",)),
    "jsonical3": Library("jsonical3", lambda it, value: it.dumps(value)),
    "securesystemslib": Library(
        "securesystemslib.formats", lambda it, value: it.encode_canonical(value), refuses=("securesystemslib.exceptions.FormatError",)
    ),
    "simplejson": both("simplejson", lambda it, text: it.dumps(it.loads(text), **COMPACT)),
    "orjson": both("orjson", lambda it, text: it.dumps(it.loads(text), option=it.OPT_SORT_KEYS), "orjson.JSONEncodeError"),
    "ujson": both("ujson", lambda it, text: it.dumps(it.loads(text), escape_forward_slashes=False, **COMPACT)),
    "msgspec": both("msgspec.json", lambda it, text: it.encode(it.decode(text), order="sorted"), "msgspec.MsgspecError"),
    "python-rapidjson": both(
        "rapidjson", lambda it, text: it.dumps(it.loads(text), sort_keys=True, ensure_ascii=False, allow_nan=False)
    ),
    "json": both("json", lambda it, text: it.dumps(it.loads(text), **COMPACT)),
    "json with hooks": both("json", lambda it, text: it.dumps(it.loads(text, **HOOKS), **COMPACT), profile="sovereign"),
}


def named(path):
    """The exception class of that name."""
    module, _, name = path.rpartition(".")
    return getattr(importlib.import_module(module), name)


def answer(request):
    """The canonical bytes, or who refuses: the parser or the library."""
    try:
        value = request.docs["doc"] if library.reads else json.loads(request.docs["doc"])
    except RecursionError:
        return reject("A_LIMIT")
    except ValueError:
        return reject("A_JSON")
    try:
        written = library.write(module, value)
    except RecursionError:
        return reject("A_LIMIT")
    except REFUSES as error:
        return reject(told(error))
    try:
        octets = written if isinstance(written, bytes) else written.encode("utf-8")
    except UnicodeEncodeError:
        # A text with half a pair has no bytes: whoever calls the library gets the same exception.
        return reject(REFUSED)
    return accept(bytes=base64_text(octets), sha256=hashlib.sha256(octets).hexdigest())


def told(error):
    """Who refused, where one call reads and writes: what the error says is not JSON, or has no canonical form."""
    return "A_JSON" if "Decode" in type(error).__name__ or getattr(error, "variant", "") == "Syntax" else REFUSED


name, version = sys.argv[1:]
library = LIBRARIES[name]
module = importlib.import_module(library.module)
REFUSED = "E_CANONICALIZATION_ERROR" if "sovereign" in library.profiles else "A_VALUE"
# What float() raises for an integer beyond the doubles, and codecs inside a library for a lone surrogate, is among them.
REFUSES = (ValueError, OverflowError, *map(named, library.refuses))
# Otherwise the parser refuses long integers, which are overflows too, before the library sees them.
sys.set_int_max_str_digits(0)
values = {} if library.reads else {"input": "value", "values": ["lone-surrogate", "overflow"]}
if not library.reads and "authority" in library.profiles:
    # This parser keeps integers apart from floats; the integer -0 is 0 to it.
    values["values"].append("float-kind")
serve(
    name,
    f"{version} ({platform.python_implementation()} {platform.python_version()})",
    {"canon.bytes": {"profile": list(library.profiles)}},
    answer,
    in_flight=8,
    shim={"name": "assize-canon-python", "version": "2"},
    capabilities={**values, **library.more},
)
