"""Comparison of two bundles: the sealed Python comparator, `assize compare` in both modes, and the floor.

The floor reads the same turn files once, in the same order, and hashes them with SHA-256: what no comparison can go below.
"""

import functools
import json
import os
import random
import subprocess
import sys

from processes import ROOT, Figure, Row, Way, on

CONTRACTS = os.path.join(ROOT, "contracts")

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
    """Writes two bundles with their turn files and returns their names; `share` of the turns differ, and side B is
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


def said(way):
    return subprocess.run(way.command, cwd=way.folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


def ways(sitting, folder, a, b):
    """Every way to compare two bundles; one whose answer is another than it should be ends the measurement."""
    mine = lambda *mode: Way([sitting.assize, "compare", *mode, "--quiet", a, b], folder, ends=(0, 1))
    every = {
        "python": Way([sys.executable, "-c", RUN_COMPARATOR, CONTRACTS, a, b], folder),
        "reference": mine("--mode", "reference"),
        "law": mine(),
        "floor": Way([sitting.floor, a, b], folder),
    }
    if said(every["python"]) != said(every["reference"]):
        sys.exit(f"{folder}: the reports differ; no time of such a run means anything")
    if json.loads(said(every["law"]))["status"] == "ERROR":
        sys.exit(f"{folder}: the bundles break a law; law mode's time is that of its findings")
    return every


def rows(sitting):
    turns = sitting.scaled(10_000)
    kinds = {
        f"compare {turns:,} turns": (turns, 0.03, {}),
        f"compare {turns // 5:,} turns that all differ": (turns // 5, 1.0, {}),
        f"compare {turns // 5:,} turns spelled otherwise": (turns // 5, 0.0, {"sort_keys": True, "ensure_ascii": True}),
    }
    for number, (work, (count, share, spelling)) in enumerate(kinds.items()):
        make = lambda here: make_pair(here, count, share, **spelling)
        every = functools.cache(lambda: ways(sitting, sitting.folder(f"compare-{number}-{count}", make), "a.json", "b.json"))
        usual = number == 0
        for processors, title in sitting.processors.items():
            yield Row(f"{work}, {title}", lambda: on(processors, every()), [
                Figure("python", "wall", "reference", least={"0": 24, "0,1": 42}[processors] if usual else None),
                Figure("python", "wall", "law", least=14 if usual and processors == "0" else None),
                Figure("reference", "cpu", "floor", most=(1.7, 2.5, None)[number]),
                Figure("law", "cpu", "floor", most=3.0),
            ])
