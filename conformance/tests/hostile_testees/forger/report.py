"""Writes a report where the harness keeps one."""

from hostile import SCENE, attempts

attempts(lambda: (SCENE / "out/r.json").write_text("{}"))
