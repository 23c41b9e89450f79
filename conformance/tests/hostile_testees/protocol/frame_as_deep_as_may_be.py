"""Nests an output as deep as a frame may be, so that the report around it is deeper."""

import json

from hostile import sends


def send(session, frame):
    frame["out"]["bytes"] = "here"
    deep = b"[" * 125 + b"]" * 125
    session.send(json.dumps(frame).encode().replace(b'"here"', deep))
    session.count(frame["id"], "accept")


sends(send)
