"""Gives another chain of its answers."""

from hostile import run


def trick(session):
    bye = session.bye

    def bye_with_another():
        session.chain = "0" * 63 + "1"
        bye()

    session.bye = bye_with_another


run(trick)
