"""Turn files: which of a turn's paths is read, and that nothing outside the root ever is."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from kernel.errors import BadInput, Refusal
from kernel.reader import STRICT, read
from kernel.tree import is_text, member


def select_path(entry: bytes, root: Path | None) -> str:
    """The path of a turn entry that is read, spelled as in the entry."""
    paths = member(read(entry, STRICT), "paths")
    if not isinstance(paths, list):
        raise BadInput("a turn entry has an array `paths`", "/paths")
    for index, path in enumerate(paths):
        if not isinstance(path, str):
            raise BadInput("a path is a string", f"/paths/{index}")
    found = first_readable([path for path in paths if isinstance(path, str)], root)
    if found is None:
        raise Refusal("E_REPLAY_INPUT_MISSING", "none of the paths can be read")
    return found[0]


def first_readable(paths: list[str], root: Path | None) -> tuple[str, bytes] | None:
    """The first path, in code point order, whose file can be opened and read. What it holds is final."""
    if root is None:
        return None
    for path in sorted(paths):
        try:
            return path, _content(root, path)
        except (OSError, ValueError):
            continue  # no file, no permission, or a name that no file can have: as good as absent
    return None


def _content(root: Path, path: str) -> bytes:
    """The bytes of a regular file below the root, wherever links and dots may lead."""
    if not is_text(path) or not path or os.path.isabs(path):
        raise ValueError("no path below the root")
    # Encoded here: the locale's own encoding might not know every character.
    base = os.path.realpath(os.fsencode(root))
    name = path.encode("utf-8")
    real = os.path.realpath(os.path.join(base, name), strict=True)
    if os.path.commonpath([base, real]) != base:
        raise ValueError("outside the root")
    # A slash at the end, or a dot, asks for a folder; `realpath` would forget it. Opening a pipe would wait for ever.
    if not stat.S_ISREG(os.stat(os.path.join(base, name)).st_mode):
        raise ValueError("no regular file")
    with open(real, "rb") as file:
        return file.read()
