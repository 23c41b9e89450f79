"""Gives a text nested ten thousand levels deep where bytes belong."""

import json

from hostile import sends


def send(session, frame):
    frame["out"]["bytes"] = "[" * 10_000 + "]" * 10_000
    session.send(json.dumps(frame).encode())
    session.count(frame["id"], "accept")


sends(send)
