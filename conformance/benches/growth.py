#!/usr/bin/env python3
"""How time and memory of each verb grow with its input: the exponent between one size and the next, and the peak.

An exponent of 1 is linear; noise of small times is above it as often as below, so a row is marked where the largest step
is above 1.2 and takes more than a second. A row is marked, too, where the peak is above 500 MB. Nothing is asserted: a time is
a fact about a machine.

    cargo build --release -p assize
    python3 conformance/benches/growth.py [--largest 1000000] [--only PART] [--longest 60] [--assize FILE]

Sizes are 1,000, 10,000, 100,000 and 1,000,000 entries; where each is a file of its own, at most 10,000. A verb is not run at the
next size once a run has taken longer than `--longest` seconds. `--smallest` below a thousand shows in seconds whether every row
still does what it says. Needs only the standard library and a Unix.
"""

import argparse
import base64
import hashlib
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile

from ledger import digest, records, small
from processes import ROOT, cost, newest

SIZES = (1_000, 10_000, 100_000, 1_000_000)
# The most where every entry is a file: a file system is not what is measured.
FILES = 10_000
MEMORY = 500


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


def write(folder, name, value, indent=None):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file, indent=indent)
        file.write("\n")


def contract(count):
    """A contract of so many transforms, of which one output is made."""
    zeros = "sha256:" + "0" * 64
    step = lambda name, opcode, after, params: {"step_id": name, "opcode": opcode, "depends_on": after, "params": params}
    steps = [step("in", "LOAD_INPUT", [], {"ref": "nums.json"})]
    steps += [step(f"s{place:07}", "APPLY_TRANSFORM", ["in"], {"transform": "sum/v1"}) for place in range(count)]
    steps.append(step("out", "EMIT_OUTPUT", ["in"], {"claim_type": "sum", "output_ref": "in"}))
    environment = {"container_digest": None, "model_id": "m", "provider": "p", "tool_versions": {}}
    environment["env_fingerprint_hash"] = f"sha256:{digest(environment)}"
    return {
        "schema_version": "rce/0.1", "episode_id": "ep_0195c8a1d2e3000000000001", "objective": "Growth.",
        "environment": environment, "inputs": [{"ref": "nums.json", "hash": zeros}],
        "replay_policy": {"comparator_tier": "A", "replay_basis": "recorded_trace"},
        "replay_script": {"schema_version": "replay_script/0.1", "steps": steps},
    }


def case(name, text):
    """A case of canonical bytes; what has to come out is not so, which neither an explanation nor a check asks."""
    return {
        "id": f"canon/rfc8785/{name}", "op": "canon.bytes", "args": {"profile": "rfc8785"},
        "spec": {"document": "RFC 8785", "section": "3.2.3"}, "force": "spec", "rationale": "It grows.", "flags": ["SortOrder"],
        "provenance": "hand", "in": {"doc": {"text": text}},
        "expect": {"is": "accept", "out": {"bytes": {"text": "{}"}, "sha256": "0" * 64}}, "agreement": "exact",
    }


def a_large_case(count, folder, binary):
    write(folder, "corpus/canon/rfc8785/large.json", case("large", json.dumps(members(count))))


def cases(count, folder, binary):
    os.makedirs(os.path.join(folder, "corpus"))
    shutil.copy(os.path.join(ROOT, "vectors", "flags.json"), os.path.join(folder, "corpus"))
    for place in range(count):
        write(folder, f"corpus/canon/rfc8785/n-{place:07}.json", case(f"n-{place:07}", f"[{place}]"), 2)


