"""Accepts, and gives codes as well."""

import json

from hostile import sends


def send(session, frame):
    frame["codes"] = []
    session.send(json.dumps(frame).encode())


sends(send)
