"""Is honest in its first process, and another program in all later ones."""

from hostile import once, run, wrong


def trick(session):
    if once("between_sessions"):
        return
    honest = session.answer
    session.answer = lambda request: wrong(request) if len(request.docs["doc"]) > 4 else honest(request)


run(trick)
