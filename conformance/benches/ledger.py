"""Verification of a ledger: `assize ledger verify`, the same check written plainly in Python, and the floor.

The floor reads the same bytes once and hashes them with SHA-256 of the `sha2` crate: no verifier of a ledger can be faster.
Ledgers have 1,000,000 records with payloads of about 100 bytes, or 100,000 with payloads of about 2 KB, as JSON Lines; the first also as
one array. Lines alternate between the spelling of `json.dumps` and a compact one, with members sorted and not.
"""

import hashlib
import json
import os
import random
import sys

from processes import Figure, Row, Way, on

WORDS = "tea kettle steep minutes leaf cup pour timer wake quiet north harbour ledger seed policy Übergröße naïve 日本語 ☕".split()


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode("utf-8")


def digest(value):
    return hashlib.sha256(canonical(value)).hexdigest()


def text(rng, length):
    """Words up to a length; one text in eight has something to escape."""
    words = " ".join(rng.choice(WORDS) for _ in range(length // 6))
    return f'{words}\n"{words[:4]}"\t\\' if rng.random() < 0.125 else words


def small(rng):
    """A payload of about 100 bytes."""
    shape = rng.randrange(4)
    if shape == 0:
        return {"note": text(rng, 60), "step": rng.randrange(10**6), "ok": rng.random() < 0.5}
    if shape == 1:
        return {"name": text(rng, 18), "cost": rng.random() * 10 ** rng.randrange(-8, 20), "at": {"y": rng.randrange(999), "x": 2**70 + rng.randrange(99), "": None}}
    if shape == 2:
        return {"a": [rng.randrange(-99, 10**9), round(rng.random(), 3), True], "b": {"k": text(rng, 24), "m": [1.0, 1e16, -0.0]}, "c": None}
    return [text(rng, 40), rng.randrange(10**12), {"unit": "s", "min": rng.random(), "max": 1.5}, []]


def large(rng):
    """A payload of about 2 KB."""
    return {"items": [small(rng) for _ in range(14)], "body": text(rng, 500), "area": {"z": 1, "é": 2, "A": [{}, []]}}


def records(count, payload, seed=1):
    rng, parent = random.Random(seed), None
    for number in range(count):
        value = payload(rng)
        record = {"v": 1, "ts": f"T0#{number:07}", "kind": rng.choice(("note", "proposal", "commit")), "parent": parent}
        payload_hash = digest(value)
        parent = digest({**record, "payload_hash": payload_hash})
        yield {**record, "payload": value, "payload_hash": payload_hash, "record_hash": parent}


def make(folder, count, payload):
    """Writes a ledger as JSON Lines, and next to it the same lines as one array."""
    place = lambda name: open(os.path.join(folder, name), "w", encoding="utf-8", newline="\n")
    with place("ledger.jsonl") as lines, place("ledger.json") as array:
        for number, record in enumerate(records(count, payload)):
            plain = number % 2 == 0
            line = json.dumps(record) if plain else json.dumps(record, separators=(",", ":"), ensure_ascii=False, sort_keys=number % 4 == 1)
            lines.write(line + "\n")
            array.write(("[" if number == 0 else ",\n") + line)
        array.write("]\n")


def check(ledger):
    """The kernel's chain check as anybody would write it."""
    last = None
    for record in ledger:
        if len(record) != 7 or digest(record["payload"]) != record["payload_hash"] or record["parent"] != last:
            return False
        if digest({name: record[name] for name in ("v", "ts", "kind", "parent", "payload_hash")}) != record["record_hash"]:
            return False
        last = record["record_hash"]
    return True


def check_file(path):
    """Exits with the answer; JSON Lines are read line by line."""
    with open(path, encoding="utf-8") as f:
        valid = check(map(json.loads, f) if path.endswith(".jsonl") else json.load(f))
    sys.exit(0 if valid else 1)


def ways(sitting, count, payload, name):
    folder = sitting.folder(f"ledger-{payload.__name__}-{count}", lambda here: make(here, count, payload))
    path = os.path.join(folder, name)
    return {
        "python": Way([sys.executable, os.path.abspath(__file__), path]),
        "assize": Way([sitting.assize, "ledger", "verify", path, "--quiet"]),
        "floor": sitting.reading(f"{payload.__name__}-{name}", [path]),
    }


def rows(sitting):
    records = sitting.scaled(1_000_000)
    for title, count, payload, name in (
        ("100 bytes", records, small, "ledger.jsonl"),
        ("100 bytes, one array", records, small, "ledger.json"),
        ("2 KB", records // 10, large, "ledger.jsonl"),
    ):
        for processors, where in sitting.processors.items():
            pinned = lambda: on(processors, ways(sitting, count, payload, name))
            aim = 3 if processors == "0" else None
            yield Row(f"ledger of {count:,} records of {title}, {where}", pinned, [
                Figure("python", "wall", "assize"), Figure("assize", "cpu", "floor", most=aim), Figure("assize", "wall", "floor"),
            ])


if __name__ == "__main__":
    check_file(sys.argv[1])
