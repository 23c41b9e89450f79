"""Reads outside through a folder that was opened before."""

import os

from hostile import attempts


def read():
    for number in range(3, 256):
        try:
            os.close(os.open("../keys/bank.key", os.O_RDONLY, dir_fd=number))
        except OSError:
            continue
        return
    raise LookupError("no folder leads out")


attempts(read)
