"""Nests an output two hundred levels deep."""

import json

from hostile import sends


def send(session, frame):
    frame["out"]["bytes"] = "here"
    deep = b"[" * 200 + b"]" * 200
    session.send(json.dumps(frame).encode().replace(b'"here"', deep))
    session.count(frame["id"], "accept")


sends(send)
