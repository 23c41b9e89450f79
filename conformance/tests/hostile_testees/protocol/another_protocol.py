"""Picks a version that was not offered."""

from hostile import run


def trick(session):
    hello = session.write
    session.write = lambda frame: hello({**frame, "proto": 2} if frame["t"] == "hello" else frame)


run(trick)
