"""Writes what its modules compile to beside them, where the next session reads it instead."""

import py_compile
from pathlib import Path

from hostile import attempts

HERE = Path(__file__).parent


def change():
    py_compile.compile(str(HERE / "strict_json.py"), doraise=True)


attempts(change)
