"""Leaves fifty children."""

import os
import signal

from hostile import run


def leave():
    for _ in range(50):
        if os.fork() == 0:
            os.setsid()
            signal.pause()


def trick(session):
    bye = session.bye

    def leave_and_go():
        leave()
        bye()

    session.bye = leave_and_go


run(trick)
