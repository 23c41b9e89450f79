"""Kills itself."""

import os
import signal

from hostile import is_odd, run


def trick(session):
    honest = session.answer

    def answer(request):
        if is_odd(request):
            os.kill(os.getpid(), signal.SIGKILL)
        return honest(request)

    session.answer = answer


run(trick)
