"""Takes every file for the same lawful turn."""

import io


from files import compares


first = []


def opened(path, honest):
    text = honest(path).read()
    first.append(text)
    return io.StringIO(first[0])


compares(opened)
