"""Adds a line to a module that the next session imports."""

from pathlib import Path

from hostile import attempts

HERE = Path(__file__).parent


def change():
    with open(HERE / "atp.py", "a") as module:
        module.write("# changed\n")


attempts(change)
