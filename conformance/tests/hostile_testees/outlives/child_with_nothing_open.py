"""Leaves a child that has closed everything."""

import os
import signal

from hostile import run


def leave():
    if os.fork() == 0:
        os.closerange(0, 64)
        signal.pause()


def trick(session):
    bye = session.bye

    def leave_and_go():
        leave()
        bye()

    session.bye = leave_and_go


run(trick)
