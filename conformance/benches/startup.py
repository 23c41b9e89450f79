#!/usr/bin/env python3
"""Times whole processes: `assize laws`, `assize --version`, `assize certify --quick`, and /bin/true as the floor.

All run interleaved in one session, so that a busy machine slows all of them. Medians are printed, and nothing is
asserted: a time is a fact about a machine.

    cargo build --release -p assize
    python3 conformance/benches/startup.py target/release/assize [--runs 31]

Needs only the standard library.
"""

import argparse
import statistics
import subprocess
import time


def seconds(command):
    """Runs a command to its end and returns the seconds of wall time; one that fails ends the measurement."""
    started = time.perf_counter()
    subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - started


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("assize", help="path of the binary")
    parser.add_argument("--runs", type=int, default=31)
    options = parser.parse_args()
    commands = {
        "/bin/true": ["/bin/true"],
        "assize --version": [options.assize, "--version"],
        "assize laws": [options.assize, "laws"],
        "assize certify --quick": [options.assize, "certify", "--quick"],
    }
    for command in commands.values():
        seconds(command)
    times = {name: [] for name in commands}
    for _ in range(options.runs):
        for name, command in commands.items():
            times[name].append(seconds(command) * 1000)
    for name, taken in times.items():
        print(f"{name:24} median {statistics.median(taken):8.1f} ms   fastest {min(taken):8.1f} ms")


if __name__ == "__main__":
    main()
