"""Refuses to speak."""

from hostile import run


def trick(session):
    def refuse(frame):
        session.write({"t": "refuse", "why": "no", "supported": [2]})
        return True

    session.hello = refuse


run(trick)
