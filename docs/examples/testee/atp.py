"""The testee's side of ATP/1, the line protocol of Assize, for testees and shims in Python.

Copy this file next to your own and write a function from a `Request` to an answer:

    from atp import accept, reject, serve

    def answer(request):
        octets = request.docs["doc"]
        ...
        return accept(bytes=base64_text(octets), sha256=...)     # or reject("A_JSON")

    serve("my-kernel", "1.0", {"canon.bytes": {"profile": ["rfc8785"]}}, answer)

Standard library only. Standard output belongs to the protocol: print to standard error, or not at all.
"""

import base64
import hashlib
import json
import sys
import traceback
from typing import Any, Callable, Dict, NamedTuple, Optional

PROTOCOL = 1
DEFAULT_LINE = 8 << 20
BAD_INPUT = 3


class Request(NamedTuple):
    """One question. `docs` holds the exact bytes to judge; `root` is the case's folder, if it has one."""

    op: str
    args: Dict[str, Any]
    docs: Dict[str, bytes]
    root: Optional[str]
    ms: int


class BadFrame(Exception):
    """What the harness sent is not a frame. Nothing after it can be trusted, so the session ends."""


class ReceiptFault(Exception):
    """A document did not arrive as it was sent. That says nothing about the implementation under test."""


def accept(**out):
    """The implementation accepts; `out` as it travels: doc as JSON text, bytes as base64, value as plain JSON."""
    return {"t": "answer", "is": "accept", "out": out}


def reject(*codes, **out):
    """The implementation refuses. This is a judgement: a crash or an exception is not one."""
    return {"t": "answer", "is": "reject", "codes": list(codes), "out": out}


def unsupported(feature):
    """The implementation does not have this. Only for what was not declared."""
    return {"t": "unsupported", "feature": feature}


def fault(kind, message):
    """The implementation broke, so its answer is unknown."""
    # A message may quote a lone surrogate, which no frame can hold.
    return {"t": "fault", "kind": kind, "message": message.encode("utf-8", "backslashreplace").decode("utf-8")}


def base64_text(octets):
    """Bytes as they travel."""
    return base64.b64encode(octets).decode("ascii")


