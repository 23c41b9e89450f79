#!/usr/bin/env python3
"""Every comparison of speed in one sitting: what Assize takes against its floor and its peers, as whole processes.

The ways to do a work run one after the other in each round, so that a busy machine slows all of them. Figures are ratios of what
was measured side by side, or seconds or megabytes where nothing stands beside: smallest, median and largest of the rounds, the
aim, and whether the median meets it. Nothing is asserted about a time: it is a fact about a machine.

    .ci/bench                       # builds what is measured, and runs this
    .ci/bench --only certify        # rows whose work has this in its name
    .ci/bench --scale 0.01          # a hundredth of the work: whether every row still does what it says

Inputs are made once and kept below target/bench/inputs. Needs only the standard library and, for rows on one core, taskset.
"""

import argparse
import os
import platform
import shutil
import statistics
import subprocess
import sys

import canonical
import compare
import harness
import ledger
import verbs
import verify_pack
from processes import RELEASE, ROOT, Way, newest

PARTS = (compare, canonical, verify_pack, ledger, verbs, harness)


class Sitting:
    """What rows ask: the binary, the floor, the processors, and where inputs are kept."""

    def __init__(self, chosen):
        self.assize = os.path.abspath(chosen.assize)
        self.floor = newest(os.path.join(RELEASE, "deps", "floor-*"))
        self.scale = chosen.scale
        self.inputs = os.path.abspath(chosen.folder)
        self.processors = {"0": "one core", "0,1": "two cores"}

    def scaled(self, count):
        return max(10, int(count * self.scale))

    def folder(self, name, make):
        """The folder of an input, made if it is not there yet, under another name first: a half-made input is never measured."""
        place = os.path.join(self.inputs, name)
        if not os.path.isdir(place):
            making = f"{place}.part"
            shutil.rmtree(making, ignore_errors=True)
            os.makedirs(making)
            make(making)
            os.rename(making, place)
        return place

    def reading(self, name, files):
        """The floor over these files."""
        listing = os.path.join(self.inputs, f"{name}.list")
        with open(listing, "w", encoding="utf-8") as file:
            file.writelines(f"{path}\n" for path in files)
        return Way([self.floor, "--list", listing])


def table(row, rounds):
    costs = row.costs(rounds)
    for figure in row.figures:
        values = sorted(figure.values(costs))
        median = statistics.median(values)
        aim, met = figure.aim(median)
        print(f"{row.work:<65}{figure.title:<24}{values[0]:>9.2f}{median:>9.2f}{values[-1]:>9.2f}  {aim:<13}{'' if met else 'missed'}".rstrip(), flush=True)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--only", default="", help="rows whose work has this in its name")
    options.add_argument("--rounds", type=int, default=7)
    options.add_argument("--scale", type=float, default=1.0, help="how much of the work is done")
    options.add_argument("--folder", default=os.path.join(ROOT, "target", "bench", "inputs"), help="where inputs are made and kept")
    options.add_argument("--assize", default=os.path.join(RELEASE, "assize"))
    chosen = options.parse_args()
    if not shutil.which("taskset"):
        sys.exit("no taskset here: the rows are of one core and of two")
    sitting = Sitting(chosen)
    os.makedirs(sitting.inputs, exist_ok=True)
    backend = subprocess.run([sitting.floor, "--backend"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    print(f"{platform.machine()}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.2f}, {backend}, {chosen.rounds} rounds")
    print(f"{'work':<65}{'figure':<24}{'least':>9}{'median':>9}{'most':>9}  {'aim':<13}", flush=True)
    for part in PARTS:
        for row in part.rows(sitting):
            if chosen.only in row.work:
                table(row, chosen.rounds)


if __name__ == "__main__":
    main()
