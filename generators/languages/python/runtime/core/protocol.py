"""What both sides of ATP/1 share: frames, digests and the receipt of a session."""

from __future__ import annotations

import base64
import hashlib
from typing import Any

from . import jsontext

PROTOCOL = 1
LONGEST_LINE = 8 << 20

# The receipt of a session without answers.
NO_ANSWERS = "0" * 64

Frame = dict[str, Any]


def chained(chain: str, identity: str, verdict: str) -> str:
    """The session's receipt with one more answer in it."""
    return sha256(f"{chain}\n{identity}\n{verdict}".encode())


def sha256(octets: bytes) -> str:
    """A digest as the protocol spells it."""
    return hashlib.sha256(octets).hexdigest()


def decoded(text: str) -> bytes:
    """The bytes of a base64 text; ValueError if it is none, or not the one spelling of its bytes."""
    octets = base64.b64decode(text, validate=True)
    if base64.b64encode(octets).decode("ascii") != text:
        raise ValueError("bits are left over")
    return octets


def encoded(frame: Frame) -> bytes:
    """One frame as one line, without its end."""
    return jsontext.dumps(frame).encode("utf-8")
