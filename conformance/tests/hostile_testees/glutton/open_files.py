"""Opens files until there are no more."""

import os

from hostile import attempts


def fill():
    os.chdir(os.environ["TMPDIR"])
    held = [open(os.devnull)]
    try:
        while len(held) < 10_000_000:
            held.append(open(os.devnull))
    finally:
        for file in held:
            file.close()


attempts(fill)
