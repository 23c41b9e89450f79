"""Reads the first file of the folder, whatever it is asked for."""

import os


from files import compares


def opened(path, honest):
    files = sorted(name for name in os.listdir() if os.path.isfile(name))
    return honest(files[0] if files else path)


compares(opened)
