"""Times whole processes: what the benchmark scripts of this folder share."""

import glob
import os
import subprocess
import sys
import time


def newest(pattern):
    """The newest program that a pattern names."""
    found = [path for path in glob.glob(pattern) if os.access(path, os.X_OK) and not path.endswith(".d")]
    if not found:
        sys.exit(f"nothing at {pattern}: run the cargo commands of this script's help first")
    return max(found, key=os.path.getmtime)


def seconds(command):
    """Runs a command to its end and returns the seconds of wall time; one that fails ends the measurement."""
    started = time.perf_counter()
    subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - started


def interleaved(commands, runs):
    """Milliseconds of each command over a number of rounds, after a round that is not counted."""
    for command in commands.values():
        seconds(command)
    times = {key: [] for key in commands}
    for _ in range(runs):
        for key, command in commands.items():
            times[key].append(seconds(command) * 1000)
    return times
