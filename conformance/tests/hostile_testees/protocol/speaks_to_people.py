"""Writes a line for people before its answer."""

import json

from hostile import sends


def send(session, frame):
    session.send(b"everything is fine")
    session.send(json.dumps(frame).encode())


sends(send)
