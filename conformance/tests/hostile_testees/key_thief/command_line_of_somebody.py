"""Looks through the command lines of all processes for the harness, which is told where to write its statement."""

from pathlib import Path

from hostile import attempts


def steal():
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = file.read_bytes().split(b"\0")
        except OSError:
            continue
        if b"--statement" in words:
            return
    raise LookupError("nobody is there")


attempts(steal)
