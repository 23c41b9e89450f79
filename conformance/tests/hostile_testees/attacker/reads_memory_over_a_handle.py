"""Opens a handle of process 1 and takes files out of it."""

import ctypes
import os

from hostile import attempts

LIBC = ctypes.CDLL(None, use_errno=True)


def called(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), "refused")


attempts(lambda: called(LIBC.syscall(438, os.pidfd_open(1), 9, 0)))
