"""Leaves a child that waits."""

import os
import signal

from hostile import run


def leave():
    if os.fork() == 0:
        signal.pause()


def trick(session):
    bye = session.bye

    def leave_and_go():
        leave()
        bye()

    session.bye = leave_and_go


run(trick)
