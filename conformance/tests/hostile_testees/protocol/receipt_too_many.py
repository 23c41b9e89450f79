"""Says that it saw a document more."""

import json

from hostile import sends


def send(session, frame):
    frame["seen"]["more"] = "0" * 64
    session.send(json.dumps(frame).encode())
    session.count(frame["id"], "accept")


sends(send)
