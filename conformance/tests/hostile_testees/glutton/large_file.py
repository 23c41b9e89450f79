"""Makes a file larger than any may be."""

import os

from hostile import attempts


def fill():
    os.chdir(os.environ["TMPDIR"])
    with open("large", "wb") as file:
        file.truncate(2 << 30)


attempts(fill)
