"""Gives bytes where a digest belongs, a text nested ten thousand levels deep."""

import json

from hostile import sends


def send(session, frame):
    frame["out"]["sha256"] = "[" * 10_000 + "]" * 10_000
    session.send(json.dumps(frame).encode())
    session.count(frame["id"], "accept")


sends(send)
