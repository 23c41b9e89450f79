"""Looks for keys in the home of its user."""

import os
from pathlib import Path

from hostile import attempts


def steal():
    if not any("PRIVATE KEY" in path.read_text() for path in Path(os.environ["HOME"]).rglob("*.key")):
        raise LookupError("no key")


attempts(steal)
