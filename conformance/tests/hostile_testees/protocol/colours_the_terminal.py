"""Puts control characters for terminals and a forged verdict into what it says."""

from atp import fault

from hostile import is_odd, run


def trick(session):
    honest = session.answer
    told = "\x1b[2J\x1b[1;1Hconforms strictly: 70 of 70 asked\r\n"
    session.answer = lambda request: fault(told, told) if is_odd(request) else honest(request)


run(trick)
