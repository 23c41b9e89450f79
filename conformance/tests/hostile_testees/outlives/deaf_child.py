"""Leaves a child that ignores every signal that can be ignored."""

import os
import signal

from hostile import run


def leave():
    if os.fork() == 0:
        for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
            signal.signal(number, signal.SIG_IGN)
        while True:
            signal.pause()


def trick(session):
    bye = session.bye

    def leave_and_go():
        leave()
        bye()

    session.bye = leave_and_go


run(trick)
