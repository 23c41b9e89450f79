"""Declares a depth that it does not hold to."""

from atp import reject

from hostile import run


def trick(session):
    session.capabilities = {"max_depth": 64}
    honest = session.answer

    def answer(request):
        if request.docs["doc"].count(b"[") >= 64:
            return reject("A_LIMIT")
        return honest(request)

    session.answer = answer


run(trick)
