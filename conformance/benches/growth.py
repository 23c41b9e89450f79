#!/usr/bin/env python3
"""How time and memory of each verb grow with its input: the exponent between one size and the next, and the peak.

An exponent of 1 is linear; noise of small times is above it as often as below, so a row is marked where the largest step
is above 1.2 and takes more than a second. Nothing is asserted: a time is a fact about a machine.

    cargo build --release -p assize
    python3 conformance/benches/growth.py [--largest 1000000] [--only PART] [--longest 60] [--assize FILE]

Sizes are 1,000, 10,000, 100,000 and 1,000,000 entries. A verb is not run at the next size once a run has taken longer than
`--longest` seconds. Needs only the standard library and a Unix.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time

from processes import newest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SIZES = (1_000, 10_000, 100_000, 1_000_000)


def members(count):
    return {f"unknown-{place:07}": place for place in range(count)}


def staged(count, turn="turn-0001"):
    for place in range(count):
        body = {"dto_type": "invocation", "id": f"inv:s{place}"}
        yield {"op": "stage_triplet", "run_id": "r", "turn_id": turn, "stem": f"inv/s{place}", "body": body, "links": {}, "manifest": {}}


def numbered(place):
    """The run and the turn of a number: a run has at most 9,999 turns."""
    return {"run_id": f"r{place // 5_000}", "turn_id": f"turn-{place % 5_000 + 1:04}"}


def turns(count):
    for place in range(count):
        yield from ({**step, **numbered(place), "stem": f"inv/s{place}"} for step in staged(1))
        yield {"op": "promote", **numbered(place)}


def executed(count):
    for place in range(count):
        turn = numbered(place)
        body = {"dto_type": "invocation", "id": f"inv:s{place}"}
        handle = {"contract_version": "kernel_api/v1", "run_id": turn["run_id"]}
        triplet = {"stem": f"inv/s{place:07}", "body": body, "links": {}, "manifest": {}}
        request = {"contract_version": "kernel_api/v1", "run_handle": handle, "turn_id": turn["turn_id"], "turn_input": {"stage_triplet": triplet}}
        yield {"op": "execute_turn", "request": request}


def promoted_at_once(count):
    for place, step in enumerate(executed(count)):
        yield step
        yield {"op": "promote", **numbered(place)}


def one_turn(count, *last):
    yield from staged(count)
    yield from ({"run_id": "r", "turn_id": "turn-0001", **step} for step in last)


def validated(count):
    for place, step in enumerate(staged(count)):
        target = {"type": "invocation", "id": f"inv:s{place // 4 * 4}"}
        yield {**step, "links": {"invocation": target}}
    yield from ({"op": "validate_links", "run_id": "r", "turn_id": "turn-0001", "stem": f"inv/s{place}"} for place in range(count))


def a_list(steps):
    return lambda count: list(steps(count))


# What is run: the arguments before the file, and the document of so many entries.
VERBS = {
    "canon, a list": (["canon", "--profile", "episode"], lambda count: list(range(count))),
    "canon, members": (["canon", "--profile", "episode"], members),
    "audit, unknown members": (["audit"], members),
    "compare, unknown members": (["compare", "FILE"], members),
    "episode hash, unknown members": (["episode", "hash"], members),
    "kernel run, staging": (["kernel", "run"], a_list(staged)),
    "kernel run, validation": (["kernel", "run"], a_list(validated)),
    "kernel run, promotion": (["kernel", "run"], a_list(lambda count: one_turn(count, {"op": "promote"}))),
    "kernel run, turns": (["kernel", "run"], a_list(turns)),
    "kernel run, execution": (["kernel", "run"], a_list(executed)),
    "kernel run, executed, promoted": (["kernel", "run"], a_list(promoted_at_once)),
    "ledger verify, no records": (["ledger", "verify"], lambda count: [members(1)] * count),
    "engine run, unknown members": (["engine", "run"], members),
}


def measured(binary, words, file, folder):
    """Seconds and megabytes of one run, and how it ended."""
    words = [file if word == "FILE" else word for word in words]
    began = time.monotonic()
    with open(os.devnull, "wb") as nothing:
        child = subprocess.Popen([binary, *words, file], stdout=nothing, stderr=nothing, cwd=folder)
        _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    seconds = used.ru_utime + used.ru_stime
    return seconds, time.monotonic() - began, used.ru_maxrss / 1024, child.returncode


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--largest", type=int, default=SIZES[-1])
    options.add_argument("--longest", type=float, default=60)
    options.add_argument("--only", default="")
    options.add_argument("--assize", help="another binary than target/release/assize")
    chosen = options.parse_args()
    binary = os.path.abspath(newest(chosen.assize or os.path.join(ROOT, "target/release/assize")))
    print(f"{'verb':<32}{'entries':>10}{'CPU s':>10}{'exponent':>10}{'MB':>8}  exit")
    for name, (words, made) in VERBS.items():
        if chosen.only not in name:
            continue
        before = None
        for size in (size for size in SIZES if size <= chosen.largest):
            with tempfile.TemporaryDirectory() as folder:
                file = os.path.join(folder, "input.json")
                with open(file, "w", encoding="utf-8") as written:
                    json.dump(made(size), written)
                seconds, wall, megabytes, status = measured(binary, words, file, folder)
            exponent = math.log10(seconds / before) if before and seconds else None
            shown = "" if exponent is None else f"{exponent:.2f}"
            mark = "  above 1.2" if exponent and exponent > 1.2 and seconds > 1 else ""
            print(f"{name:<32}{size:>10,}{seconds:>10.2f}{shown:>10}{megabytes:>8.0f}  {status}{mark}", flush=True)
            before = seconds or None
            if wall > chosen.longest:
                print(f"{name:<32}  not run with more entries: this took {wall:.0f} s", flush=True)
                break


if __name__ == "__main__":
    sys.exit(main())
