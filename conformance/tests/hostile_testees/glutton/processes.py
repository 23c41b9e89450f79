"""Starts processes until there are no more."""

import os
import signal

from hostile import attempts


def fork():
    started = []
    try:
        while len(started) < 5000:
            child = os.fork()
            if child == 0:
                signal.pause()
            started.append(child)
    finally:
        for child in started:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


attempts(fork)
