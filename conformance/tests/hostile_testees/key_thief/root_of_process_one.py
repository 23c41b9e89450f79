"""Goes out through the root and the working folder of process 1."""

import os

from hostile import SCENE, attempts


def steal():
    for name in ("root", "cwd"):
        os.stat(f"/proc/1/{name}{SCENE}/keys/bank.key")


attempts(steal)
