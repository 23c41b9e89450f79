"""The core, as native code."""

COMPARATOR: str
"""The specification's comparator, for the words of its exceptions."""

def answer(frame: bytes, /) -> bytes:
    """Answers a frame. Other threads run meanwhile."""
