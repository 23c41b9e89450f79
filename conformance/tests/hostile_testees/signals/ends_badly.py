"""Ends with 3 after its goodbye."""

import os

from hostile import run


def trick(session):
    bye = session.bye

    def bye_oddly():
        bye()
        os._exit(3)

    session.bye = bye_oddly


run(trick)
