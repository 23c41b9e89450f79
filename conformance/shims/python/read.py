"""Readers of JSON in Python as testees: `python3 read.py MODULE.FUNCTION VERSION`, beside a copy of `atp.py`.

They read the bytes themselves, so that input is text. What a reader has read is written here, by RFC 8785; text that is not
UTF-8 as it came, since it was not refused.
"""

import hashlib
import importlib
import importlib.metadata
import math
import platform
import re
import sys
from decimal import Decimal

from atp import accept, base64_text, reject, serve

SHORT = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def canonical(value):
    """A value of Python as RFC 8785 has it."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
        return "{" + ",".join([f"{quoted(name)}:{canonical(value[name])}" for name in names]) + "}"
    if isinstance(value, list):
        return "[" + ",".join([canonical(element) for element in value]) + "]"
    if isinstance(value, str):
        return quoted(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return number(value)


def quoted(text):
    """A string in the shortest spelling."""
    return '"' + re.sub(r'["\\\x00-\x1f]', lambda one: SHORT.get(one[0]) or f"\\u{ord(one[0]):04x}", text) + '"'


def number(value):
    """ECMAScript's spelling. Python's own has the same digits: the fewest that tell the double."""
    try:
        double = float(value)
    except OverflowError:
        double = float("inf") if value > 0 else float("-inf")
    if double == 0:
        return "0"
    if not math.isfinite(double):
        # No text of JSON has it. It goes out as it came, since it was not refused.
        return str(double)
    _, figures, exponent = Decimal(repr(abs(double))).normalize().as_tuple()
    digits, count = "".join(map(str, figures)), len(figures)
    point = count + exponent
    if count <= point <= 21:
        text = digits.ljust(point, "0")
    elif 0 < point <= 21:
        text = f"{digits[:point]}.{digits[point:]}"
    elif -6 < point <= 0:
        text = f"0.{'0' * -point}{digits}"
    else:
        text = f"{digits[0]}{'.' * (count > 1)}{digits[1:]}e{point - 1:+d}"
    return "-" * (double < 0) + text


name, version = sys.argv[1:]
module, function = name.split(".")
read = getattr(importlib.import_module(module), function)
package = {"rapidjson": "python-rapidjson"}.get(module, module)
installed = platform.python_version() if module == "json" else importlib.metadata.version(package)
if not f"{installed}.".startswith(f"{version}."):
    sys.exit(f"{name} is {installed}, not {version}")
STACK = sys.getrecursionlimit()
# What each has by default; where it is the interpreter's stack, the session stands on it too.
depth = {"orjson": 1024, "ujson": 1024}.get(module, STACK - 50)


def answer(request):
    """The canonical bytes, unless the reader refuses."""
    try:
        value = read(request.docs["doc"])
    except RecursionError:
        return reject("A_LIMIT")
    except ValueError as error:
        return reject("A_LIMIT" if "depth limit" in str(error) else "A_JSON")
    # What was read is written, however deep: a refusal here would pass for the reader's.
    sys.setrecursionlimit(10 * STACK)
    octets = canonical(value).encode("utf-8", "surrogatepass")
    sys.setrecursionlimit(STACK)
    return accept(bytes=base64_text(octets), sha256=hashlib.sha256(octets).hexdigest())


serve(
    name,
    installed,
    {"canon.bytes": {"profile": ["rfc8785"]}},
    answer,
    in_flight=8,
    shim={"name": "assize-read-python", "version": "2"},
    capabilities={"max_depth": depth},
)
