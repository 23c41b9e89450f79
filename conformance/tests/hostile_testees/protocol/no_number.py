"""Writes a number that JSON has not."""

import json

from hostile import sends


def send(session, frame):
    frame["more"] = float("nan")
    session.send(json.dumps(frame).encode())


sends(send)
