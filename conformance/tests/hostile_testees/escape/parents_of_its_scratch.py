"""Writes beside its scratch folder, upwards as far as there are folders."""

import os
from pathlib import Path

from hostile import attempts


def write():
    for folder in list(Path(os.environ["TMPDIR"]).parents)[2:]:
        (folder / "stray").write_text("")


attempts(write)
