"""Gives one receipt twice, the right one last."""

import json

from hostile import sends


def send(session, frame):
    line = json.dumps(frame).replace('"seen": {', '"seen": {"doc": "0", ', 1)
    session.send(line.encode())


sends(send)
