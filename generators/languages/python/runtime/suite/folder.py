"""The folder of one case: empty, its alone, and gone afterwards."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from .cases import Entry


class CannotLayOut(Exception):
    """This machine or user cannot make what the case needs; the case says nothing here."""


@contextmanager
def case_folder(entries: Sequence[Entry]) -> Iterator[Path]:
    """Lays out files in a fresh folder and hands over its path."""
    for entry in entries:
        _stay_inside(entry.path)
    root = tempfile.mkdtemp(prefix="assize-")
    try:
        for entry in entries:
            _make(os.fsencode(root), entry)
        yield Path(root)
    finally:
        shutil.rmtree(root, ignore_errors=True)


def _stay_inside(path: str) -> None:
    # What this system takes for more than a name, as it may a drive, is none.
    names = path.split("/")
    if "\0" in path or any(name in ("", ".", "..") or os.path.basename(name) != name for name in names):
        raise ValueError(f"files: {path!r} is not a relative path of plain names")


def _make(root: bytes, entry: Entry) -> None:
    # Names are bytes from here on: a locale without UTF-8 could not spell all of them.
    path = root
    for name in entry.path.encode("utf-8").split(b"/"):
        path = os.path.join(path, name)
        if os.path.islink(path):
            raise ValueError(f"files: {entry.path!r} leads through a link of the same case")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if entry.kind == "directory":
        os.makedirs(path, exist_ok=True)
    elif entry.kind == "symlink":
        os.symlink(entry.target.encode("utf-8"), path)
    else:
        with open(path, "xb") as file:
            file.write(entry.octets)
        if entry.kind == "unreadable":
            _forbid(path)


def _forbid(path: bytes) -> None:
    os.chmod(path, 0)
    try:
        with open(path, "rb"):
            pass
    except PermissionError:
        return
    raise CannotLayOut("this user reads files without permission, as root does")
