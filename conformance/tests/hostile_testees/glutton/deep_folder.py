"""Makes two thousand folders, each in the one before, and leaves the harness to remove them."""

import os

from hostile import attempts


def fill():
    os.chdir(os.environ["TMPDIR"])
    for _ in range(2000):
        os.mkdir("f")
        os.chdir("f")
    os.chdir("/")
    raise OverflowError("deep enough")


attempts(fill)
