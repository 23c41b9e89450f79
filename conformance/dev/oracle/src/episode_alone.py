"""A second source for the episode system, continued: a contract and a receipt by themselves, and what the layout of a pack leaves alone.

See `episode_values.py`. What no ruling settles is not asked of it: a key that is not base64 of 32 bytes, and a signature object of
another shape for which there is no key.
"""

import episode
from episode_contract import has_shape
from episode_contract import hashes as hashes_of
from episode_values import H, Rejected, canonical, octets_of, read, verifies

make, faults, public_key, sign = episode.make, episode.faults, episode.public_key, episode.sign
# Whoever asks reads outputs by it.
canonicalize = canonical


def answering(decide):
    """Makes a function answer with what it returns, or with the code it was rejected with."""

    def answer(*arguments):
        try:
            return {"is": "accept", "out": decide(*arguments)}
        except Rejected as why:
            return {"is": "reject", "codes": why.codes}

    answer.__doc__ = decide.__doc__
    return answer


@answering
def hashes(contract):
    """`episode.hashes`: four digests over parts of a contract, of which neither graph nor fingerprint is judged."""
    contract = read(contract)
    if not has_shape(contract):
        raise Rejected("A_SCHEMA")
    return hashes_of(contract)


def signature_of(receipt, receipt_hash, public_key):
    """What is to be said of a receipt's signature. The message is the text of the recomputed hash."""
    if "signature" not in receipt:
        return "absent"
    signature = receipt["signature"]
    if not isinstance(signature, dict):
        return "invalid"
    if public_key is None:
        return "no-key"
    text = signature.get("sig")
    octets = octets_of(text, 64) if signature.get("alg") == "Ed25519" and isinstance(text, str) else None
    key = octets_of(public_key, 32)
    valid = octets is not None and key is not None and verifies(key, receipt_hash.encode("ascii"), octets)
    return "valid" if valid else "invalid"


@answering
def receipt(document, public_key=None):
    """`episode.receipt`: the hash of one receipt, whether the declared one is that, and its signature."""
    given = read(document)
    if not isinstance(given, dict):
        raise Rejected("A_INPUT")
    recomputed = H({name: member for name, member in given.items() if name not in episode.UNHASHED})
    declared = given["receipt_hash"] == recomputed if "receipt_hash" in given else None
    return {
        "receipt_hash": recomputed,
        "declared_matches": declared,
        "signature": signature_of(given, recomputed, public_key),
    }


# A pack in another layout


def view(path, octets):
    """What the receipts of a pack bind of a file that the manifest does not list: its value, a contract's without its free parts.

    Of a text without a canonical form it is the reason why it has none. A contract of another shape fails by its shape, which a
    hint that is a hint does not change.
    """
    try:
        value = read(octets)
    except Rejected as why:
        return why.codes
    if path != "episode_contract.json":
        return H(value)
    shaped = has_shape(value)
    environment = value.get("environment") if isinstance(value, dict) else None
    if isinstance(environment, dict) and isinstance(environment.get("model_version_hint"), str | None):
        environment = {name: part for name, part in environment.items() if name != "model_version_hint"}
        value = {**value, "environment": environment}
    return shaped, H(value)


def same_but_for_layout(before, after):
    """Whether two packs, as bytes by path, differ in nothing but the layout of contract and traces and in the hint of the contract.

    Bytes are bound by the manifest, where it lists a file, and inputs by their hash; the rest by the hash of a canonical form.
    """
    if before.keys() != after.keys():
        return False
    for path in (path for path in before if before[path] != after[path]):
        unlisted = path.encode("utf-8") not in before["pack_manifest.json"]
        if not unlisted or not (path == "episode_contract.json" or path.startswith("recorded_traces/")):
            return False
        if view(path, before[path]) != view(path, after[path]):
            return False
    return True
