"""Begins its line with a byte order mark."""

import json

from hostile import sends


def send(session, frame):
    session.send(b"\xef\xbb\xbf" + json.dumps(frame).encode())


sends(send)
