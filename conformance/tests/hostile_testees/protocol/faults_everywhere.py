"""Says of every question that it broke over it."""

from atp import fault

from hostile import run


def trick(session):
    session.answer = lambda request: fault("panic", "always")


run(trick)
