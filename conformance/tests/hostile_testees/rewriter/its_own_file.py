"""Adds a line to its own file."""

from pathlib import Path

from hostile import attempts

HERE = Path(__file__).parent


def change():
    with open(__file__, "a") as own:
        own.write("# changed\n")


attempts(change)
