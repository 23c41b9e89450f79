"""Rejects with one code twice."""

import json

from hostile import sends


def send(session, frame):
    del frame["out"]
    frame |= {"is": "reject", "codes": ["A_VALUE", "A_VALUE"]}
    session.send(json.dumps(frame).encode())


sends(send)
