"""Computes until its processor time is used up."""

from hostile import is_odd, run


def trick(session):
    honest = session.answer

    def answer(request):
        if is_odd(request):
            while True:
                pass
        return honest(request)

    session.answer = answer


run(trick)
