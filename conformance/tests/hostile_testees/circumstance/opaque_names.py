"""Answers by the opaque name of the question."""

from hostile import run, wrong


def trick(session):
    honest, case = session.answer, session.case
    named = []

    def remember(frame):
        named.append(frame["id"])
        case(frame)

    session.case = remember
    session.answer = lambda request: wrong(request) if int(named[-1][-1], 16) % 2 else honest(request)


run(trick)
