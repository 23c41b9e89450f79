"""Reads the memory of the harness."""

import os

from hostile import attempts


def steal():
    with open(f"/proc/{os.getppid()}/mem", "rb", buffering=0) as memory:
        memory.read(0)


attempts(steal)
