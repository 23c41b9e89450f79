"""Libraries for RFC 8785 in Python as testees: `python3 canon.py LIBRARY`, beside a copy of `atp.py`.

Both write a value that `json` has read, so that input is value: what is JSON, and what becomes of a repeated name, is the
parser's matter. A lone surrogate and an overflow (as infinity) come through it.
"""

import hashlib
import importlib
import importlib.metadata
import json
import sys

from atp import accept, base64_text, reject, serve

# The function that writes, and what its makers say of its domain.
LIBRARIES = {
    "rfc8785": ("dumps", {"max_integer": "9007199254740991"}),
    "jcs": ("canonicalize", {}),
}
library = sys.argv[1]
function, more = LIBRARIES[library]
write = getattr(importlib.import_module(library), function)


def answer(request):
    """The canonical bytes, or who refuses: the parser or the library."""
    try:
        value = json.loads(request.docs["doc"])
    except RecursionError:
        return reject("A_LIMIT")
    except ValueError:
        return reject("A_JSON")
    try:
        octets = write(value)
    except RecursionError:
        return reject("A_LIMIT")
    except (ValueError, OverflowError):
        # What the codecs and float() raise for a lone surrogate in a name and an integer beyond the doubles.
        return reject("A_VALUE")
    return accept(bytes=base64_text(octets), sha256=hashlib.sha256(octets).hexdigest())


# Otherwise the parser refuses long integers, which are overflows too, before the library sees them.
sys.set_int_max_str_digits(0)
capabilities = {"input": "value", "values": ["lone-surrogate", "overflow"], **more}
serve(
    library,
    importlib.metadata.version(library),
    {"canon.bytes": {"profile": ["rfc8785"]}},
    answer,
    in_flight=8,
    shim={"name": "assize-canon-python", "version": "1"},
    capabilities=capabilities,
)
