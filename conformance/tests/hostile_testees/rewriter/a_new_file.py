"""Puts a module beside its own that the next session would import instead."""

from pathlib import Path

from hostile import attempts

HERE = Path(__file__).parent


def change():
    (HERE / "hashlib_of_mine.py").write_text("")


attempts(change)
