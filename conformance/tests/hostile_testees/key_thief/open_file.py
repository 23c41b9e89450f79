"""Reads every file that it finds open, as a caller of the harness may have left the key."""

import os

from hostile import attempts


def steal():
    for number in range(3, 256):
        try:
            text = os.pread(number, 4096, 0)
        except OSError:
            continue
        if b"PRIVATE KEY" in text:
            return
    raise LookupError("nothing is open")


attempts(steal)
