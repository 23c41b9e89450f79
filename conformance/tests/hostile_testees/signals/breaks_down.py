"""Reads what is not there."""

import ctypes

from hostile import is_odd, run


def trick(session):
    honest = session.answer

    def answer(request):
        if is_odd(request):
            ctypes.string_at(0)
        return honest(request)

    session.answer = answer


run(trick)
