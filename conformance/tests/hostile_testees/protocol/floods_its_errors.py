"""Writes a hundred megabytes to its standard error, and answers wrongly then."""

import sys

from hostile import is_odd, run, wrong


def trick(session):
    honest = session.answer

    def answer(request):
        if not is_odd(request):
            return honest(request)
        for _ in range(100):
            sys.stderr.write("x" * 1_000_000)
        return wrong(request)

    session.answer = answer


run(trick)
