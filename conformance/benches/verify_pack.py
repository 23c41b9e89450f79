#!/usr/bin/env python3
"""Compares whole processes: `assize pack verify PACK --quiet`, and the floor.

The floor reads the same files once, in the same order, and hashes them with SHA-256 of the `sha2` crate: no verifier
of a pack can be faster. A pack has 10,000 traces of about 10 KB, of mixed text, of
short records, or of dense small tokens. Both commands run
interleaved in one session, so that a busy machine slows both. Medians of times and of ratios are printed, and the only
assertion is that the pack matches: a time is a fact about a machine.

    cargo build --release -p assize && cargo build --release -p assize-verifier --bench floor
    cargo build --release -p assize-packs --example bulk
    python3 conformance/benches/verify_pack.py [--traces 10000] [--runs 15] [--folder DIR]

`--folder` keeps the packs there, and uses those that it finds. Needs only the standard library and the system's
taskset.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

from processes import interleaved, newest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RELEASE = os.path.join(ROOT, "target", "release")
KINDS = {"mixed": "mixed text", "records": "short records", "dense": "dense small tokens"}


def read_order(pack):
    """Every file that a verifier reads, in the order in which it does: contract, pack, inputs, traces."""
    with open(os.path.join(pack, "episode_contract.json"), encoding="utf-8") as f:
        contract = json.load(f)
    names = ["episode_contract.json", "pack_manifest.json", "receipt_pack.jsonl", "verify_report.json"]
    names += ["verify_transcript.md", "pack_signature.sig"]
    names += [f"inputs/{item['ref']}" for item in contract["inputs"]]
    names += [f"recorded_traces/{step['step_id']}.json" for step in contract["replay_script"]["steps"]]
    return [os.path.join(pack, name) for name in names]


def measure(name, commands, runs):
    """Interleaves the commands and prints the medians of their times and of their ratios."""
    times = interleaved(commands, runs)
    ratios = sorted(a / b for a, b in zip(times["assize"], times["floor"]))
    print(
        f"{name:32} assize {statistics.median(times['assize']):7.1f} ms   floor {statistics.median(times['floor']):7.1f} ms"
        f"   assize/floor {statistics.median(ratios):5.2f}   ({ratios[0]:.2f} to {ratios[-1]:.2f})",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--traces", type=int, default=10000)
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--folder", help="where the packs are made and kept; a temporary folder otherwise")
    parser.add_argument("--assize", default=os.path.join(RELEASE, "assize"))
    options = parser.parse_args()
    if not shutil.which("taskset"):
        sys.exit("no taskset here: the rows are of one core and of two")
    floor = newest(os.path.join(RELEASE, "deps", "floor-*"))
    maker = os.path.join(RELEASE, "examples", "bulk")
    folder = options.folder or tempfile.mkdtemp(prefix="assize-bench-")
    try:
        print(subprocess.run([floor, "--backend"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip(), flush=True)
        for kind, title in KINDS.items():
            pack = os.path.join(folder, f"{kind}-{options.traces}")
            if not os.path.isdir(pack):
                # Made under another name and then renamed: a half-made pack is never measured.
                making = f"{pack}.part"
                shutil.rmtree(making, ignore_errors=True)
                subprocess.run([maker, making, kind, str(options.traces)], check=True)
                os.rename(making, pack)
            files = read_order(pack)
            listing = os.path.join(folder, f"{kind}-{options.traces}.list")
            with open(listing, "w", encoding="utf-8") as f:
                f.write("\n".join(files) + "\n")
            size = sum(os.path.getsize(path) for path in files)
            print(f"{title}: {len(files)} files, {size / 1e6:.1f} MB", flush=True)
            commands = {"assize": [options.assize, "verify", pack, "--quiet"], "floor": [floor, "--list", listing]}
            for cores, count in (("0", "one core"), ("0,1", "two cores")):
                pinned = {key: ["taskset", "-c", cores, *command] for key, command in commands.items()}
                measure(f"{title}, {count}", pinned, options.runs)
    finally:
        if not options.folder:
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
