"""Writes bytes that are not text."""

import json

from hostile import sends


def send(session, frame):
    session.send(json.dumps(frame).encode()[:-1] + b',"more":"\xff"}')


sends(send)
