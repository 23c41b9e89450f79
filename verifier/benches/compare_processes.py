#!/usr/bin/env python3
"""Compares whole processes: the sealed Python comparator, `assize compare` in both modes, and the floor.

The floor reads the same turn files once, in the same order, and hashes them with SHA-256: what no comparison can go below.
All run interleaved in one session, so that a busy machine slows all of them. Medians of ratios are printed, and
nothing is asserted: a time is a fact about a machine.

    cargo build --release -p assize && cargo build --release -p assize-verifier --benches
    python3 verifier/benches/compare_processes.py [--turns 100,1000,10000] [--runs 7]

Needs nothing but the standard library and, for the row on one core, the system's taskset.
"""

import argparse
import glob
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
CONTRACTS = os.path.join(ROOT, "contracts")
PEAK = os.path.join(HERE, "peak.py")

RUN_COMPARATOR = """
import importlib.util, json, sys
contracts, a, b = sys.argv[1:]
spec = importlib.util.spec_from_file_location("comparator", contracts + "/reference/comparator.py")
comparator = importlib.util.module_from_spec(spec)
spec.loader.exec_module(comparator)
lookup = comparator.load_stage_order(contracts + "/sovereign/stage-order-v1.json")
with open(a, encoding="utf-8") as f: bundle_a = json.load(f)
with open(b, encoding="utf-8") as f: bundle_b = json.load(f)
report = comparator.compare(bundle_a, bundle_b, lookup)
sys.stdout.write(json.dumps(report, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + chr(10))
"""


def make_turn(rng, turn_id, differs):
    """One turn result of about 7 KB: six issues and six decisions, nested details, some of them not ASCII."""
    digest = lambda: f"{rng.getrandbits(256):064x}"
    decisions = []
    for ordinal in range(6):
        decisions.append({
            "contract_version": "kernel_api/v1", "decision_id": digest(), "run_id": "run-1", "turn_id": turn_id,
            "tool_name": rng.choice(["fs", "net", "shell"]), "action": rng.choice(["read", "write", "exec"]),
            "ordinal": ordinal, "stage": "capability", "outcome": "allowed", "deny_code": None, "info_code": None,
            "reason": None,
            "provenance": {"policy_source": "policy://default", "policy_digest": digest(), "rule_id": f"rule-{rng.randrange(99)}"},
        })
    issues = []
    for number in range(6):
        issues.append({
            "contract_version": "kernel_api/v1", "level": "FAIL", "stage": rng.choice(["policy", "lsi", "promotion"]),
            "code": f"E_CODE_{rng.randrange(9)}", "location": f"/body/items/{number}",
            "message": "Übergröße: " + "x" * rng.randrange(20, 60),
            "details": {
                "naïve": ["日本語", rng.randrange(10**6), None, True], "token": "skill_id", "n": 2**70 + number,
                "nested": {"b": {"c": [1, 2, {"d": "e"}]}, "a": "z" * rng.randrange(20, 90), "path": f"/x/{rng.randrange(999)}"},
            },
        })
    if rng.random() < 0.2:
        issues.append(issues[0])
    turn = {
        "contract_version": "kernel_api/v1", "run_id": "run-1", "turn_id": turn_id, "outcome": "PASS", "stage": "replay",
        "errors": len(issues), "warnings": 0, "issues": issues, "events": [f"event {n}" for n in range(8)],
        "transition": {"prior_state_digest": digest(), "proposed_state_digest": digest(), "inputs_digest": digest()},
        "capabilities": {"mode": "enabled", "decisions": decisions, "denied_count": 0, "granted_count": 6},
    }
    other = json.loads(json.dumps(turn))
    if differs:
        other["issues"][rng.randrange(6)]["details"]["token"] = "other"
        other["capabilities"]["decisions"][rng.randrange(6)]["action"] = "differs"
    return turn, other


def make_pair(folder, turns, share, seed=1, **spelling):
    """Writes two bundles with their turn files and returns the bundles' paths; `share` of the turns differ, and side B is
    spelled otherwise if one says how."""
    rng = random.Random(seed)
    registry = "e972895604cb3d52eba871f38ba6b39aec1215f461b0de8e25d62d8f0d112d09"
    bundles = []
    for side in "ab":
        os.makedirs(os.path.join(folder, side))
        bundles.append({
            "contract_version": "replay_bundle/v1", "run_envelope": {"run_id": "run-1", "workflow_id": "w"},
            "registry_digest": registry,
            "digests": {name: "0" * 64 for name in ("policy_digest", "runtime_profile_digest", "contract_registry_snapshot_digest")},
            "turn_results": [],
        })
    for number in range(turns):
        turn_id = f"turn-{number:06}"
        pair = make_turn(rng, turn_id, rng.random() < share)
        for side, bundle, turn in zip("ab", bundles, pair):
            path = f"{side}/{turn_id}.json"
            with open(os.path.join(folder, path), "w", encoding="utf-8") as f:
                json.dump(turn, f, **{"ensure_ascii": False, **(spelling if side == "b" else {})})
            paths = [path] if rng.random() >= 0.05 else sorted([f"{side}/absent-{number}.json", path])
            bundle["turn_results"].append({"turn_id": turn_id, "turn_result_digest": "1" * 64, "paths": paths})
    for side, bundle in zip("ab", bundles):
        with open(os.path.join(folder, f"{side}.json"), "w", encoding="utf-8") as f:
            json.dump(bundle, f, ensure_ascii=False)
    return "a.json", "b.json"


