"""Asks a helper over the network of the machine."""

import socket

from hostile import KNOWN, ODD, attempts


def ask():
    with socket.create_connection(("127.0.0.1", KNOWN["helper"]["port"])) as asked:
        asked.sendall(ODD.hex().encode("ascii") + b"\n")
        with asked.makefile("rb") as answer:
            if bytes.fromhex(answer.read().decode("ascii")) != ODD:
                raise RuntimeError("no answer")


attempts(ask)
