"""Rejects, and gives no codes."""

import json

from hostile import sends


def send(session, frame):
    del frame["out"]
    frame["is"] = "reject"
    session.send(json.dumps(frame).encode())


sends(send)
