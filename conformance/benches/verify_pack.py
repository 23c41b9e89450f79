"""Verification of a pack: `assize pack verify PACK --quiet`, and the floor.

The floor reads the same files once, in the same order, and hashes them with SHA-256 of the `sha2` crate: no verifier of a pack can be
faster. A pack has 10,000 traces of about 10 KB, of mixed text, of short records, or of dense small tokens.
"""

import json
import os
import subprocess

from processes import RELEASE, Figure, Row, Way, newest, on

# Each kind in words, and how many times the floor's processor time it should take at most.
KINDS = {"mixed": ("mixed text", 3), "records": ("short records", 3), "dense": ("dense small tokens", 5)}


def read_order(pack):
    """Every file that a verifier reads, in the order in which it does: contract, pack, inputs, traces."""
    with open(os.path.join(pack, "episode_contract.json"), encoding="utf-8") as f:
        contract = json.load(f)
    names = ["episode_contract.json", "pack_manifest.json", "receipt_pack.jsonl", "verify_report.json"]
    names += ["verify_transcript.md", "pack_signature.sig"]
    names += [f"inputs/{item['ref']}" for item in contract["inputs"]]
    names += [f"recorded_traces/{step['step_id']}.json" for step in contract["replay_script"]["steps"]]
    return [os.path.join(pack, name) for name in names]


def ways(sitting, kind, traces):
    maker = newest(os.path.join(RELEASE, "examples", "bulk"))
    pack = sitting.folder(f"{kind}-{traces}", lambda here: subprocess.run([maker, here, kind, str(traces)], check=True))
    return {"assize": Way([sitting.assize, "pack", "verify", pack, "--quiet"]), "floor": sitting.reading(f"{kind}-{traces}", read_order(pack))}


def rows(sitting):
    traces = sitting.scaled(10_000)
    for kind, (title, most) in KINDS.items():
        for processors, where in sitting.processors.items():
            pinned = lambda: on(processors, ways(sitting, kind, traces))
            aim = most if processors == "0" else None
            yield Row(f"verify {traces:,} traces of {title}, {where}", pinned, [Figure("assize", "cpu", "floor", most=aim), Figure("assize", "wall", "floor")])
    many = sitting.scaled(100_000)
    yield Row(f"verify {many:,} traces", lambda: {"assize": ways(sitting, "records", many)["assize"]}, [Figure("assize", "megabytes", most=150)])
