"""Allows no question at all."""

from hostile import run


def trick(session):
    session.in_flight = 0


run(trick)
