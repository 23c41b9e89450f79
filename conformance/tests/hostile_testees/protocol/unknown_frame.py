"""Answers with a frame that nobody knows."""

from hostile import sends


def send(session, frame):
    session.write({"t": "judgement", "id": frame["id"]})


sends(send)
