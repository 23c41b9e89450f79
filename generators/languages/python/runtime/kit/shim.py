"""Serves the implementation over ATP/1: `assize certify -- python3 -m PACKAGE.shim`."""

from __future__ import annotations

import os
import sys

from .binding import bind
from .declaration import NOTHING, SetupError
from .session import Session

UNUSABLE = 2


def main() -> int:
    """Serves one session; the result is the process's exit code."""
    # Standard output is the protocol's alone: from here on, what anything prints goes to standard error.
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    try:
        binding = bind()
    except SetupError as error:
        print(f"shim: {error}", file=sys.stderr)
        return UNUSABLE
    if not binding.declared:
        print(f"shim: {NOTHING}", file=sys.stderr)
        return UNUSABLE
    kind = type(binding.implementation)
    testee = {"name": kind.__name__, "version": getattr(kind, "version", "0"), "lang": "python"}
    return Session(binding, testee, sys.stdin.buffer, sink).run()


if __name__ == "__main__":
    sys.exit(main())
