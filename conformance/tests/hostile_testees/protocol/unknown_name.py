"""Answers under a name that nobody gave it."""

import json

from hostile import sends


def send(session, frame):
    frame["id"] = "k-" + "0" * 32
    session.send(json.dumps(frame).encode())


sends(send)
