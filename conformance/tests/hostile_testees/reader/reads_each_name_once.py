"""Reads a file again only if no file of that name was read before."""

import io


from files import compares


known = {}


def opened(path, honest):
    if path not in known:
        known[path] = honest(path).read()
    return io.StringIO(known[path])


compares(opened)
