"""Moves into the namespaces of process 1."""

import ctypes

from hostile import attempts

LIBC = ctypes.CDLL(None, use_errno=True)


def called(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), "refused")


attempts(lambda: called(LIBC.setns(__import__("os").open("/proc/1/ns/mnt", 0), 0)))
