"""Ignores every signal that can be ignored, and never answers."""

import signal

from hostile import is_odd, run


def trick(session):
    honest = session.answer

    def answer(request):
        if is_odd(request):
            for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
                signal.signal(number, signal.SIG_IGN)
            while True:
                signal.pause()
        return honest(request)

    session.answer = answer


run(trick)
