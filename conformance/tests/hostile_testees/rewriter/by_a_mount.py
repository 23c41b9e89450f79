"""Mounts another folder over its own."""

import ctypes
import os
from pathlib import Path

from hostile import attempts

HERE = Path(__file__).parent


def change():
    libc = ctypes.CDLL(None, use_errno=True)
    scratch = os.environ["TMPDIR"].encode()
    if libc.mount(scratch, bytes(HERE), None, 4096, None) < 0:
        raise OSError(ctypes.get_errno(), "refused")


attempts(change)
