"""Makes its own folder writable again."""

import ctypes

from hostile import attempts

LIBC = ctypes.CDLL(None, use_errno=True)


def called(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), "refused")


attempts(lambda: called(LIBC.mount(None, b"/", None, 0x1020, None)))