class Session:
    """One run of the protocol over two binary streams."""

    def __init__(self, testee, version, ops, answer, in_flight=1, shim=None, capabilities=None):
        self.testee = {"name": testee, "version": version, "lang": "python"}
        self.shim = shim
        self.ops = ops
        self.capabilities = capabilities
        self.answer = answer
        self.in_flight = in_flight
        self.limit = DEFAULT_LINE
        self.greeted = False
        self.served = 0
        self.chain = "0" * 64
        self.input = sys.stdin.buffer
        self.output = sys.stdout.buffer

    def run(self):
        """Serves until goodbye or the end of the input; the result is the exit code of the process."""
        try:
            while (line := self.read()) is not None:
                if self.step(line):
                    break
        except BadFrame as error:
            print(f"atp: {error}; see the protocol's page for the frames", file=sys.stderr)
            return BAD_INPUT
        return 0

    def read(self):
        """The next line without its line feed; None at the end of the input."""
        line = self.input.readline(self.limit + 1)
        if not line:
            return None
        if not line.endswith(b"\n"):
            raise BadFrame(f"a line of more than {self.limit} bytes, or without its line feed: {line[:80]!r}")
        return line[:-1]

    def step(self, line):
        """Does what one line asks; true when it was the last one."""
        try:
            frame = json.loads(line.decode("utf-8"))
        except (ValueError, RecursionError) as error:
            raise BadFrame(f"no JSON: {error}: {line[:80]!r}") from error
        kind = member(frame, "t", str)
        if kind == "hello" and not self.greeted:
            return self.hello(frame)
        if kind == "case" and self.greeted:
            self.case(frame)
        elif kind == "ping" and self.greeted:
            self.write({"t": "pong", "n": member(frame, "n", int)})
        elif kind == "bye" and self.greeted:
            self.bye()
            return True
        else:
            raise BadFrame(f"a frame {kind!r} that has no place here")
        return False

    def hello(self, frame):
        """Picks a version and states what can be asked, or refuses; true when it refuses."""
        offered = member(frame, "proto", list)
        if not min(offered) <= PROTOCOL <= max(offered):
            self.write({"t": "refuse", "why": "proto", "supported": [PROTOCOL]})
            return True
        self.greeted = True
        self.limit = frame.get("limits", {}).get("line", DEFAULT_LINE)
        greeting = {
            "t": "hello",
            "proto": PROTOCOL,
            "testee": self.testee,
            "ops": self.ops,
            "in_flight": self.in_flight,
        }
        if self.shim:
            greeting["shim"] = self.shim
        if self.capabilities is not None:
            greeting["capabilities"] = self.capabilities
        self.write(greeting)
        return False

    def case(self, frame):
        """Answers one question."""
        identity, parcels = member(frame, "id", str), member(frame, "in", dict)
        op, args, ms = member(frame, "op", str), member(frame, "args", dict), member(frame, "ms", int)
        try:
            docs = {name: self.unpack(name, parcel) for name, parcel in parcels.items()}
        except ReceiptFault as error:
            self.write({**fault("receipt", str(error)), "id": identity})
            return
        self.reply(identity, docs, self.judge(Request(op, args, docs, frame.get("root"), ms)))

    def unpack(self, name, parcel):
        """The document's bytes, if they are the ones that were sent."""
        text, stated = member(parcel, "b64", str), member(parcel, "sha256", str)
        try:
            octets = base64.b64decode(text, validate=True)
        except ValueError as error:
            raise ReceiptFault(f"in.{name}: b64 does not decode: {error}") from error
        found = hashlib.sha256(octets).hexdigest()
        if found != stated:
            raise ReceiptFault(f"in.{name}: the bytes have SHA-256 {found}, not the stated {stated}")
        return octets

    def judge(self, request):
        """The answer to a question; an exception that leaves the implementation is a fault, never a rejection."""
        choices = self.ops.get(request.op)
        if choices is None:
            return unsupported(request.op)
        for name, values in choices.items():
            if request.args.get(name) not in values:
                return unsupported(f"{request.op}/{request.args.get(name)}")
        try:
            # A copy, so that an answer of the wrong shape is found here and blamed on the implementation too.
            return dict(self.answer(request))
        except Exception as error:  # any exception is the implementation's fault
            traceback.print_exc()
            return fault("panic", f"{type(error).__name__}: {error}")

    def seen(self, docs):
        """Receipts, taken from the bytes that were judged and not copied from the question."""
        return {name: hashlib.sha256(octets).hexdigest() for name, octets in docs.items()}

    def reply(self, identity, docs, answer):
        """Writes an answer and counts it."""
        frame = {**answer, "id": identity}
        if frame["t"] == "answer":
            frame["seen"] = self.seen(docs)
        try:
            line = encoded(frame)
        except (TypeError, ValueError) as error:
            line = encoded({**fault("panic", f"the answer has no JSON form: {error}"), "id": identity})
            frame = {"t": "fault"}
        if len(line) > self.limit:
            message = f"the answer has {len(line)} bytes, more than limits.line"
            line = encoded({**fault("limit", message), "id": identity})
            frame = {"t": "fault"}
        # Written before it is counted: a receipt is for what went out.
        self.send(line)
        if frame["t"] == "answer":
            self.count(identity, frame["is"])

    def count(self, identity, verdict):
        """Adds one answer to the receipt of the session."""
        self.served += 1
        self.chain = hashlib.sha256(f"{self.chain}\n{identity}\n{verdict}".encode("utf-8")).hexdigest()

    def bye(self):
        """Hands over the receipt of the session."""
        self.write({"t": "bye", "served": self.served, "chain": self.chain})

    def write(self, frame):
        """Writes one frame."""
        self.send(encoded(frame))

    def send(self, line):
        """Writes one line and flushes it at once: the harness waits for it."""
        self.output.write(line + b"\n")
        self.output.flush()


def member(frame, name, kind):
    """A member that a frame must have."""
    value = frame.get(name) if isinstance(frame, dict) else None
    if not isinstance(value, kind):
        raise BadFrame(f"{name!r} is missing or of a wrong type")
    return value


def encoded(frame):
    """One frame as one line, without the line feed."""
    return json.dumps(frame, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode("utf-8")


def serve(
    testee_name,
    version,
    ops,
    answer: Callable[[Request], Dict[str, Any]],
    in_flight=1,
    shim=None,
    capabilities=None,
):
    """Serves one session over standard input and output, and ends the process.

    `ops` is the declaration: each operation with the values it supports for its arguments. Declaring binds.
    `capabilities` says what else the testee can be asked; without it everything. Questions are answered in the order
    they come; an `in_flight` above 1 lets the harness send ahead.
    """
    sys.exit(Session(testee_name, version, ops, answer, in_flight, shim, capabilities).run())
