#!/usr/bin/env python3
"""What the specification's comparator costs in Python against the one of the package that verifies, in one process.

Bundles of 1, 20 and 700 turns each, compared from Python objects and from bytes, by turns, in time of the processor, of which each uses
one. The reports have to be equal; nothing is asserted about a time.

    .ci/core sources && target/debug/assize emit --what verifier --lang python --package assize --core target/core/sources --out FOLDER
    cd FOLDER && python3 -m pip install --target .build/maturin 'maturin>=1.9,<2' && python3 build.py release
    python3 generators/core/benches/comparator.py FOLDER [--runs 7]
"""

import argparse
import json
import os
import statistics
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path.append(os.path.join(ROOT, "conformance/benches"))

from compare import make_pair  # noqa: E402


def timed(compare, *bundles):
    began = time.process_time()
    report = compare(*bundles)
    return time.process_time() - began, report


def read(path):
    with open(path, "rb") as file:
        return file.read()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("package", help="folder of the package, built")
    parser.add_argument("--runs", type=int, default=7)
    options = parser.parse_args()
    sys.path.insert(0, os.path.abspath(options.package))
    from assize import comparator

    specified = {"__name__": "specified"}
    exec(read(os.path.join(ROOT, "contracts/reference/comparator.py")), specified)
    order = os.path.join(ROOT, "contracts/sovereign/stage-order-v1.json")
    lookup, order = specified["load_stage_order"](order), read(order)
    print(f"{'turns':>6}{'bytes':>12}{'from':>10}{'specified':>14}{'package':>12}{'ratio: minimum, median, maximum':>36}")
    for turns in (1, 20, 700):
        with tempfile.TemporaryDirectory() as folder:
            a, b = (read(os.path.join(folder, name)) for name in make_pair(folder, turns, 0.03))
            size = sum(os.path.getsize(os.path.join(top, name)) for top, _, names in os.walk(folder) for name in names)
            os.chdir(folder)
            both = json.loads(a), json.loads(b)

            def from_bytes():
                return specified["compare"](json.loads(a), json.loads(b), lookup)

            repeated = max(1, 200 // turns)
            for name, theirs, ours in (
                ("objects", lambda: specified["compare"](*both, lookup), lambda: comparator.compare(*both, lookup)),
                ("bytes", from_bytes, lambda: comparator.compare_bytes(a, b, order)),
            ):
                rows = []
                for _ in range(options.runs * repeated):
                    (slow, expected), (fast, found) = timed(theirs), timed(ours)
                    if expected != found:
                        sys.exit(f"reports differ at {turns} turns")
                    rows.append((slow, fast))
                ratios = sorted(slow / fast for slow, fast in rows)
                slow, fast = (statistics.median(row[kind] for row in rows) * 1000 for kind in (0, 1))
                spread = f"{ratios[0]:.1f} {statistics.median(ratios):.1f} {ratios[-1]:.1f}"
                print(f"{turns:>6}{size:>12}{name:>10}{slow:>11.2f} ms{fast:>9.2f} ms{spread:>36}")
            os.chdir(ROOT)


main()
