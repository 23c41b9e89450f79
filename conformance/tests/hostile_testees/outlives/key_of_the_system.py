"""Leaves a key for later sessions, which the system keeps for the user."""

import ctypes
import platform

from hostile import attempts

LIBC = ctypes.CDLL(None, use_errno=True)
ADD_KEY = 248 if platform.machine() == "x86_64" else 217


def called(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), "refused")


attempts(lambda: called(LIBC.syscall(ADD_KEY, b"user", b"assize-hostile", b"1", 1, -3)))
