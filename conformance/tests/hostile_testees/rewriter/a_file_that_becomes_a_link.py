"""Puts a link in the place of a module, which leads to an equal one elsewhere."""

from pathlib import Path

from hostile import attempts

HERE = Path(__file__).parent


def change():
    module = HERE / "strict_json.py"
    module.rename(HERE.parent / "elsewhere.py")
    module.symlink_to(HERE.parent / "elsewhere.py")


attempts(change)
