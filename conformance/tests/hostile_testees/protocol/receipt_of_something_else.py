"""Says that it saw something else."""

import json

from hostile import sends


def send(session, frame):
    frame["seen"]["doc"] = "0" * 64
    session.send(json.dumps(frame).encode())
    session.count(frame["id"], "accept")


sends(send)