def a_pack(count, folder, binary):
    """A pack of one input with so many members, whose recorded output is no other."""
    write(folder, "inputs/nums.json", members(count))
    write(folder, "outputs/out.json", members(count))
    plan = contract(0)
    with open(os.path.join(folder, "inputs/nums.json"), "rb") as file:
        plan["inputs"][0]["hash"] = f"sha256:{hashlib.sha256(file.read()).hexdigest()}"
    write(folder, "contract.json", plan)
    with open(os.path.join(folder, "key"), "w", encoding="utf-8") as file:
        file.write(base64.b64encode(bytes(32)).decode() + "\n")
    made = "pack make contract.json --inputs inputs --outputs outputs --now 2026-01-01T00:00:00Z --key key --out pack"
    subprocess.run([binary, *made.split()], cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def a_home(count, folder, binary):
    """A home with a triplet of each of so many turns."""
    write(folder, "scenario.json", list(turns(count)))
    run = [binary, "kernel", "run", "scenario.json", "--home", "home"]
    subprocess.run(run, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def a_turn(count, folder, binary):
    zeros = "0" * 64
    write(folder, "digests.json", {name: zeros for name in ("policy_digest", "runtime_profile_digest", "contract_registry_snapshot_digest")})
    write(folder, "turn.json", {"run_id": "r", "turn_id": "turn-0001", "transition": {}, "capabilities": {"decisions": []}, "issues": [], "events": []})


def a_payload(count, folder, binary):
    write(folder, "payload.json", {"seen": True})


def attempts(count):
    provenance = {"policy_source": "p", "policy_digest": "0" * 64, "rule_id": "r"}
    return [{"tool_name": f"fs{place}", "action": "write", "conditions": [], "provenance": provenance} for place in range(count)]


def codes(count):
    """A registry of so many codes, at most 900 of an area."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    area = lambda place: "X" + letters[place // 900 // 26 % 26] + letters[place // 900 % 26] + letters[place // 900 // 676]
    active = [{"code": f"WA-{area(place)}-I-{place % 900 + 1:03}", "message_key": f"m{place}"} for place in range(count)]
    areas = [{"area": area(place), "meaning": "m", "document": "d"} for place in range(0, count, 900)]
    return {"name": "n", "active": active, "retired": [], "areas": areas, "aliases": {}}


def trace(count):
    worked = [{"op": "work", "what": f"w{place}"} for place in range(count)]
    return {"steps": [
        {"op": "new", "b": 0}, *worked, {"op": "call", "b": 0, "method": "success", "data": {}, "got": "reply"},
        {"op": "return", "of": count + 1}, {"op": "emit", "reply_type": "S"},
    ]}


def envelope(count):
    return {"status": "success", "reply_type": "S", "data": members(count), "meta": {"trace_id": "t", "duration_ms": 1}, "error": None}


def revisions(count):
    known = {f"E_{place:07}": "meaning" for place in range(count)}
    return [{"version": "1.0.0", "codes": known}, {"version": "1.1.0", "codes": {**known, "E_NEW": "meaning"}}]


def one_a_line(count):
    return list(records(count, small))


# What is run, with FILE for the document of so many entries that is made for it; the folder of more than that; the most entries.
VERBS = {
    "canon, a list": ("canon --profile episode FILE", lambda count: list(range(count))),
    "canon, members": ("canon --profile episode FILE", members),
    "audit, unknown members": ("audit FILE", members),
    "compare, unknown members": ("compare FILE FILE", members),
    "bundle record, attempts": ("bundle record FILE --run r --turn turn-0001", attempts),
    "bundle make, turns": (
        "bundle make FILE --run r --workflow w --digests digests.json",
        lambda count: [{"turn_id": f"turn-{place:07}", "paths": ["turn.json"]} for place in range(count)], a_turn,
    ),
    "pack hash, steps": ("pack hash FILE", contract),
    "episode hash, unknown members": ("episode hash FILE", members),
    "pack verify, an input": ("pack verify pack", None, a_pack),
    "kernel run, staging": ("kernel run FILE", a_list(staged)),
    "kernel run, validation": ("kernel run FILE", a_list(validated)),
    "kernel run, promotion": ("kernel run FILE", a_list(lambda count: one_turn(count, {"op": "promote"}))),
    "kernel run, turns": ("kernel run FILE", a_list(turns)),
    "kernel run, execution": ("kernel run FILE", a_list(executed)),
    "kernel run, executed, promoted": ("kernel run FILE", a_list(promoted_at_once)),
    "kernel audit, turns": ("kernel audit home", None, a_home, FILES),
    "kernel registry, codes": ("kernel registry FILE", revisions),
    "ledger verify, no records": ("ledger verify FILE", lambda count: [members(1)] * count),
    "ledger show, records": ("ledger show FILE", one_a_line),
    "ledger append, records": ("ledger append FILE payload.json --ts T1 --kind note", one_a_line, a_payload),
    "engine run, unknown members": ("engine run FILE", members),
    "reply lint, codes": ("reply lint FILE", codes),
    "reply trace, steps": ("reply trace FILE", trace),
    "reply envelope, members": ("reply envelope FILE", envelope),
    "explain, a large case": ("explain canon/rfc8785/large --corpus corpus", None, a_large_case),
    "vectors check, cases": ("vectors check --cases corpus", None, cases, FILES),
}


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--largest", type=int, default=SIZES[-1])
    options.add_argument("--smallest", type=int, default=SIZES[0])
    options.add_argument("--longest", type=float, default=60)
    options.add_argument("--only", default="")
    options.add_argument("--assize", help="another binary than target/release/assize")
    chosen = options.parse_args()
    binary = os.path.abspath(newest(chosen.assize or os.path.join(ROOT, "target/release/assize")))
    print(f"{'verb':<32}{'entries':>10}{'CPU s':>10}{'exponent':>10}{'MB':>8}  exit")
    for name, (words, made, *more) in VERBS.items():
        if chosen.only not in name:
            continue
        beside, most = [*more, *(None, SIZES[-1])[len(more):]]
        before = last = None
        for size in sorted({chosen.smallest, *(size for size in SIZES if chosen.smallest <= size <= min(most, chosen.largest))}):
            with tempfile.TemporaryDirectory() as folder:
                file = os.path.join(folder, "input.json")
                if made:
                    write(folder, file, made(size))
                if beside:
                    beside(size, folder, binary)
                took = cost([binary, *(file if word == "FILE" else word for word in words.split())], folder)
            exponent = math.log(took.cpu / before) / math.log(size / last) if before and took.cpu else None
            shown = "" if exponent is None else f"{exponent:.2f}"
            mark = "  above 1.2" if exponent and exponent > 1.2 and took.cpu > 1 else ""
            mark += f"  above {MEMORY} MB" if took.megabytes > MEMORY else ""
            print(f"{name:<32}{size:>10,}{took.cpu:>10.2f}{shown:>10}{took.megabytes:>8.0f}  {took.status}{mark}", flush=True)
            before, last = took.cpu or None, size
            if took.wall > chosen.longest:
                print(f"{name:<32}  not run with more entries: this took {took.wall:.0f} s", flush=True)
                break


if __name__ == "__main__":
    sys.exit(main())
