"""Gives the same answer twice."""

import json

from hostile import sends


def send(session, frame):
    for _ in range(2):
        session.send(json.dumps(frame).encode())
        session.count(frame["id"], "accept")


sends(send)
