"""Says hello in the middle."""

from hostile import sends


def send(session, frame):
    session.write({"t": "hello", "proto": 1, "testee": session.testee, "ops": session.ops, "in_flight": 1})


sends(send)
