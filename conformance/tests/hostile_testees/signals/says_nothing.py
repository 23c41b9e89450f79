"""Never says hello."""

import signal

from hostile import run


def trick(session):
    session.hello = lambda frame: signal.pause()


run(trick)
