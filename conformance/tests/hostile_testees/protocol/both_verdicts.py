"""Accepts and rejects in one frame."""

import json

from hostile import sends


def send(session, frame):
    line = json.dumps(frame)[:-1] + ', "is": "reject", "codes": []}'
    session.send(line.encode())


sends(send)
