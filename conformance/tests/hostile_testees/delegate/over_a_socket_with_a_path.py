"""Asks a helper over a socket with a path."""

import socket

from hostile import KNOWN, ODD, attempts


def ask():
    with socket.socket(socket.AF_UNIX) as asked:
        asked.connect(KNOWN["helper"]["path"])
        asked.sendall(ODD.hex().encode("ascii") + b"\n")
        with asked.makefile("rb") as answer:
            if bytes.fromhex(answer.read().decode("ascii")) != ODD:
                raise RuntimeError("no answer")


attempts(ask)
