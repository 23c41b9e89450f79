#!/usr/bin/env python3
"""Testees with one planted fault each: an honest one, whose questions are listened to and whose answers are altered.

wrong.py FAULT BINARY [CLOCK]      serve ATP/1 as BINARY testee does, with that fault, by the clock of that file
"""

import base64
import json
import os
import subprocess
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "wrong_testees"))

import held_clock  # noqa: E402


def has_minus_zero(frame):
    """Whether a document of the question holds the token -0."""
    return any(b"-0" in base64.b64decode(doc["b64"]) for doc in frame.get("in", {}).values())


class Fault:
    """Nothing: what is asked and what is answered go through."""

    asked = 0

    def before(self, frame):
        """Looks at a question."""

    def after(self, frame):
        """Alters an answer."""


class IntegrityUnchecked(Fault):
    """Takes a pack that does not hold together for one that matches."""

    def after(self, frame):
        if frame["out"].get("verdict") == "INTEGRITY_FAIL":
            frame["out"]["verdict"] = "MATCH"


class ChainUnchecked(Fault):
    """Accepts a ledger whose hashes do not hold."""

    def after(self, frame):
        if frame.get("codes") == ["authority/ledger-integrity"]:
            frame.update({"is": "accept", "out": {}})
            del frame["codes"]


class Crashes(Fault):
    """Ends at the token -0."""

    def before(self, frame):
        if has_minus_zero(frame):
            os._exit(9)


class Hangs(Fault):
    """Never answers where the token -0 stands."""

    def before(self, frame):
        if has_minus_zero(frame):
            held_clock.hang()


class HangsAgain(Fault):
    """Answers the first question of all its processes, and never again."""

    def before(self, frame):
        try:
            open(f"{held_clock.path}.asked", "x").close()
        except FileExistsError:
            held_clock.hang()


class Moody(Fault):
    """Rejects every second question."""

    def after(self, frame):
        self.asked += 1
        if self.asked % 2 == 0:
            frame.update({"is": "reject", "codes": ["A_JSON"], "out": {}})


class Tidies(Fault):
    """Rejects everything, and takes an empty folder away."""

    def after(self, frame):
        if os.path.isdir("gone"):
            os.rmdir("gone")
        frame.update({"is": "reject", "codes": ["A_LIMIT"], "out": {}})


class Held(Fault):
    """Rejects everything. Once the search has begun, which asks after two questions of its start, it makes a file, and
    answers when that is gone."""

    def after(self, frame):
        self.asked += 1
        if self.asked == 4:
            open("held", "w").close()
            while os.path.exists("held"):
                time.sleep(0.01)
        frame.update({"is": "reject", "codes": ["A_LIMIT"], "out": {}})


FAULTS = {
    "honest": Fault,
    "integrity-unchecked": IntegrityUnchecked,
    "chain-unchecked": ChainUnchecked,
    "crashes": Crashes,
    "hangs": Hangs,
    "hangs-again": HangsAgain,
    "moody": Moody,
    "tidies": Tidies,
    "held": Held,
}


def main(name, binary, clock=None):
    """Hands every frame on, one at a time."""
    held_clock.path = clock
    fault = FAULTS[name]()
    inner = subprocess.Popen([binary, "testee"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    for line in sys.stdin.buffer:
        frame = json.loads(line)
        if frame["t"] == "case":
            fault.before(frame)
        inner.stdin.write(line)
        inner.stdin.flush()
        reply = json.loads(inner.stdout.readline())
        if reply["t"] == "hello":
            reply["in_flight"] = 1
        if reply["t"] == "answer":
            reply.setdefault("out", {})
            fault.after(reply)
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()
        if reply["t"] == "bye":
            break
    inner.stdin.close()
    inner.wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
