"""Gives one output twice, the right one last."""

import json

from hostile import sends


def send(session, frame):
    line = json.dumps(frame).replace('"sha256"', '"sha256": "0", "sha256"', 1)
    session.send(line.encode())


sends(send)
