"""Asks the harness what the answer is."""

from hostile import sends


def send(session, frame):
    session.write({**frame, "t": "case"})


sends(send)
