"""Writes answers without end."""

from hostile import run


def trick(session):
    def bye():
        while True:
            session.send(b'{"t":"pong","n":1}')

    session.bye = bye


run(trick)
