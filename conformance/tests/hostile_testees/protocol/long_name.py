"""Says a name of a megabyte."""

from hostile import run


def trick(session):
    session.testee["name"] = "x" * (1 << 20)


run(trick)
