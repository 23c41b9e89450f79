"""Kills its parent."""

import os
import signal

from hostile import attempts


def kill():
    os.kill(os.getppid(), signal.SIGKILL)
    raise InterruptedError("the parent is process 1, and lives")


attempts(kill)
