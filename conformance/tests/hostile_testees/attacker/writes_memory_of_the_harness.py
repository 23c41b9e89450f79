"""Writes into the memory of its parent."""

import ctypes
import os

from hostile import attempts

LIBC = ctypes.CDLL(None, use_errno=True)


def called(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), "refused")


class Piece(ctypes.Structure):
    """A piece of memory, as the system call takes it."""

    _fields_ = [("start", ctypes.c_void_p), ("length", ctypes.c_size_t)]


BYTE = ctypes.create_string_buffer(1)
HERE, THERE = Piece(ctypes.addressof(BYTE), 1), Piece(0x1000, 1)

attempts(lambda: called(LIBC.process_vm_writev(os.getppid(), ctypes.byref(HERE), 1, ctypes.byref(THERE), 1, 0)))
