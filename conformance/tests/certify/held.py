#!/usr/bin/env python3
"""An honest canonicalizer that a test can hold.

held.py SHIMS BANK NUMBER FILE      at its case NUMBER it makes FILE, and answers once that is gone

Whoever sees the file knows that the cases before are answered and this one is not.
"""

import os
import sys
import time

sys.dont_write_bytecode = True
sys.path[:0] = sys.argv[1:3]

from atp import Session  # noqa: E402
from honest_canonical import FRAMES, SOVEREIGN  # noqa: E402

number, file = int(sys.argv[3]), sys.argv[4]
cases = 0


def answer(request):
    """Answers a case."""
    global cases
    cases += 1
    if cases == number:
        open(file, "w").close()
        while os.path.exists(file):
            time.sleep(0.01)
    return SOVEREIGN.answer(request)


sys.setrecursionlimit(FRAMES)
sys.exit(Session("held", "1", {"canon.bytes": {"profile": ["sovereign"]}}, answer).run())
