"""Answers for testees that reach it: over the network of the machine, and over sockets with a path or an abstract name.

Prints where it listens, and ends when its input does. Whoever connects is told the canonical form of what it sends.
"""

import json
import os
import socket
import sys
import tempfile
import threading
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "wrong_testees"), str(HERE.parents[1] / "shims")]

from honest_canonical import RFC8785  # noqa: E402


def serve(listener):
    """Answers one question a connection."""
    while True:
        asked, _ = listener.accept()
        with asked, asked.makefile("rb") as lines:
            octets = bytes.fromhex(lines.readline().decode("ascii"))
            try:
                answer = RFC8785.canonical(octets).hex()
            except Exception:  # whatever has no canonical form
                answer = ""
            asked.sendall(answer.encode("ascii"))


def main():
    """Listens until the input ends."""
    with tempfile.TemporaryDirectory() as folder:
        network = socket.create_server(("127.0.0.1", 0))
        path, abstract = os.path.join(folder, "s"), f"\0assize-helper-{os.getpid()}"
        local, unnamed = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
        local.bind(path)
        unnamed.bind(abstract)
        for listener in (network, local, unnamed):
            listener.listen()
            threading.Thread(target=serve, args=(listener,), daemon=True).start()
        print(json.dumps({"port": network.getsockname()[1], "path": path, "abstract": abstract}), flush=True)
        sys.stdin.read()


main()
