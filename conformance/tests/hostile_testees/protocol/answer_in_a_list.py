"""Puts its answer into a list."""

import json

from hostile import sends


def send(session, frame):
    session.send(json.dumps([frame]).encode())


sends(send)
