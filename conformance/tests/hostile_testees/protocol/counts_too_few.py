"""Counts an answer less than it gave."""

from hostile import run


def trick(session):
    bye = session.bye

    def bye_with_less():
        session.served -= 1
        bye()

    session.bye = bye_with_less


run(trick)
