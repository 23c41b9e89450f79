"""Writes its answer twice in one line."""

import json

from hostile import sends


def send(session, frame):
    session.send(json.dumps(frame).encode() * 2)


sends(send)
