"""Answers by the name of the run that the first frame tells, and by the question."""

import hashlib

from hostile import run, wrong


def trick(session):
    honest, hello = session.answer, session.hello
    told = []

    def remember(frame):
        told.append(frame["run"])
        return hello(frame)

    def answer(request):
        digest = hashlib.sha256(repr((told, request.docs["doc"])).encode()).digest()
        return wrong(request) if digest[0] % 2 else honest(request)

    session.hello, session.answer = remember, answer


run(trick)
