"""Says another name in each process."""

import secrets

from hostile import run


def trick(session):
    session.testee["version"] = secrets.token_hex(8)


run(trick)
