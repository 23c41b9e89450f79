"""Says goodbye, closes everything and lives on."""

import os
import signal

from hostile import run


def trick(session):
    bye = session.bye

    def bye_oddly():
        bye()
        os.closerange(0, 256)
        signal.pause()

    session.bye = bye_oddly


run(trick)
