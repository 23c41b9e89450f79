"""Refuses every question."""

from atp import reject

from hostile import run


def trick(session):
    session.answer = lambda request: reject("A_JSON")


run(trick)
