"""Reads as many blanks as a file has bytes."""

import io
import os


from files import compares


def opened(path, honest):
    return io.StringIO(" " * os.stat(path).st_size)


compares(opened)
