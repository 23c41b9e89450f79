"""Says goodbye and does not end."""

import signal

from hostile import run


def trick(session):
    bye = session.bye

    def bye_oddly():
        bye()
        signal.pause()

    session.bye = bye_oddly


run(trick)
