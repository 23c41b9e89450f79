"""Makes a folder in a folder until there is no room, and leaves the harness to remove them."""

import os

from hostile import attempts


def fill():
    os.chdir(os.environ["TMPDIR"])
    for _ in range(100_000):
        os.mkdir("f")
        os.chdir("f")


attempts(fill)
