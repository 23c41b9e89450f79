"""assay-ai as a testee: its replay verifier of proof packs, and its writer of RFC 8785. Beside a copy of `atp.py`.

The verifier is asked as its command asks it, with a store that holds no key: a pack brings its own. It names no laws and does
not say what an episode claims of its steps. The writer gets what `json` has read, as the package itself reads.
"""

import hashlib
import json
import sys
from pathlib import Path

from assay._receipts.jcs import canonicalize
from assay.keystore import AssayKeyStore
from assay.rce_verify import verify_rce_pack
from atp import accept, base64_text, reject, serve

# Otherwise its result names the time of day, and no two answers are the same.
ISSUED = "2026-01-01T00:00:00+00:00"
COPIED = (
    "verdict",
    "receipt_integrity",
    "claim_check",
    "steps_replayed",
    "steps_matched",
    "steps_diverged",
    "divergent_step_ids",
)


def answer(request):
    """The verdict on a pack, or the bytes of a value."""
    if request.op == "episode.verify":
        return verified(Path(request.root))
    try:
        octets = canonicalize(json.loads(request.docs["doc"].decode("utf-8")))
    except RecursionError:
        return reject("A_LIMIT")
    except (ValueError, OverflowError) as error:
        return reject("A_JSON" if "Decode" in type(error).__name__ else "A_VALUE")
    return accept(bytes=base64_text(octets), sha256=hashlib.sha256(octets).hexdigest())


def verified(pack):
    """Its answer as the operation spells it."""
    receipt, details, code = verify_rce_pack(pack, keystore=AssayKeyStore(Path("no-keys")), issued_at=ISSUED)
    out = {name: receipt[name] for name in COPIED}
    result = json.dumps(receipt)
    return accept(**out, episode_claim=None, exit_code=code, phase=details["phase"], replay_result=result)


sys.set_int_max_str_digits(0)
serve(
    sys.argv[1],
    sys.argv[2],
    {"episode.verify": {}, "canon.bytes": {"profile": ["rfc8785"]}},
    answer,
    shim={"name": "assize-assay", "version": "1"},
    capabilities={"input": "value", "values": ["lone-surrogate", "overflow"], "outputs": {"episode.verify": []}},
)
