"""Accepts every question with the same answer."""

from hostile import run, wrong


def trick(session):
    session.answer = wrong


run(trick)
