#!/usr/bin/env python3
"""Compares whole processes on one ledger: `assize ledger verify`, the same check written plainly in Python, and the floor.

The floor reads the same bytes once and hashes them with SHA-256 of the `sha2` crate: no verifier of a ledger can be
faster. Ledgers have 1,000,000 records with payloads of about 100 bytes, or 100,000 with payloads of about 2 KB, as JSON
Lines; the first also as one array. Lines alternate between the spelling of `json.dumps` and a compact one, with members sorted and not.
The commands run interleaved in one session, so that a busy machine slows all of them. Medians of times and of ratios are
printed, and the only assertion is that every ledger is valid: a time is a fact about a machine.

    cargo build --release -p assize && cargo build --release -p assize-verifier --bench floor
    python3 conformance/benches/ledger.py [--records 1000000] [--runs 7] [--folder DIR]

`--folder` keeps the ledgers there, and uses those that it finds. Needs only the standard library and the system's
taskset.
"""

import argparse
import hashlib
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile

from processes import interleaved, newest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
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


def make(path, count, payload):
    """Writes a ledger as JSON Lines, and next to it the same lines as one array."""
    with open(f"{path}.jsonl", "w", encoding="utf-8", newline="\n") as lines, open(f"{path}.json", "w", encoding="utf-8", newline="\n") as array:
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


def measure(name, commands, runs):
    """Interleaves the commands and prints the medians of their times and of their ratios."""
    times = interleaved(commands, runs)
    ratio = lambda x, y: statistics.median(a / b for a, b in zip(times[x], times[y]))
    median = {key: f"{statistics.median(of):8.0f}" for key, of in times.items()}
    print(
        f"{name:34} {median['python']} {median['assize']} {median['floor']}"
        f" {ratio('assize', 'floor'):13.2f} {ratio('python', 'assize'):14.1f}",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=1000000, help="records of about 100 bytes; a tenth of it of about 2 KB")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--folder", help="where the ledgers are made and kept; a temporary folder otherwise")
    parser.add_argument("--release", default=os.path.join(ROOT, "target", "release"), help="where cargo built")
    parser.add_argument("--check", metavar="LEDGER", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.check:
        check_file(options.check)
    if not shutil.which("taskset"):
        sys.exit("no taskset here: the rows are of one core and of two")
    floor = newest(os.path.join(options.release, "deps", "floor-*"))
    assize = os.path.join(options.release, "assize")
    folder = options.folder or tempfile.mkdtemp(prefix="assize-bench-")
    ledgers = [
        ("100 bytes", "small", options.records, small, "jsonl"),
        ("100 bytes, one array", "small", options.records, small, "json"),
        ("2 KB", "large", options.records // 10, large, "jsonl"),
    ]
    try:
        print(subprocess.run([floor, "--backend"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip(), flush=True)
        print(f"{'median ms of ' + str(options.runs):34} {'python':>8} {'assize':>8} {'floor':>8} {'assize/floor':>13} {'python/assize':>14}")
        for title, name, count, payload, layout in ledgers:
            path = os.path.join(folder, f"{name}-{count}")
            if not os.path.exists(f"{path}.{layout}"):
                # Made under another name and then renamed: a half-made ledger is never measured.
                make(f"{path}.part", count, payload)
                for made in ("json", "jsonl"):
                    os.rename(f"{path}.part.{made}", f"{path}.{made}")
            path = f"{path}.{layout}"
            listing = f"{path}.list"
            with open(listing, "w", encoding="utf-8") as f:
                f.write(path + "\n")
            print(f"{count} records of {title}: {os.path.getsize(path) / 1e6:.1f} MB", flush=True)
            commands = {
                "python": [sys.executable, os.path.abspath(__file__), "--check", path],
                "assize": [assize, "ledger", "verify", path, "--quiet"],
                "floor": [floor, "--list", listing],
            }
            for cores, width in (("0", "one core"), ("0,1", "two cores")):
                pinned = {key: ["taskset", "-c", cores, *command] for key, command in commands.items()}
                measure(f"{title}, {width}", pinned, options.runs)
    finally:
        if not options.folder:
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
