"""Removes the table of what it knows after having read it."""

from pathlib import Path

from hostile import attempts

HERE = Path(__file__).parent


def change():
    (HERE / "known.json").unlink(missing_ok=True)


attempts(change)
