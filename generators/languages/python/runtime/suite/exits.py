"""An end of the process that the implementation asks for: a fault of its own, not the end of the run."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn


@contextmanager
def raised() -> Iterator[None]:
    """Has `os._exit` raise SystemExit: it would end pytest without a word, and with any exit code."""
    original, process = os._exit, os.getpid()

    def end(status: int) -> NoReturn:
        if os.getpid() != process:
            # A child of a fork ends so, and rightly.
            original(status)
        raise SystemExit(f"os._exit({status})")

    os._exit = end
    try:
        yield
    finally:
        os._exit = original
