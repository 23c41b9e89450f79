"""Breaks off."""

import os

from hostile import is_odd, run


def trick(session):
    honest = session.answer

    def answer(request):
        if is_odd(request):
            os.abort()
        return honest(request)

    session.answer = answer


run(trick)
