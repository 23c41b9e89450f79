"""Writes a line after its goodbye."""

from hostile import run


def trick(session):
    bye = session.bye

    def bye_and_more():
        bye()
        session.send(b"{}")

    session.bye = bye_and_more


run(trick)
