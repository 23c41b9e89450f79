"""Declares another limit in each process, as if it were made for what is asked there."""

import secrets

from hostile import run


def trick(session):
    session.capabilities = {"max_integer": str((1 << 60) + secrets.randbits(59))}


run(trick)
