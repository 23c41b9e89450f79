"""Ends with 0 in the middle."""

import os

from hostile import is_odd, run


def trick(session):
    honest = session.answer

    def answer(request):
        if is_odd(request):
            os._exit(0)
        return honest(request)

    session.answer = answer


run(trick)
