"""Nests a member that nobody knows a hundred thousand levels deep."""

import json

from hostile import sends


def send(session, frame):
    frame["more"] = "here"
    deep = b"[" * 100_000 + b"]" * 100_000
    session.send(json.dumps(frame).encode().replace(b'"here"', deep))
    session.count(frame["id"], "accept")


sends(send)
