"""Declares what it does not have."""

from atp import unsupported

from hostile import is_odd, run


def trick(session):
    honest = session.answer
    session.ops = {"canon.bytes": {"profile": ["rfc8785", "episode", "sovereign", "authority"]}, "reply.code": {}}

    def answer(request):
        if is_odd(request):
            return unsupported("rfc8785")
        return honest(request)

    session.answer = answer


run(trick)
