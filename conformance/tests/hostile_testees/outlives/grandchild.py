"""Forks twice, so that nobody knows the parent of what is left."""

import os
import signal

from hostile import run


def leave():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.closerange(0, 64)
            signal.pause()
        os._exit(0)
    os.wait()


def trick(session):
    bye = session.bye

    def leave_and_go():
        leave()
        bye()

    session.bye = leave_and_go


run(trick)
