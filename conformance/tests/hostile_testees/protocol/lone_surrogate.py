"""Writes half a character."""

import json

from hostile import sends


def send(session, frame):
    frame["out"]["sha256"] = "\ud800"
    session.send(json.dumps(frame).encode())


sends(send)
