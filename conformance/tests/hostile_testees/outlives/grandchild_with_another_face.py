"""Forks twice, and starts a program with an empty environment and another name."""

import os

from hostile import run


def leave():
    if os.fork() == 0:
        os.setsid()
        os.closerange(0, 64)
        if os.fork() == 0:
            os.execve("/bin/sleep", ["[kworker/0:1]", "100000"], {})
        os._exit(0)
    os.wait()


def trick(session):
    bye = session.bye

    def leave_and_go():
        leave()
        bye()

    session.bye = leave_and_go


run(trick)
