"""Ends without a goodbye."""

from hostile import run


def trick(session):
    session.bye = lambda: None


run(trick)
