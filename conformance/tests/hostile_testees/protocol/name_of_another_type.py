"""Answers under a name that is a number."""

import json

from hostile import sends


def send(session, frame):
    frame["id"] = 7
    session.send(json.dumps(frame).encode())


sends(send)
