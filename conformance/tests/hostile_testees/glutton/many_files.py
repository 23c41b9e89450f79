"""Makes files until there are no more."""

import os

from hostile import attempts


def fill():
    os.chdir(os.environ["TMPDIR"])
    for number in range(100_000):
        os.mkdir(str(number))


attempts(fill)
