"""The harness's side of ATP/1, one question at a time: drives any testee that is a command."""

from __future__ import annotations

import atexit
import base64
import os
import signal
import subprocess
import threading
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NoReturn

from . import jsontext
from .answers import Unsupported
from .protocol import LONGEST_LINE, NO_ANSWERS, PROTOCOL, Frame, chained, encoded, sha256

SECONDS = 30.0

# Names the command to the suite; a testee never sees it, lest it should drive itself.
VARIABLE = "ASSIZE_ADAPTER"


class TesteeError(Exception):
    """The testee broke: a fault of its own, a crash, a frame that is none, or no answer in time."""


class Testee:
    """A process that speaks ATP/1. One that breaks is ended, and the next question starts a new one."""

    def __init__(self, command: list[str]) -> None:
        self.command = command
        self.process: subprocess.Popen[bytes] | None = None
        self.served = 0
        self.chain = NO_ANSWERS
        atexit.register(self.close)

    def hello(self) -> Frame:
        """What the testee says of itself."""
        self._end()
        self.served, self.chain = 0, NO_ANSWERS
        self.process = subprocess.Popen(
            self.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={name: value for name, value in os.environ.items() if name != VARIABLE},
            # A group of its own, so that what it starts ends with it.
            start_new_session=os.name == "posix",
        )
        limits = {"line": LONGEST_LINE, "case_ms": int(SECONDS * 1000), "start_ms": int(SECONDS * 1000)}
        suite = {"rev": "suite", "sha256": "0" * 64}
        greeting = {"t": "hello", "proto": [PROTOCOL, PROTOCOL], "run": "suite", "suite": suite, "limits": limits}
        frame = self._exchange(greeting)
        if frame.get("t") != "hello":
            self._end()
            raise TesteeError(f"{self.command[0]} does not serve: {frame}")
        return frame

    def ask(self, op: str, args: Mapping[str, Any], docs: Mapping[str, bytes], root: str | None) -> Frame:
        """The answer to a question; `Unsupported` or TesteeError where there is none."""
        if self.process is None:
            self.hello()
        sent = {name: sha256(octets) for name, octets in docs.items()}
        identity = f"q-{self.served}-{self.chain[:8]}"
        parcels = {name: {"b64": base64.b64encode(docs[name]).decode("ascii"), "sha256": sent[name]} for name in docs}
        question: Frame = {
            "t": "case",
            "id": identity,
            "op": op,
            "args": args,
            "ms": int(SECONDS * 1000),
            "in": parcels,
        }
        if root is not None:
            question["root"] = root
        frame = self._exchange(question)
        if frame.get("id") != identity:
            self._broken(f"an answer to another question: {frame.get('id')!r}")
        if frame.get("t") == "unsupported":
            raise Unsupported(str(frame.get("feature")))
        if frame.get("t") == "fault":
            raise TesteeError(f"fault {frame.get('kind')}: {frame.get('message')}")
        if not _is_answer(frame):
            self._broken(f"no answer: {frame}")
        if frame.get("seen") != sent:
            self._broken(f"receipts {frame.get('seen')} for {sent}")
        self.served += 1
        self.chain = chained(self.chain, identity, frame["is"])
        return frame

    def close(self) -> None:
        """Says goodbye and checks the receipt of the session."""
        atexit.unregister(self.close)
        if self.process is None:
            return
        frame = self._exchange({"t": "bye"})
        self._end()
        served, chain = jsontext.plain(frame.get("served")), frame.get("chain")
        if (served, chain) != (self.served, self.chain):
            raise TesteeError(f"the session's receipt is {served}, {chain}; due were {self.served}, {self.chain}")

    def _exchange(self, frame: Frame) -> Frame:
        """Sends a frame and reads the one that comes back, both within the time limit."""
        process = self.process
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        # Ending the process unblocks a write that nobody reads as well as a read that nobody answers.
        timer = threading.Timer(SECONDS, _kill, [process])
        timer.start()
        try:
            process.stdin.write(encoded(frame) + b"\n")
            process.stdin.flush()
            line = process.stdout.readline(LONGEST_LINE + 1)
        except OSError:
            line = b""
        expired = not timer.is_alive()
        timer.cancel()
        if not line.endswith(b"\n"):
            late = f"no answer in {SECONDS:.0f} seconds"
            self._broken(late if expired else f"the process ended, or its line did: {line[:80]!r}")
        try:
            reply = jsontext.loads(line.decode("utf-8"))
        except ValueError as error:
            self._broken(f"no JSON: {error}: {line[:80]!r}")
        if not isinstance(reply, dict):
            self._broken(f"no frame: {line[:80]!r}")
        return reply

    def _broken(self, why: str) -> NoReturn:
        """Ends a testee that cannot be trusted any further."""
        self._end()
        raise TesteeError(why)

    def _end(self) -> None:
        process, self.process = self.process, None
        if process is None:
            return
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                # What it did not read is lost with it.
                with suppress(OSError):
                    pipe.close()
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=1)
        # Whether it ended by itself or not: what it started may still be there.
        _kill(process)
        process.wait()


def _is_answer(frame: Frame) -> bool:
    """Whether a frame has what an answer owes. What its outputs are is left to the judge."""
    if frame.get("t") != "answer" or not isinstance(frame.get("out", {}), dict):
        return False
    codes = frame.get("codes")
    listed = isinstance(codes, list) and all(isinstance(code, str) for code in codes)
    return frame.get("is") == "accept" or (frame.get("is") == "reject" and listed)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Ends a process with everything that it started."""
    if os.name == "posix":
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
