"""Writes and never ends its line."""

from hostile import sends


def send(session, frame):
    session.output.write(b"x" * (9 << 20))
    session.output.flush()


sends(send)
