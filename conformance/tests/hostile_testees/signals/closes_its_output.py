"""Closes its output and lives on."""

import os
import signal

from hostile import is_odd, run


def trick(session):
    honest = session.answer

    def answer(request):
        if is_odd(request):
            os.close(1)
            signal.pause()
        return honest(request)

    session.answer = answer


run(trick)
