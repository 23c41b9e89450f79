"""Files as a tree by path, and folders on disk as such trees. Nothing is followed and nothing outside is read."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

# Exact bytes, a text that stands for its UTF-8, or a file that is read.
Content: TypeAlias = "bytes | bytearray | memoryview | str | os.PathLike[str]"


@dataclass(frozen=True)
class Directory:
    """A folder. Those of what lies in them need not be named."""


@dataclass(frozen=True)
class Link:
    """A link, and where it leads: a path from the folder that it lies in. It is followed within the tree where an
    operation follows links; without `to` it leads nowhere.
    """

    to: str | None = None


# By path, with `/` between names; or a folder on disk, which is read.
Files: TypeAlias = "Mapping[str, Content | Directory | Link] | os.PathLike[str]"

# What an operation changed of its files: bytes, a new folder, or None for what is gone.
Changes: TypeAlias = "Mapping[str, bytes | Directory | None]"


def read_tree(folder: os.PathLike[str]) -> dict[str, bytes | Directory | Link]:
    """All that lies in a folder.

    What is neither file, folder nor link, or a file that cannot be read, stands as a link that leads nowhere; a folder
    that cannot be read is an OSError.
    """
    return dict(_walk(Path(folder), ""))


def _walk(folder: Path, prefix: str) -> Iterator[tuple[str, bytes | Directory | Link]]:
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            path = prefix + entry.name
            if entry.is_dir(follow_symlinks=False):
                yield path, Directory()
                yield from _walk(folder / entry.name, path + "/")
            else:
                yield path, _content(entry)


def _content(entry: os.DirEntry[str]) -> bytes | Link:
    try:
        if entry.is_file(follow_symlinks=False):
            return Path(entry.path).read_bytes()
        return Link(os.readlink(entry.path))
    except OSError:
        return Link()
