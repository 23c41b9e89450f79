"""Answers a ping with another number."""

from hostile import run


def trick(session):
    write = session.write
    session.write = lambda frame: write({**frame, "n": 2} if frame["t"] == "pong" else frame)


run(trick)
