"""Says nothing about what it saw."""

import json

from hostile import sends


def send(session, frame):
    del frame["seen"]
    session.send(json.dumps(frame).encode())
    session.count(frame["id"], "accept")


sends(send)
