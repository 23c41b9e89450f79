"""Writes an empty line before its answer."""

import json

from hostile import sends


def send(session, frame):
    session.send(b"")
    session.send(json.dumps(frame).encode())


sends(send)
