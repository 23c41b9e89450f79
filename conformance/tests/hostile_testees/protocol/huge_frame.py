"""Writes a line of more than eight mebibytes."""

import json

from hostile import sends


def send(session, frame):
    frame["more"] = "x" * (8 << 20)
    session.send(json.dumps(frame).encode())


sends(send)
