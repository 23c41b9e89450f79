"""Writes a statement where the harness is to write it."""

from hostile import SCENE, attempts

attempts(lambda: (SCENE / "out/s.json").write_text("{}"))
