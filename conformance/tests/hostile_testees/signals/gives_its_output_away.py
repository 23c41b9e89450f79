"""Gives its output to a child that lives on, and ends."""

import os
import signal

from hostile import is_odd, run


def trick(session):
    honest = session.answer

    def answer(request):
        if is_odd(request):
            if os.fork() == 0:
                signal.pause()
            os._exit(0)
        return honest(request)

    session.answer = answer


run(trick)