def run(command, folder, keep=False):
    """Runs a command and returns its seconds of wall time and its output."""
    started = time.perf_counter()
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return time.perf_counter() - started, done.stdout if keep else None


def peak_kb(command, folder):
    launcher = [sys.executable, "-S", "-E", PEAK, *command]
    return int(subprocess.run(launcher, cwd=folder, stdout=subprocess.PIPE, check=True).stdout.split()[-1])


def newest(pattern):
    found = [path for path in glob.glob(pattern) if os.access(path, os.X_OK) and not path.endswith(".d")]
    if not found:
        sys.exit(f"nothing at {pattern}: run the two cargo commands of this script's help first")
    return max(found, key=os.path.getmtime)


def measure(name, commands, folder, runs):
    """Interleaves the commands and prints the medians of their ratios."""
    for command in commands.values():
        run(command, folder)
    times = {key: [] for key in commands}
    for _ in range(runs):
        for key, command in commands.items():
            times[key].append(run(command, folder)[0])
    ratio = lambda x, y: statistics.median(a / b for a, b in zip(times[x], times[y]))
    median = statistics.median(times["reference"]) * 1000
    for mode in ("reference", "law"):
        print(f"{name:34} {mode:9} python/assize {ratio('python', mode):6.1f}   assize/floor {ratio(mode, 'floor'):5.2f}   ({statistics.median(times[mode]) * 1000:.1f} ms)", flush=True)
    return median


def commands_for(options, python, floor, a, b):
    return {
        "python": [*python, a, b],
        "reference": [options.assize, "compare", "--mode", "reference", "--quiet", a, b],
        "law": [options.assize, "compare", "--quiet", a, b],
        "floor": [floor, a, b],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", default="100,1000,10000")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--assize", default=os.path.join(ROOT, "target", "release", "assize"))
    options = parser.parse_args()
    floor = newest(os.path.join(ROOT, "target", "release", "deps", "floor-*"))
    python = [sys.executable, "-c", RUN_COMPARATOR, CONTRACTS]
    folder = tempfile.mkdtemp(prefix="assize-bench-")
    one_core = ["taskset", "-c", "0"] if shutil.which("taskset") else None
    try:
        print(subprocess.run([floor, "--backend"], stdout=subprocess.PIPE, text=True).stdout.strip(), flush=True)
        sizes = [int(turns) for turns in options.turns.split(",")]
        growth, memory = {}, {}
        for turns in sizes:
            here = os.path.join(folder, str(turns))
            os.makedirs(here)
            a, b = make_pair(here, turns, 0.03)
            commands = commands_for(options, python, floor, a, b)
            _, expected = run(commands["python"], here, keep=True)
            _, found = run(commands["reference"], here, keep=True)
            if expected != found:
                sys.exit(f"{turns} turns: the reports differ; no time of such a run means anything")
            _, lawful = run(commands["law"], here, keep=True)
            if json.loads(lawful)["status"] == "ERROR":
                sys.exit(f"{turns} turns: the bundles break a law; law mode's time is that of its findings")
            growth[turns] = measure(f"{turns} turns, all cores", commands, here, options.runs)
            memory[turns] = peak_kb(commands["reference"], here)
            if one_core:
                pinned = {key: one_core + command for key, command in commands.items()}
                measure(f"{turns} turns, one core", pinned, here, options.runs)
        largest, before = sizes[-1], sizes[-2] if len(sizes) > 1 else sizes[-1]
        if largest > before:
            print(f"from {before} to {largest} turns: {growth[largest] / growth[before] / (largest / before):.2f} times the time a turn")
            print(f"extra peak memory: {(memory[largest] - memory[before]) * 1024 / (largest - before):.0f} bytes a turn ({memory[largest]} KB in all)")
        turns = min(largest, 2000)
        for name, share, spelling in (("that all differ", 1.0, {}), ("spelled otherwise", 0.0, {"sort_keys": True, "ensure_ascii": True})):
            here = os.path.join(folder, name.replace(" ", "-"))
            os.makedirs(here)
            a, b = make_pair(here, turns, share, **spelling)
            commands = commands_for(options, python, floor, a, b)
            measure(f"{turns} turns {name}", commands, here, options.runs)
            if one_core:
                measure(f"{turns} {name}, one core", {key: one_core + command for key, command in commands.items()}, here, options.runs)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
