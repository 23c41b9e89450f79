"""Makes a device, through which it would read the disk."""

import ctypes

from hostile import attempts

LIBC = ctypes.CDLL(None, use_errno=True)


def called(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), "refused")


attempts(lambda: called(LIBC.mknod(__import__("os").environ["TMPDIR"].encode() + b"/disk", 0o60600, 0xFE00)))
