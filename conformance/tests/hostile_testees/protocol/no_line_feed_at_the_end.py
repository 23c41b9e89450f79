"""Ends right after its answer, without a line feed."""

import json
import os

from hostile import sends


def send(session, frame):
    session.output.write(json.dumps(frame).encode())
    session.output.flush()
    os._exit(0)


sends(send)
