"""Makes itself an administrator of a namespace of its own, and mounts there."""

import ctypes

from hostile import attempts

LIBC = ctypes.CDLL(None, use_errno=True)


def called(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), "refused")


attempts(lambda: called(LIBC.unshare(0x10020000) or LIBC.mount(b"tmpfs", b"/tmp", b"tmpfs", 0, None)))
