"""Kills its process group."""

import os
import signal

from hostile import attempts

attempts(lambda: os.killpg(0, signal.SIGKILL))
