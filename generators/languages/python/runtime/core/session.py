"""The testee's side of ATP/1: one question a line on standard input, one answer a line on standard output."""

from __future__ import annotations

import base64
import sys
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

from . import jsontext
from .answers import Answer, Content, Doc, Unsupported
from .binding import Binding
from .declaration import undeclared
from .dispatch import Question, ask
from .protocol import LONGEST_LINE, NO_ANSWERS, PROTOCOL, Frame, chained, decoded, encoded, sha256

IN_FLIGHT = 8
BAD_FRAME = 3


class BadFrame(Exception):
    """What came is not a frame. Nothing after it can be trusted, so the session ends."""


class ReceiptFault(Exception):
    """A document did not arrive as it was sent, which says nothing about the implementation."""


class Session:
    """One run of the protocol. Questions are answered in the order they come, however many wait in the pipe."""

    def __init__(self, binding: Binding, testee: Mapping[str, str], source: BinaryIO, sink: BinaryIO) -> None:
        self.binding = binding
        self.testee = testee
        self.source = source
        self.sink = sink
        self.limit = LONGEST_LINE
        self.greeted = False
        self.served = 0
        self.chain = NO_ANSWERS

    def run(self) -> int:
        """Serves until goodbye or the end of the input; the result is the process's exit code."""
        try:
            while line := self.source.readline(self.limit + 1):
                if self.step(line):
                    break
        except BadFrame as error:
            print(f"shim: {error}", file=sys.stderr)
            return BAD_FRAME
        return 0

    def step(self, line: bytes) -> bool:
        """Does what one line asks; true when it was the last."""
        if not line.endswith(b"\n"):
            raise BadFrame(f"a line of more than {self.limit} bytes, or without its end: {line[:80]!r}")
        try:
            frame = jsontext.loads(line.decode("utf-8"))
        except ValueError as error:
            raise BadFrame(f"no JSON: {error}: {line[:80]!r}") from error
        kind = member(frame, "t", str)
        if kind == "hello" and not self.greeted:
            return not self.greet(frame)
        if kind == "case" and self.greeted:
            self.send_answer(frame)
        elif kind == "ping" and self.greeted:
            self.send({"t": "pong", "n": member(frame, "n", jsontext.Number)})
        elif kind == "bye" and self.greeted:
            self.send({"t": "bye", "served": self.served, "chain": self.chain})
            return True
        else:
            raise BadFrame(f"a frame {kind!r} that has no place here")
        return False

    def greet(self, frame: Frame) -> bool:
        """Picks a version and says what can be asked, or refuses."""
        offered = jsontext.plain(member(frame, "proto", list))
        if len(offered) != 2 or not all(isinstance(version, int) for version in offered):
            raise BadFrame("'proto' is not a range of versions")
        if not offered[0] <= PROTOCOL <= offered[1]:
            self.send({"t": "refuse", "why": "proto", "supported": [PROTOCOL]})
            return False
        self.greeted = True
        limits = frame.get("limits")
        if isinstance(limits, dict):
            self.limit = jsontext.plain(limits.get("line", self.limit))
        hello: Frame = {
            "t": "hello",
            "proto": PROTOCOL,
            "testee": self.testee,
            "shim": {"name": __name__, "version": "1"},
            "ops": self.binding.declared,
            "in_flight": IN_FLIGHT,
        }
        if self.binding.capabilities:
            hello["capabilities"] = self.binding.capabilities
        self.send(hello)
        return True

    def send_answer(self, frame: Frame) -> None:
        """Answers one question and keeps account of it."""
        identity = member(frame, "id", str)
        reply = {**self.answer(frame), "id": identity}
        line = encoded(reply)
        if len(line) > self.limit:
            message = f"the answer has {len(line)} bytes, more than limits.line"
            reply = {**fault("limit", message), "id": identity}
            line = encoded(reply)
        self.send_line(line)
        if reply["t"] == "answer":
            # Counted once it is written: a receipt is for what went out.
            self.served += 1
            self.chain = chained(self.chain, identity, reply["is"])

    def answer(self, frame: Frame) -> Frame:
        """The reply to a question. What the implementation lets escape is a fault, never a rejection."""
        op, args = member(frame, "op", str), member(frame, "args", dict)
        feature = undeclared(self.binding.declared, op, args)
        if feature:
            return {"t": "unsupported", "feature": feature}
        try:
            docs = {name: unpacked(name, parcel) for name, parcel in member(frame, "in", dict).items()}
        except ReceiptFault as error:
            return fault("receipt", str(error))
        root = Path(frame["root"]) if isinstance(frame.get("root"), str) else None
        seen = {name: sha256(octets) for name, octets in docs.items()}
        try:
            answer = ask(self.binding.implementation, Question(op, args, docs, root))
        except Unsupported:
            return {"t": "unsupported", "feature": op}
        except (Exception, SystemExit) as error:
            traceback.print_exc()
            return fault("panic", f"{type(error).__name__}: {error}")
        return {"t": "answer", "seen": seen, **answer_frame(answer)}

    def send(self, frame: Frame) -> None:
        self.send_line(encoded(frame))

    def send_line(self, line: bytes) -> None:
        # Passed on at once: the harness waits for it.
        self.sink.write(line + b"\n")
        self.sink.flush()


def answer_frame(answer: Answer) -> Frame:
    """An answer's members as they travel."""
    frame: Frame = {"is": answer.verdict, "out": {name: travelling(value) for name, value in answer.out.items()}}
    return {**frame, "codes": sorted(answer.codes)} if answer.verdict == "reject" else frame


def travelling(output: Content) -> Any:
    """An output as it travels: documents as text, bytes in base64."""
    if isinstance(output, Doc):
        return output.text
    return base64.b64encode(output).decode("ascii") if isinstance(output, bytes) else output


def fault(kind: str, message: str) -> Frame:
    """The implementation broke, and nobody knows what it would have said."""
    # A message may quote a lone surrogate, which no frame can hold.
    return {"t": "fault", "kind": kind, "message": message.encode("utf-8", "backslashreplace").decode("utf-8")}


def unpacked(name: str, parcel: Any) -> bytes:
    """A document's bytes, if they are the ones that were sent."""
    try:
        octets = decoded(member(parcel, "b64", str))
    except ValueError as error:
        raise ReceiptFault(f"in.{name}: b64 does not decode: {error}") from error
    stated, found = member(parcel, "sha256", str), sha256(octets)
    if found != stated:
        raise ReceiptFault(f"in.{name}: the bytes have SHA-256 {found}, not the stated {stated}")
    return octets


def member(frame: Any, name: str, kind: type) -> Any:
    """A member that a frame owes."""
    value = frame.get(name) if isinstance(frame, dict) else None
    if not isinstance(value, kind):
        raise BadFrame(f"{name!r} is missing or of a wrong type")
    return value
