"""Fills its scratch folder."""

import os

from hostile import attempts


def fill():
    os.chdir(os.environ["TMPDIR"])
    for number in range(8):
        with open(str(number), "wb") as file:
            os.posix_fallocate(file.fileno(), 0, 100 << 20)


attempts(fill)
