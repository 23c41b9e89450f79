"""The clock by which a testee of the bank takes its time: that of the system, or one that a test holds.

A held clock is a file, and every byte of it is a second. A testee that is to be late adds to it, and nobody has to wait: however busy
the machine is, the honest part of a run takes no time at all.
"""

import math
import os
import time

HOUR = 3600

# The file of the clock, if a test holds it.
path = None


def sleep(seconds):
    """Lets this much time pass."""
    if path is None:
        time.sleep(seconds)
    else:
        with open(path, "ab", buffering=0) as hand:
            hand.write(b"." * math.ceil(seconds))


def hang():
    """Lets one hour pass after the other, until somebody ends this process."""
    while path is None or os.path.exists(path):
        sleep(HOUR)
        time.sleep(0.01)
    os._exit(1)
