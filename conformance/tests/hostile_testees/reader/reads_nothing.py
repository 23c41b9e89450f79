"""Says of every file that it cannot be read."""

from files import compares


def opened(path, honest):
    raise FileNotFoundError(path)


compares(opened)
