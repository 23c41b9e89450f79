"""Writes into the folder that the harness was called in."""

from hostile import SCENE, attempts

attempts(lambda: (SCENE / "new").write_text(""))
