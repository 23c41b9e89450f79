"""Takes more memory than it may have."""

from hostile import attempts

attempts(lambda: len(bytearray(600 << 20)))
