"""Kills every process that it can reach."""

import os
import signal

from hostile import attempts


def kill():
    os.kill(-1, signal.SIGKILL)


attempts(kill)
