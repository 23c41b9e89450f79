"""Moves an equal copy over its own file."""

import shutil
from pathlib import Path

from hostile import attempts

HERE = Path(__file__).parent


def change():
    copy = HERE / "copy"
    shutil.copy2(__file__, copy)
    copy.rename(__file__)


attempts(change)
